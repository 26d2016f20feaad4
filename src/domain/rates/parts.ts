// Parts of a price: the tiers that a quantity reaches, with the exact amount of each.
import type { FieldProblem } from '../errors/errors.ts';
import { exactOf, powerOfTen } from './decimal.ts';
import { compare, type Exact, isZero, minus, ratio, smaller, times, zero } from './exact.ts';
import type { Rate, Tier } from './rate.ts';

/**
 * Part of a price before the minimum and the maximum. `units`: units at a price per unit. `flat`: an amount that a tier
 * adds once. `package` and `stairs`: an amount that isn't proportional to the quantity.
 */
export type Part = {
  readonly kind: 'units' | 'flat' | 'package' | 'stairs';
  /** Index of the tier to which the part belongs. */
  readonly tier: number;
  /** Number of units that the part charges for. A partly used package counts with all its units. */
  readonly units: Exact;
  /** Price of one unit. 0 for `flat` and `stairs`. */
  readonly unitAmount: Exact;
  readonly amount: Exact;
};

/**
 * Pricing model: calculates the parts of a price, and validates rates. The price before the minimum and the maximum
 * is the sum of the parts.
 */
export type PriceModel = {
  /** True if the price never falls as the quantity increases. */
  readonly isMonotone: boolean;
  /** Returns the parts of the price of a quantity above 0, in order. */
  readonly parts: (rate: Rate, quantity: Exact) => readonly Part[];
  /**
   * Returns the problems that are specific to the model, for a rate that is otherwise valid. Fields are relative to
   * the rate, such as `tiers.0.flat`.
   */
  readonly problems: (rate: Rate) => readonly FieldProblem[];
};

/** Tier with its index, and the number of units that a part charges for. */
type EnteredTier = { readonly tier: Tier; readonly index: number; readonly units: Exact };

/** Returns the tiers that a quantity reaches, with the number of units in each tier. */
export function enteredTiers({ tiers }: Rate, quantity: Exact): readonly EnteredTier[] {
  const entered: EnteredTier[] = [];
  let lower = zero;
  for (const [index, tier] of tiers.entries()) {
    if (compare(quantity, lower) <= 0) break;
    const upper = tier.upTo === null ? quantity : smaller(exactOf(tier.upTo), quantity);
    entered.push({ tier, index, units: minus(upper, lower) });
    lower = upper;
  }
  return entered;
}

/** Returns the tier that contains a quantity above 0, with the whole quantity. */
export function holdingTier(rate: Rate, quantity: Exact): EnteredTier {
  const last = enteredTiers(rate, quantity).at(-1);
  if (last === undefined) throw new RangeError('No tier contains the quantity 0.');
  return { ...last, units: quantity };
}

/** Returns the parts of a tier: the units at the tier's price, and the flat amount if it isn't 0. */
export function tierParts(
  { per }: Rate,
  { tier, index, units }: EnteredTier,
  kind: 'units' | 'package' = 'units',
): readonly Part[] {
  const unitAmount = ratio(tier.amount.units, powerOfTen(tier.amount.decimals) * per);
  const flat = exactOf(tier.flat);
  return [
    { kind, tier: index, units, unitAmount, amount: times(units, unitAmount) },
    ...(isZero(flat) ? [] : [{ kind: 'flat', tier: index, units, unitAmount: zero, amount: flat } as const]),
  ];
}

/** Returns a problem for each tier with an amount that the model doesn't use. An amount of 0 is allowed. */
export const unusedAmounts = (
  { tiers }: Rate,
  field: 'amount' | 'flat',
  model: string,
): readonly FieldProblem[] =>
  tiers.flatMap((tier, index) =>
    tier[field].units === 0n
      ? []
      : [
          {
            field: `tiers.${index}.${field}`,
            message: `isn't used by the model ${model}. Omit it or set it to 0`,
          },
        ],
  );
