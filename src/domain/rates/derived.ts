// Rates that are derived from the cost of a feature (PRM-111, PRM-112).
import { basisPointScale } from '../money/money.ts';
import { type Condition, isCardDocument, type PriceListDocument } from './card.ts';
import { compare, type Exact, ratio } from './exact.ts';
import type { RateDocument } from './rate.ts';

/** Factor that applies to events whose properties have one of the listed values each. */
export type Modifier = {
  readonly when: Condition;
  /** Factor in basis points; 10,000 leaves the price unchanged. */
  readonly factorBps: number;
};

/**
 * Rate derived from the cost, as JSON: cost × factors of all matching modifiers × (10,000 + margin) ÷ 10,000. The margin
 * is in basis points, and 0 if it's absent.
 */
export type DerivedRate = {
  readonly from: 'cost';
  readonly marginBps?: number;
  readonly modifiers?: readonly Modifier[];
};

/** Price of a feature as JSON: a rate, a card, or a rate derived from the cost. */
export type PriceDocument = PriceListDocument | DerivedRate;

/** Cost of a feature as JSON: a rate in US dollars, or the token prices of AI models. */
export type CostDocument = RateDocument | { readonly from: 'ai_models' };

export const isDerived = (price: PriceDocument | null): price is DerivedRate =>
  price !== null && 'from' in price;

/** Returns the rate or card of a price. `null` if there's no price or if the price is derived from the cost. */
export const ownList = (price: PriceDocument | null): PriceListDocument | null =>
  price === null || 'from' in price ? null : price;

/** Returns the rate of a price. `null` if there's no price, or if the price is a card or derived from the cost. */
export function ownRate(price: PriceDocument | null): RateDocument | null {
  const list = ownList(price);
  return list === null || isCardDocument(list) ? null : list;
}

/** Returns true if the cost depends on the AI model of an event. */
export const isFromModels = (cost: CostDocument | null): boolean => cost !== null && 'from' in cost;

/** Properties of an event. */
export type EventProperties = readonly { readonly property: string; readonly value: string }[];

const matches = ({ when }: Modifier, properties: EventProperties): boolean =>
  Object.entries(when).every(([name, values]) =>
    values.includes(properties.find(({ property }) => property === name)?.value ?? ''),
  );

/** Returns the factor between the cost and the price of an event, margin included (PRM-112). */
function factorOf({ marginBps = 0, modifiers = [] }: DerivedRate, properties: EventProperties): Exact {
  const factors = [
    basisPointScale + BigInt(marginBps),
    ...modifiers.filter((one) => matches(one, properties)).map(({ factorBps }) => BigInt(factorBps)),
  ];
  return ratio(
    factors.reduce((product, factor) => product * factor, 1n),
    basisPointScale ** BigInt(factors.length),
  );
}

/** Returns the lowest factor among the versions of a derived rate (PRM-113). Throws if there is no version. */
export const lowestFactor = (versions: readonly DerivedRate[], properties: EventProperties): Exact =>
  versions
    .map((version) => factorOf(version, properties))
    .reduce((lowest, next) => (compare(next, lowest) < 0 ? next : lowest));
