import { currencySign } from '../../../../../ui/format/money.ts';
import { useAction } from '../../../../data/hooks.ts';
import { RadioGroup, Switch } from '../../../../kit/choice.tsx';
import { Stack } from '../../../../kit/layout.tsx';
import { NumberField } from '../../../../kit/number-field.tsx';
import { useKit } from '../../../../kit/provider.tsx';
import { Select } from '../../../../kit/select.tsx';
import { useDraft } from '../../../../kit/use-draft.ts';
import { wholeOrNull } from '../../../../kit/whole-number.ts';
import { DecimalField } from '../../../../parts/catalog/decimal-field.tsx';
import type { PoolChoice } from '../../../../parts/catalog/feature-terms.tsx';
import { moneyAsset } from '../../../../parts/catalog/model/feature-fields.ts';
import type { PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { notify } from '../../../../shell/notices.ts';
import { useWords } from '../../../../words/words.ts';
import { DeleteButton } from '../../parts/delete-button.tsx';
import { EditSheet } from '../../parts/edit-sheet.tsx';
import type { PoolTermsFragment } from '../edit.graphql';
import { CatalogPlanPoolRemoveDocument, CatalogPlanPoolSetDocument } from '../pool.graphql';
import type { Surroundings } from './catalog-objects.ts';
import {
  draftOfPool,
  hasOverdraftRate,
  isPoolReady,
  type PoolDraft,
  type PoolUnit,
  poolAmount,
  poolInput,
  unitOf,
} from './pool-draft.ts';

type AmountFieldProps = {
  readonly unit: PoolUnit;
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isOptional?: boolean;
};

/** Field for an amount in a custom unit or US dollars. */
function AmountField({ unit, value, ...props }: AmountFieldProps) {
  const { pool: words } = useWords('plan');
  const { locale, words: kitWords } = useKit();
  const isMoney = unit.asset === moneyAsset;
  const isInvalid = value !== '' && poolAmount(unit, value) === null;
  const ofUnit = unit.decimals === 0 ? words.notWhole : words.tooManyDecimals({ count: unit.decimals });
  return (
    <DecimalField
      {...props}
      value={value}
      {...(isMoney && { before: currencySign('usd', locale) })}
      {...(isInvalid && { error: isMoney ? kitWords.invalidRate : ofUnit })}
    />
  );
}

type PoolSheetProps = {
  readonly plan: PlanDraft;
  /** Pool to edit. `null` to add a pool. */
  readonly pool: PoolTermsFragment | null;
  readonly units: Surroundings['units'];
  /** Assets that a new pool can have. */
  readonly choices: readonly PoolChoice[];
  readonly title: string;
  /** True if the pool can be removed from the plan. */
  readonly isRemovable: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that adds, edits or removes a pool of a plan: the included amount, the effect of an empty pool, and the rollover. */
export function PoolSheet({
  plan,
  pool,
  units,
  choices,
  title,
  isRemovable,
  onClose,
  onDone,
}: PoolSheetProps) {
  const { pool: words } = useWords('plan');
  const { verbs } = useWords('catalog');
  const { locale } = useKit();
  const [set, saving] = useAction(CatalogPlanPoolSetDocument);
  const first = pool?.asset ?? choices[0]?.asset ?? '';
  const draft = useDraft(draftOfPool(pool, unitOf(first, units), plan), {
    isReady: (values) => isPoolReady(plan, pool, unitOf(values.asset, units), values),
    needsChange: pool !== null,
    send: (values) => set({ input: poolInput(plan, pool, unitOf(values.asset, units), values) }),
    onDone: () => {
      notify(words.saved);
      onDone();
    },
  });
  const { values, change, choice, field } = draft;
  const unit = unitOf(values.asset, units);
  const isMoney = unit.asset === moneyAsset;
  const texts = isMoney ? words.balance : unit.asset === 'credits' ? words.credits : words.unit;
  const effects = isMoney ? words.effectTexts : words.unitEffectTexts;
  return (
    <EditSheet
      title={title}
      save={pool === null ? words.add : verbs.save}
      {...saving}
      draft={draft}
      onClose={onClose}
      others={
        pool !== null &&
        isRemovable && (
          <DeleteButton
            label={words.remove}
            document={CatalogPlanPoolRemoveDocument}
            input={{ planId: plan.id, asset: pool.asset }}
            title={words.removeTitle({ name: title })}
            texts={[words.removeText]}
            onDone={() => {
              draft.reset();
              onDone();
            }}
          />
        )
      }
    >
      <Stack gap={4}>
        {pool === null && (
          <Select
            name="asset"
            label={words.asset}
            help={words.assetHelp}
            options={choices.map(({ asset, name }) => ({ value: asset, label: name }))}
            {...field('asset')}
          />
        )}
        {plan.prices.length > 0 && (
          <AmountField
            unit={unit}
            name="includedPerWindow"
            label={texts.included}
            help={words.includedHelp}
            {...field('included')}
          />
        )}
        <RadioGroup
          name="onEmpty"
          label={words.onEmpty}
          help={words.onEmptyHelp}
          value={values.onEmpty}
          onChange={(onEmpty) => change({ onEmpty: onEmpty as PoolDraft['onEmpty'] })}
          options={(['reject', 'overdraw'] as const).map((value) => ({
            value,
            label: words.effects[value],
            help: effects[value],
          }))}
        />
        {hasOverdraftRate(values) && (
          <DecimalField
            name="overdraftRate"
            label={words.overdraftRate}
            help={words.overdraftRateHelp}
            before={currencySign('usd', locale)}
            {...field('overdraftRate')}
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
              unit={unit}
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
