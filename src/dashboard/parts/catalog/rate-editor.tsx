import { Stack } from '../../kit/layout.tsx';
import { NumberField, RateField } from '../../kit/number-field.tsx';
import { Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { DerivedFields } from './derived-fields.tsx';
import type { DerivedDraft } from './model/derived-draft.ts';
import { type RateDraft, readDraft } from './model/rate-draft.ts';
import { modelsFor, rateOfPrice, withModel } from './model/rate-table.ts';
import { RateFields, useRateProblems } from './rate-fields.tsx';
import { RatePrices } from './rate-prices.tsx';

/**
 * Price of a feature's units. `unitPrice` is in ten-thousandths of a US dollar (10,000 = 1.00) or in credits; `rate` is `null` if it contains
 * the whole price.
 */
export type EditedPrice = {
  readonly unitPrice: number | null;
  readonly rate: RateDraft | null;
  /** Rate derived from the cost. Absent if the price can't be derived from a cost. */
  readonly derived?: DerivedDraft | null;
};

type RateEditorProps = {
  readonly price: EditedPrice;
  readonly unit: string;
  /** Pool from which usage is deducted. `null` if units are invoiced. */
  readonly pool: 'credits' | 'balance' | null;
  readonly onChange: (changes: Partial<EditedPrice>) => void;
};

/** Field for a price per unit, or for credits per unit. */
function UnitPriceField({
  unitPrice,
  unit,
  isInCredits,
  onChange,
}: {
  readonly unitPrice: number | null;
  readonly unit: string;
  readonly isInCredits: boolean;
  readonly onChange: (unitPrice: number | null) => void;
}) {
  const { features: words } = useWords('plan');
  const after = words.perUnit({ unit });
  return isInCredits ? (
    <NumberField
      label={words.creditsPerUnit}
      value={unitPrice ?? Number.NaN}
      minValue={1}
      onChange={(value) => onChange(Number.isNaN(value) ? null : value)}
      after={after}
    />
  ) : (
    <RateField label={words.unitPrice} currency="usd" value={unitPrice} onChange={onChange} after={after} />
  );
}

/**
 * Edits the price of a feature: a price per unit, or a rate with tiers, a package size or limits, and its price for a few numbers of units.
 * A price can also be derived from the cost.
 */
export function RateEditor({ price, unit, pool, onChange }: RateEditorProps) {
  const words = useWords('plan');
  const { rate: own } = words;
  const { rate, unitPrice, derived = null } = price;
  const isInCredits = pool === 'credits';
  const isFromPool = pool !== null;
  const read = rate === null ? null : readDraft(rate);
  const problems = useRateProblems(read);
  const choose = (value: string): void => {
    const model = modelsFor(isFromPool).find((name) => name === value);
    const amount = unitPrice ?? (isInCredits ? 1 : 0);
    const canBeDerived = price.derived !== undefined;
    if (canBeDerived && value === 'derived')
      onChange({ rate: null, derived: derived ?? { margin: 0, modifiers: [] } });
    else if (model === undefined)
      onChange({ rate: null, unitPrice: amount, ...(canBeDerived && { derived: null }) });
    else
      onChange({
        ...(canBeDerived && { derived: null }),
        rate: rate === null ? rateOfPrice(model, amount, isInCredits ? 0 : 4) : withModel(rate, model),
      });
  };
  const chosen = derived === null ? (rate?.model ?? 'plain') : 'derived';
  return (
    <Stack gap={4}>
      <Select
        label={own.model}
        value={chosen}
        onChange={choose}
        help={own.modelTexts[chosen]}
        options={[
          'plain' as const,
          ...modelsFor(isFromPool),
          ...(price.derived === undefined ? [] : ['derived' as const]),
        ].map((value) => ({ value, label: own.models[value] }))}
      />
      {derived !== null ? (
        <DerivedFields derived={derived} onChange={(next) => onChange({ derived: next })} />
      ) : rate === null || read === null ? (
        <UnitPriceField
          unitPrice={unitPrice}
          unit={unit}
          isInCredits={isInCredits}
          onChange={(next) => onChange({ unitPrice: next })}
        />
      ) : (
        <>
          <RateFields
            rate={rate}
            isInCredits={isInCredits}
            onChange={(next) => onChange({ rate: next })}
            problems={problems}
          />
          {'rate' in read ? (
            <RatePrices rate={read.rate} isInCredits={isInCredits} />
          ) : (
            <Text color="warning">{own.unfinished}</Text>
          )}
        </>
      )}
    </Stack>
  );
}
