import { Button } from '../../../../kit/button.tsx';
import { Grow, Stack } from '../../../../kit/layout.tsx';
import { MoneyField, NumberField, RateField } from '../../../../kit/number-field.tsx';
import { Select } from '../../../../kit/select.tsx';
import { Sheet } from '../../../../kit/sheet.tsx';
import { Text } from '../../../../kit/text.tsx';
import { isIntroductory } from '../../../../parts/catalog/model/phases.ts';
import { isNew, type PlanDraft, type PriceDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../../words/words.ts';
import { PhaseTable } from '../../parts/phase-table.tsx';
import type { Surroundings } from './catalog-objects.ts';

const noOffer = 'none';

type PriceSheetProps = {
  readonly plan: PlanDraft;
  readonly price: PriceDraft;
  readonly offers: Surroundings['offers'];
  readonly onChange: (changes: Partial<PriceDraft>) => void;
  readonly onDefault: () => void;
  readonly onVariant: () => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
};

/** Sheet for the terms of a base price: amount, trial, included amounts, introductory offer. */
export function PriceSheet({
  plan,
  price,
  offers,
  onChange,
  onDefault,
  onVariant,
  onRemove,
  onClose,
}: PriceSheetProps) {
  const { prices: words } = useWords('plan');
  const common = useWords('catalog');
  const fitting = offers.filter(({ id, phases }) => isIntroductory(phases) || id === price.offerId);
  const chosen = offers.find(({ id }) => id === price.offerId);
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.priceOf({ interval: common.intervals[price.interval] })}
      actions={
        <>
          <Button kind="quiet" onPress={onRemove}>
            {isNew(price) ? common.verbs.remove : words.archive}
          </Button>
          <Grow />
          <Button kind="primary" onPress={onClose}>
            {words.done}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <MoneyField
          label={words.price}
          currency="usd"
          value={price.price}
          onChange={(amount) => amount !== null && amount >= 0 && onChange({ price: amount })}
          autoFocus
        />
        <NumberField
          label={words.trial}
          help={words.trialHelp}
          value={price.trialDays}
          minValue={0}
          maxValue={3_650}
          onChange={(days) => onChange({ trialDays: Number.isNaN(days) ? 0 : days })}
          after={words.daysUnit}
        />
        {plan.model === 'credits' && (
          <NumberField
            label={words.credits}
            help={words.windowHelp}
            value={price.includedCredits ?? 0}
            minValue={0}
            onChange={(count) => onChange({ includedCredits: Number.isNaN(count) ? null : count })}
          />
        )}
        {plan.model === 'balance' && (
          <RateField
            label={words.balance}
            help={words.windowHelp}
            currency="usd"
            value={price.includedBalance}
            onChange={(includedBalance) => onChange({ includedBalance })}
            after="USD"
          />
        )}
        {price.interval !== 'one_time' && (
          <MoneyField
            label={words.minimumSpend}
            help={words.minimumSpendHelp}
            currency="usd"
            value={price.minimumSpend}
            onChange={(amount) => onChange({ minimumSpend: amount === 0 ? null : amount })}
          />
        )}
        <Select
          label={words.offer}
          help={words.offerHelp}
          value={price.offerId ?? noOffer}
          onChange={(id) => onChange({ offerId: id === noOffer ? null : id })}
          options={[
            { value: noOffer, label: words.noOffer },
            ...fitting.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {chosen !== undefined && <PhaseTable phases={chosen.phases} base={price.price} currency="usd" />}
        {!price.isDefault && <Button onPress={onDefault}>{words.makeDefault}</Button>}
        {!isNew(price) && <Button onPress={onVariant}>{words.addVariant}</Button>}
        <Text size="sm" color="muted">
          {words.archiveText}
        </Text>
      </Stack>
    </Sheet>
  );
}
