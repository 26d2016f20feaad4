// Party that benefits from a change of a rate card (PRM-6).
import type { CardDocument, RateOverride } from './card.ts';
import { compareDecimals, storedDecimal } from './decimal.ts';
import type { RateDocument } from './rate.ts';

/** Rates of a card with its overrides. */
type SavedCard = { readonly card: CardDocument; readonly overrides: readonly RateOverride[] };

/** Party that benefits. `mixed` if the rates aren't comparable, for example if a cell was added. */
export type CardFavor = 'customer' | 'merchant' | 'mixed' | 'neither';

type Amounts = (readonly [place: string, amount: string])[];

const rateAmounts = (place: string, { model, per, tiers, minimum, maximum }: RateDocument): Amounts => [
  ...tiers.flatMap(({ upTo, amount, flat }): Amounts => {
    const tier = `${place} ${model} ${per} ${upTo}`;
    return [
      [`${tier} amount`, amount],
      [`${tier} flat`, flat],
    ];
  }),
  ...boundAmounts(place, { minimum, maximum }),
];

const boundAmounts = (
  place: string,
  bounds: { readonly minimum?: string | undefined; readonly maximum?: string | undefined },
): Amounts =>
  Object.entries(bounds).flatMap(
    ([name, amount]): Amounts => (amount === undefined ? [] : [[`${place} ${name}`, amount]]),
  );

const cardAmounts = (place: string, { cells, default: other, minimum, maximum }: CardDocument): Amounts => [
  ...cells.flatMap(({ when, rate }) => rateAmounts(`${place} ${JSON.stringify(when)}`, rate)),
  ...(other === undefined ? [] : rateAmounts(`${place} default`, other)),
  ...boundAmounts(place, { minimum, maximum }),
];

/** Returns all amounts of a card by their place. */
const amountsOf = ({ card, overrides }: SavedCard): ReadonlyMap<string, string> =>
  new Map([
    ...cardAmounts('', card),
    ...overrides.flatMap(({ marketId, currency, rate }): Amounts => {
      const place = `${marketId} ${currency}`;
      return 'cells' in rate ? cardAmounts(place, rate) : rateAmounts(place, rate);
    }),
  ]);

/** Returns the party that benefits if the first card is replaced by the second one. */
export function cardFavor(before: SavedCard, after: SavedCard): CardFavor {
  const [from, to] = [amountsOf(before), amountsOf(after)];
  if (from.size !== to.size) return 'mixed';
  const favors = new Set<CardFavor>();
  for (const [place, amount] of to) {
    const earlier = from.get(place);
    if (earlier === undefined) return 'mixed';
    const change = compareDecimals(storedDecimal(amount), storedDecimal(earlier));
    if (change !== 0) favors.add(change < 0 ? 'customer' : 'merchant');
  }
  const [only = 'neither'] = favors;
  return favors.size > 1 ? 'mixed' : only;
}
