import { Button } from '../../../../kit/button.tsx';
import { Callout } from '../../../../kit/callout.tsx';
import { Grow, Stack } from '../../../../kit/layout.tsx';
import { MoneyField } from '../../../../kit/number-field.tsx';
import { Sheet } from '../../../../kit/sheet.tsx';
import { Text } from '../../../../kit/text.tsx';
import { TextField } from '../../../../kit/text-field.tsx';
import type { MarketCountries } from '../../../../parts/catalog/model/place.ts';
import { isNew, type PlanDraft, type PriceDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../../words/words.ts';

type VariantSheetProps = {
  readonly plan: PlanDraft;
  readonly variant: PriceDraft;
  readonly markets: readonly MarketCountries[];
  readonly onChange: (changes: Partial<PriceDraft>) => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
};

/** Sheet for a price variant: different amounts for the markets that have an amount in the base price. */
export function VariantSheet({ plan, variant, markets, onChange, onRemove, onClose }: VariantSheetProps) {
  const { prices: words } = useWords('plan');
  const common = useWords('catalog');
  const base = plan.prices.find(({ id }) => id === variant.baseId);
  const set = (marketId: string, currency: string, price: number | null) => {
    const { [marketId]: _, ...others } = variant.markets;
    onChange({ markets: price === null ? others : { ...others, [marketId]: { currency, price } } });
  };
  const priced = markets.filter(({ id }) => base?.markets[id] !== undefined);
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.variantOf({
        name: variant.label || words.unnamed,
        interval: common.intervals[variant.interval],
      })}
      actions={
        <>
          <Button kind="quiet" onPress={onRemove}>
            {isNew(variant) ? common.verbs.remove : words.archive}
          </Button>
          <Grow />
          <Button kind="primary" onPress={onClose}>
            {words.done}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <Text color="muted">{words.variantText}</Text>
        <TextField
          label={common.name}
          value={variant.label}
          onChange={(label) => onChange({ label })}
          maxLength={200}
          autoFocus
        />
        {priced.length === 0 && <Callout tone="warning">{words.variantNeedsMarkets}</Callout>}
        {priced.map(({ id, name }) => {
          const currency = variant.markets[id]?.currency ?? base?.markets[id]?.currency ?? 'usd';
          return (
            <MoneyField
              key={id}
              label={name}
              isOptional
              currency={currency}
              value={variant.markets[id]?.price ?? null}
              onChange={(price) => set(id, currency, price)}
            />
          );
        })}
      </Stack>
    </Sheet>
  );
}
