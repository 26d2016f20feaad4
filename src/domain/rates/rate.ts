// A rate is a function from a quantity to an amount of an asset: a currency, or a unit that the merchant defines (PRM-1).
import { divideRounded } from '../money/money.ts';
import { compareDecimals, type Decimal, decimalText, powerOfTen } from './decimal.ts';

/** Pricing models of a rate. The folder `models` contains one file for each model. */
export const modelNames = ['per_unit', 'graduated', 'volume', 'package', 'stairs'] as const;

export type ModelName = (typeof modelNames)[number];

/**
 * Tier of a rate. Contains the quantities above the `upTo` of the previous tier, up to and including its own `upTo`.
 * The last tier's `upTo` is `null`. Amounts are in units of the asset, such as US dollars: `amount` for each `per`
 * units, and a one-time `flat` amount.
 */
export type Tier = { readonly upTo: Decimal | null; readonly amount: Decimal; readonly flat: Decimal };

/**
 * Valid rate. `per` is from 1 to 10^12, and there are 1 to 20 tiers. `minimum` and `maximum` limit the price of a
 * quantity above 0; `null` if there is no limit.
 */
export type Rate = {
  readonly model: ModelName;
  readonly per: bigint;
  readonly tiers: readonly Tier[];
  readonly minimum: Decimal | null;
  readonly maximum: Decimal | null;
};

/** Rate as JSON. Amounts and bounds are decimals as text; `minimum` and `maximum` are absent if there is no limit. */
export type RateDocument = {
  readonly model: ModelName;
  readonly per: number;
  readonly tiers: readonly { readonly upTo: string | null; readonly amount: string; readonly flat: string }[];
  readonly minimum?: string;
  readonly maximum?: string;
};

/** Converts a rate to JSON. `readRate` converts the JSON back to an equal rate. */
export const rateDocument = ({ model, per, tiers, minimum, maximum }: Rate): RateDocument => ({
  model,
  per: Number(per),
  tiers: tiers.map(({ upTo, amount, flat }) => ({
    upTo: upTo === null ? null : decimalText(upTo),
    amount: decimalText(amount),
    flat: decimalText(flat),
  })),
  ...(minimum === null ? {} : { minimum: decimalText(minimum) }),
  ...(maximum === null ? {} : { maximum: decimalText(maximum) }),
});

/** Converts a bound of a tier from units to 10^-`decimals` units. */
const boundIn = (upTo: Decimal, decimals: number): Decimal =>
  upTo.decimals >= decimals
    ? { units: upTo.units, decimals: upTo.decimals - decimals }
    : { units: upTo.units * powerOfTen(decimals - upTo.decimals), decimals: 0 };

/** Converts a rate for units to the equal rate for quantities in 10^-`decimals` units. */
export const rateInParts = (rate: Rate, decimals: number): Rate => ({
  ...rate,
  per: rate.per * powerOfTen(decimals),
  tiers: rate.tiers.map((tier) => ({
    ...tier,
    upTo: tier.upTo === null ? null : boundIn(tier.upTo, decimals),
  })),
});

/** Minimum number of decimals of an amount that is derived with an exchange rate. */
const derivedDecimals = 4;

/** Stored value of the exchange rate 1, in hundred-millionths (CAT-25). */
const exchangeUnit = 10n ** 8n;

/**
 * Converts an amount in US dollars with an exchange rate in hundred-millionths. Rounds half up to the decimals of the
 * amount, at least 4.
 */
function derivedAmount({ units, decimals }: Decimal, rateE8: bigint): Decimal {
  const target = Math.max(derivedDecimals, decimals);
  return {
    units: divideRounded(units * powerOfTen(target - decimals) * rateE8, exchangeUnit),
    decimals: target,
  };
}

/** Returns terms with their minimum and maximum in another currency. */
export function withDerivedBounds<T extends Pick<Rate, 'minimum' | 'maximum'>>(terms: T, rateE8: bigint): T {
  const { minimum, maximum } = terms;
  const lowest = minimum === null ? null : derivedAmount(minimum, rateE8);
  const highest = maximum === null ? null : derivedAmount(maximum, rateE8);
  // The minimum and the maximum can have different numbers of decimals, so rounding can make the minimum the larger
  // one.
  const isReversed = lowest !== null && highest !== null && compareDecimals(lowest, highest) > 0;
  return { ...terms, minimum: isReversed ? highest : lowest, maximum: highest };
}

/**
 * Derives a rate in another currency from a rate in US dollars, with an exchange rate in hundred-millionths (PRM-110).
 * Bounds of tiers don't change. Derived amounts can exceed the bounds of a rate that a merchant enters.
 */
export const derivedRate = (rate: Rate, rateE8: bigint): Rate => ({
  ...withDerivedBounds(rate, rateE8),
  tiers: rate.tiers.map(({ upTo, amount, flat }) => ({
    upTo,
    amount: derivedAmount(amount, rateE8),
    flat: derivedAmount(flat, rateE8),
  })),
});

/**
 * Statement about a rate, as data for a sentence such as "$0.20 per million, first million free". Amounts are in
 * units of the asset. `above` is `null` if the range starts at 0, and `upTo` is `null` if the range has no end.
 */
export type RateClause =
  | {
      /** `price`: the amount for each `per` units. `flat`: an amount once. `free`: no charge. */
      readonly kind: 'price' | 'flat' | 'free';
      readonly above: Decimal | null;
      readonly upTo: Decimal | null;
      /** Amount of the charge. 0 if the kind is `free`. */
      readonly amount: Decimal;
      /** Number of units that the amount pays for. 1 unless the kind is `price`. */
      readonly per: bigint;
    }
  | { readonly kind: 'minimum' | 'maximum'; readonly amount: Decimal };

/**
 * Returns the statements that describe a rate: prices by tier, then free tiers, then the minimum and the maximum. The
 * wording also depends on the model. For example, a price of `package` is per package, and partial packages are charged
 * in full.
 */
export function describeRate({ model, per, tiers, minimum, maximum }: Rate): {
  readonly model: ModelName;
  readonly clauses: readonly RateClause[];
} {
  const clauses = tiers.flatMap(({ upTo, amount, flat }, index): RateClause[] => {
    const range = { above: tiers[index - 1]?.upTo ?? null, upTo };
    const priced = [
      ...(amount.units > 0n ? [{ kind: 'price', ...range, amount, per } as const] : []),
      ...(flat.units > 0n ? [{ kind: 'flat', ...range, amount: flat, per: 1n } as const] : []),
    ];
    return priced.length > 0 ? priced : [{ kind: 'free', ...range, amount, per: 1n }];
  });
  return {
    model,
    clauses: [
      ...clauses.filter(({ kind }) => kind !== 'free'),
      ...clauses.filter(({ kind }) => kind === 'free'),
      ...(minimum === null ? [] : [{ kind: 'minimum', amount: minimum } as const]),
      ...(maximum === null ? [] : [{ kind: 'maximum', amount: maximum } as const]),
    ],
  };
}

/** Returns all amounts of a rate: amounts and flat amounts of the tiers, the minimum, and the maximum. */
export const amountsOf = ({ tiers, minimum, maximum }: Rate): readonly Decimal[] =>
  [...tiers.flatMap(({ amount, flat }) => [amount, flat]), minimum, maximum].filter(
    (amount) => amount !== null,
  );
