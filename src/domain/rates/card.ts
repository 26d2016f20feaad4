// A card is a price list with a rate for each combination of dimension values (PRM-6). A plain rate is a card with only a
// default.
import { type Decimal, decimalText } from './decimal.ts';
import {
  amountsOf,
  derivedRate,
  type Rate,
  type RateDocument,
  rateDocument,
  rateInParts,
  withDerivedBounds,
} from './rate.ts';

/** Values by dimension. A cell applies if each of its dimensions has one of the listed values. */
export type Condition = { readonly [dimension: string]: readonly string[] };

/** Rate for the usage that meets a condition. */
type Cell = { readonly when: Condition; readonly rate: Rate };

/**
 * Valid card with up to 500 cells. `default` is the rate for all other usage; `null` if other usage has no price. `minimum`
 * and `maximum` limit the sum of the cells' prices.
 */
export type Card = {
  readonly cells: readonly Cell[];
  readonly default: Rate | null;
  readonly minimum: Decimal | null;
  readonly maximum: Decimal | null;
};

/** Rate for all usage, or rates by dimension. */
export type PriceList = Rate | Card;

/**
 * Card as JSON. `default`, `minimum`, and `maximum` are absent if they aren't set. `rateCardId` is the ID of the saved card
 * that the terms refer to.
 */
export type CardDocument = {
  readonly cells: readonly { readonly when: Condition; readonly rate: RateDocument }[];
  readonly default?: RateDocument;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly rateCardId?: string;
};

/** Rate or card as JSON. */
export type PriceListDocument = RateDocument | CardDocument;

/** Rate or card in a market, or in a currency if `marketId` is `null` (PRM-110). */
export type RateOverride = {
  readonly marketId: string | null;
  readonly currency: string;
  readonly rate: PriceListDocument;
};

/** Compares overrides by currency. */
export const byCurrency = (
  { currency: a }: Pick<RateOverride, 'currency'>,
  { currency: b }: Pick<RateOverride, 'currency'>,
): number => (a < b ? -1 : a > b ? 1 : 0);

export const isCard = (list: PriceList): list is Card => 'cells' in list;

/** Returns true if a document has a rate for each combination of dimension values. */
export const isCardDocument = (document: PriceListDocument): document is CardDocument => 'cells' in document;

const cards = new WeakMap<Rate, Card>();

/** Returns a price list as a card. */
export const cardOf = (list: PriceList): Card =>
  isCard(list)
    ? list
    : cards.getOrInsertComputed(list, () => ({ cells: [], default: list, minimum: null, maximum: null }));

/** Converts a card to JSON, without the ID of a saved card. */
export const cardDocument = ({ cells, default: other, minimum, maximum }: Card): CardDocument => ({
  cells: cells.map(({ when, rate }) => ({ when, rate: rateDocument(rate) })),
  ...(other === null ? {} : { default: rateDocument(other) }),
  ...(minimum === null ? {} : { minimum: decimalText(minimum) }),
  ...(maximum === null ? {} : { maximum: decimalText(maximum) }),
});

/** Converts a price list to JSON. */
export const listDocument = (list: PriceList): PriceListDocument =>
  isCard(list) ? cardDocument(list) : rateDocument(list);

/** Returns true if two price lists have the same terms, with the same number of decimals. */
export const isSameList = (a: PriceList, b: PriceList): boolean =>
  JSON.stringify(listDocument(a)) === JSON.stringify(listDocument(b));

/**
 * Returns the rate that represents a price list in responses with a single price: the default, or the rate of the first
 * cell. Throws if a card has no rate.
 */
export function leadRate(list: PriceList): Rate {
  if (!isCard(list)) return list;
  const rate = list.default ?? list.cells[0]?.rate;
  if (rate === undefined) throw new Error('A card has no rate.');
  return rate;
}

/** Returns a price list with changed rates. */
const mapped = (list: PriceList, change: (rate: Rate) => Rate): PriceList =>
  isCard(list)
    ? {
        ...list,
        cells: list.cells.map(({ when, rate }) => ({ when, rate: change(rate) })),
        default: list.default === null ? null : change(list.default),
      }
    : change(list);

/** Converts a price list for units to the equal price list for quantities in 10^-`decimals` units. */
export const listInParts = (list: PriceList, decimals: number): PriceList =>
  mapped(list, (rate) => rateInParts(rate, decimals));

/** Derives a price list in another currency, with an exchange rate in hundred-millionths (PRM-110). */
export function derivedList(list: PriceList, rateE8: bigint): PriceList {
  const derived = mapped(list, (rate) => derivedRate(rate, rateE8));
  return isCard(derived) ? withDerivedBounds(derived, rateE8) : derived;
}

/** Returns all amounts of a price list. */
export const listAmounts = (list: PriceList): readonly Decimal[] => [
  ...ratesOf(list).flatMap(amountsOf),
  ...(isCard(list) ? [list.minimum, list.maximum].filter((amount) => amount !== null) : []),
];

/** Values by dimension of a part of the usage. A folded dimension is absent and meets no condition (PRM-12). */
export type DimensionValues = { readonly [dimension: string]: string };

const meets = (values: DimensionValues, when: Condition): boolean =>
  Object.entries(when).every(([dimension, allowed]) => {
    const value = values[dimension];
    return value !== undefined && allowed.includes(value);
  });

const dimensionCount = (when: Condition): number => Object.keys(when).length;

/**
 * Returns the index of the cell to which usage belongs: of the matching cells, the cell with the most dimensions (PRM-107).
 * The index of the default is the number of cells. `null` if the usage has no price.
 */
export function cellIndex({ cells, default: other }: Card, values: DimensionValues): number | null {
  let best: number | null = null;
  for (const [index, { when }] of cells.entries()) {
    if (!meets(values, when)) continue;
    const last = best === null ? undefined : cells[best];
    if (last === undefined || dimensionCount(when) > dimensionCount(last.when)) best = index;
  }
  return best ?? (other === null ? null : cells.length);
}

/** Returns the rate at an index from `cellIndex`. */
export const rateAt = ({ cells, default: other }: Card, index: number): Rate | null =>
  cells[index]?.rate ?? other;

/** Returns the values that name a cell in lines, such as `L, eu`. `null` if `index` refers to the default. */
export function cellName({ cells }: Card, index: number): string | null {
  const cell = cells[index];
  return cell === undefined
    ? null
    : Object.values(cell.when)
        .map((values) => values.join('/'))
        .join(', ');
}

/** Rate of a cell with the values that name it. `cell` is `null` if the rate is the default of a card or has no dimensions. */
export type NamedRate = { readonly cell: string | null; readonly rate: Rate };

/** Returns the rates of all cells, and then the default. */
export function namedRates(list: PriceList): readonly NamedRate[] {
  const card = cardOf(list);
  return [
    ...card.cells.map(({ rate }, index) => ({ cell: cellName(card, index), rate })),
    ...(card.default === null ? [] : [{ cell: null, rate: card.default }]),
  ];
}

/** Returns the rates of all cells, and then the default. */
export const ratesOf = (list: PriceList): readonly Rate[] => namedRates(list).map(({ rate }) => rate);

/** Returns true if usage could belong to two cells with the same number of dimensions. */
export function canTie(a: Condition, b: Condition): boolean {
  if (dimensionCount(a) !== dimensionCount(b)) return false;
  return Object.entries(a).every(([dimension, values]) => {
    const others = b[dimension];
    return others === undefined || values.some((value) => others.includes(value));
  });
}
