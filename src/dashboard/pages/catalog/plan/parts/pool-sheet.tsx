import { currencySign } from '../../../../../ui/format/money.ts';
import { useAction } from '../../../../data/hooks.ts';
import { RadioGroup, Switch } from '../../../../kit/choice.tsx';
import { Stack } from '../../../../kit/layout.tsx';
import { NumberField } from '../../../../kit/number-field.tsx';
import { useKit } from '../../../../kit/provider.tsx';
import { useDraft } from '../../../../kit/use-draft.ts';
import { wholeOrNull } from '../../../../kit/whole-number.ts';
import { DecimalField } from '../../../../parts/catalog/decimal-field.tsx';
import type { PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { notify } from '../../../../shell/notices.ts';
import { useWords } from '../../../../words/words.ts';
import { EditSheet } from '../../parts/edit-sheet.tsx';
import { CatalogPlanPoolSetDocument, type PoolTermsFragment } from '../pool.graphql';
import { draftOfPool, isPoolReady, type PoolDraft, poolAmount, poolInput } from './pool-draft.ts';

type AmountFieldProps = {
  readonly pool: PoolTermsFragment;
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isOptional?: boolean;
};

/** Field for an amount in credits or US dollars. */
function AmountField({ pool, value, ...props }: AmountFieldProps) {
  const { pool: words } = useWords('plan');
  const { locale, words: kitWords } = useKit();
  const isCredits = pool.asset === 'credits';
  const isInvalid = value !== '' && poolAmount(pool, value) === null;
  return (
    <DecimalField
      {...props}
      value={value}
      {...(!isCredits && { before: currencySign('usd', locale) })}
      {...(isInvalid && { error: isCredits ? words.notWhole : kitWords.invalidRate })}
    />
  );
}

type PoolSheetProps = {
  readonly plan: PlanDraft;
  readonly pool: PoolTermsFragment;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that sets the included amount of a plan's credits or balance, the effect of an empty balance, and the rollover. */
export function PoolSheet({ plan, pool, onClose, onDone }: PoolSheetProps) {
  const { pool: words } = useWords('plan');
  const { verbs } = useWords('catalog');
  const [set, saving] = useAction(CatalogPlanPoolSetDocument);
  const isCredits = pool.asset === 'credits';
  const texts = isCredits ? words.credits : words.balance;
  const draft = useDraft(draftOfPool(pool, plan), {
    isReady: (values) => isPoolReady(plan, pool, values),
    needsChange: true,
    send: (values) => set({ input: poolInput(plan, pool, values) }),
    onDone: () => {
      notify(words.saved);
      onDone();
    },
  });
  const { values, change, choice, field } = draft;
  return (
    <EditSheet title={texts.title} save={verbs.save} {...saving} draft={draft} onClose={onClose}>
      <Stack gap={4}>
        {plan.prices.length > 0 && (
          <AmountField
            pool={pool}
            name="includedPerWindow"
            label={texts.included}
            help={words.includedHelp}
            {...field('included')}
          />
        )}
        {!isCredits && (
          <RadioGroup
            name="onEmpty"
            label={words.onEmpty}
            help={words.onEmptyHelp}
            value={values.onEmpty}
            onChange={(onEmpty) => change({ onEmpty: onEmpty as PoolDraft['onEmpty'] })}
            options={(['reject', 'overdraw'] as const).map((value) => ({
              value,
              label: words.effects[value],
              help: words.effectTexts[value],
            }))}
          />
        )}
        <Switch {...choice('rollsOver')} help={words.rolloverHelp}>
          {texts.rollover}
        </Switch>
        {values.rollsOver && (
          <>
            <NumberField
              name="rollover.windows"
              label={words.windows}
              help={words.windowsHelp}
              isOptional
              value={values.windows ?? Number.NaN}
              onChange={(windows) => change({ windows: wholeOrNull(windows) })}
              minValue={1}
              maxValue={12}
            />
            <AmountField
              pool={pool}
              name="rollover.cap"
              label={words.cap}
              help={words.capHelp}
              isOptional
              {...field('cap')}
            />
          </>
        )}
      </Stack>
    </EditSheet>
  );
}
