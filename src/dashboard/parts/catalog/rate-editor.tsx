import { Stack } from '../../kit/layout.tsx';
import { NumberField, RateField } from '../../kit/number-field.tsx';
import { Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { CardFields } from './card-fields.tsx';
import { CellTable } from './cell-table.tsx';
import { DerivedFields } from './derived-fields.tsx';
import { type CardDraft, newCard } from './model/card-draft.ts';
import type { DerivedDraft } from './model/derived-draft.ts';
import { cellsIn } from './model/place-rate.ts';
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
  /** Rates by dimension. Absent if the price can't depend on dimensions. */
  readonly card?: CardDraft | null;
};

/** Saved rate card that a feature can refer to. */
export type SavedCard = { readonly id: string; readonly name: string; readonly card: CardDraft };

const noCards: readonly SavedCard[] = [];

type RateEditorProps = {
  readonly price: EditedPrice;
  readonly unit: string;
  /** Number of decimals of the feature's meter, which the bounds of tiers can have. */
  readonly decimals: number;
  /** Pool from which usage is deducted. `null` if units are invoiced. */
  readonly pool: 'credits' | 'balance' | null;
  /** Name of the pool's custom unit. Defaults to credits. */
  readonly poolUnit?: string | undefined;
  readonly cards?: readonly SavedCard[] | undefined;
  readonly onChange: (changes: Partial<EditedPrice>) => void;
};

/** Field for a price per unit, or for credits per unit. */
function UnitPriceField({
  unitPrice,
  unit,
  isInCredits,
  poolUnit,
  onChange,
}: {
  readonly unitPrice: number | null;
  readonly unit: string;
  readonly isInCredits: boolean;
  readonly poolUnit: string | undefined;
  readonly onChange: (unitPrice: number | null) => void;
}) {
  const { features: words } = useWords('plan');
  const after = words.perUnit({ unit });
  return isInCredits ? (
    <NumberField
      label={poolUnit === undefined ? words.creditsPerUnit : words.unitsPerUnit({ name: poolUnit })}
      value={unitPrice ?? Number.NaN}
      minValue={1}
      onChange={(value) => onChange(Number.isNaN(value) ? null : value)}
      after={after}
    />
  ) : (
    <RateField label={words.unitPrice} currency="usd" value={unitPrice} onChange={onChange} after={after} />
  );
}

const ownCard = 'own';

/** Selects a saved rate card, or edits rates by dimension of the feature itself. */
function CardEditor({
  card,
  cards,
  isInCredits,
  onChange,
}: {
  readonly card: CardDraft;
  readonly cards: readonly SavedCard[];
  readonly isInCredits: boolean;
  readonly onChange: (card: CardDraft) => void;
}) {
  const { card: words } = useWords('plan');
  return (
    <Stack gap={4}>
      <Select
        label={words.source}
        help={card.rateCardId === null ? words.help : words.sourceHelp}
        value={card.rateCardId ?? ownCard}
        onChange={(id) => onChange(cards.find((one) => one.id === id)?.card ?? { ...card, rateCardId: null })}
        options={[
          { value: ownCard, label: words.own },
          ...cards.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {card.rateCardId === null ? (
        <CardFields card={card} isInCredits={isInCredits} onChange={onChange} />
      ) : (
        <CellTable
          label={words.cells}
          cells={cellsIn({ rates: {} }, { card }, 'usd')}
          isInCredits={isInCredits}
        />
      )}
    </Stack>
  );
}

/**
 * Edits the price of a feature: a price per unit, or a rate with tiers, a package size or limits, and its price for a few numbers of units.
 * A price can also be derived from the cost.
 */
export function RateEditor({
  price,
  unit,
  decimals,
  pool,
  poolUnit,
  cards = noCards,
  onChange,
}: RateEditorProps) {
  const words = useWords('plan');
  const { rate: own } = words;
  const { rate, unitPrice, derived = null, card = null } = price;
  const isInCredits = pool === 'credits';
  const isFromPool = pool !== null;
  const read = rate === null ? null : readDraft(rate, decimals);
  const problems = useRateProblems(read);
  const choose = (value: string): void => {
    const model = modelsFor(isFromPool).find((name) => name === value);
    const amount = unitPrice ?? (isInCredits ? 1 : 0);
    const canBeDerived = price.derived !== undefined;
    const others = {
      ...(price.card !== undefined && { card: null }),
      ...(canBeDerived && { derived: null }),
    };
    if (value === 'card') onChange({ ...others, rate: null, card: card ?? cards[0]?.card ?? newCard });
    else if (canBeDerived && value === 'derived')
      onChange({ ...others, rate: null, derived: derived ?? { margin: 0, modifiers: [] } });
    else if (model === undefined) onChange({ ...others, rate: null, unitPrice: amount });
    else
      onChange({
        ...others,
        rate: rate === null ? rateOfPrice(model, amount, isInCredits ? 0 : 4) : withModel(rate, model),
      });
  };
  const chosen = card !== null ? 'card' : derived !== null ? 'derived' : (rate?.model ?? 'plain');
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
          ...(price.card === undefined ? [] : ['card' as const]),
        ].map((value) => ({ value, label: own.models[value] }))}
      />
      {card !== null ? (
        <CardEditor
          card={card}
          cards={cards}
          isInCredits={isInCredits}
          onChange={(next) => onChange({ card: next })}
        />
      ) : derived !== null ? (
        <DerivedFields derived={derived} onChange={(next) => onChange({ derived: next })} />
      ) : rate === null || read === null ? (
        <UnitPriceField
          unitPrice={unitPrice}
          unit={unit}
          isInCredits={isInCredits}
          poolUnit={poolUnit}
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
