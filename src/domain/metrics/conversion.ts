// Currency conversion with daily exchange rates (MET-30 to MET-34). A rate is the number of units of a
// currency per US dollar, in hundred-millionths.
import { divideRounded, minorPerUnit } from '../money/money.ts';
import { addToDay, type Day } from './range.ts';

/** Scale of exchange rates: a rate of 1 is stored as 100,000,000. */
export const fxScale = 100_000_000n;

/** Minimum and maximum rate: 0.0001 and 1,000,000 units per US dollar. */
export const fxBounds = { least: 10_000, most: 100_000_000_000_000 } as const;

/** Maximum age of an exchange rate in days (MET-31). */
export const oldestRateDays = 7;

/**
 * Sources of exchange rates. If several sources have a rate for a day, the first source in this list applies
 * (MET-31).
 */
const fxSources = ['manual', 'feed', 'settlement', 'plan'] as const;

export type FxSource = (typeof fxSources)[number];

/** Exchange rate of a currency on one day. */
export type DayRate = {
  readonly currency: string;
  readonly day: Day;
  readonly unitsPerUsd: bigint;
  readonly source: Exclude<FxSource, 'plan'>;
};

/**
 * Exchange rate of a plan, with its validity period in days. `to` is exclusive, and `null` if the rate still applies.
 */
export type PlanRate = {
  readonly currency: string;
  readonly unitsPerUsd: bigint;
  readonly from: Date;
  readonly to: Date | null;
};

/**
 * Exchange rate that applies on a day. If there is no rate for that day, an earlier rate applies, and `day` is the
 * day of that rate.
 */
export type EffectiveRate = { readonly day: Day; readonly unitsPerUsd: bigint; readonly source: FxSource };

/** Exchange rate that was requested but doesn't exist. */
export type MissingRate = { readonly currency: string; readonly day: Day };

/** Returns the rate that applies to a currency on a day. `null` if no rate applies. */
export type RateLookup = (currency: string, day: Day) => EffectiveRate | null;

/**
 * Returns the median of rates. For an even number of rates, returns the mean of the two middle rates, rounded
 * half up. `null` if there are no rates.
 */
export function medianRate(rates: readonly bigint[]): bigint | null {
  const sorted = rates.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : divideRounded(low + high, 2n);
}

/**
 * Calculates the exchange rate for a day from the charges that settled on that day. Both amounts must be
 * positive.
 */
export const settledRate = (amountMinor: bigint, usdMinor: bigint, currency: string): bigint =>
  divideRounded(amountMinor * fxScale * minorPerUnit('usd'), usdMinor * minorPerUnit(currency));

/**
 * Returns a function that looks up the rate for a day. Uses the first source with a rate on that day. Falls back to the
 * latest rate of the previous 7 days, then to the median of the plans' rates at the end of the day. The rate of US
 * dollars is always 1.
 */
export function rateLookup(days: readonly DayRate[], plans: readonly PlanRate[]): RateLookup {
  const best = new Map<string, DayRate>();
  for (const rate of days) {
    const key = `${rate.currency} ${rate.day}`;
    const known = best.get(key);
    if (known === undefined || fxSources.indexOf(rate.source) < fxSources.indexOf(known.source))
      best.set(key, rate);
  }
  const ofPlans = Map.groupBy(plans, ({ currency }) => currency);
  const found = new Map<string, EffectiveRate | null>();
  const find: RateLookup = (currency, day) => {
    for (let age = 0; age <= oldestRateDays; age++) {
      const rate = best.get(`${currency} ${addToDay(day, -age)}`);
      if (rate !== undefined) return rate;
    }
    const end = `${addToDay(day, 1)}T00:00:00.000Z`;
    const inForce = (ofPlans.get(currency) ?? []).filter(
      ({ from, to }) => from.toISOString() < end && (to === null || to.toISOString() >= end),
    );
    const unitsPerUsd = medianRate(inForce.map((plan) => plan.unitsPerUsd));
    return unitsPerUsd === null ? null : { day, unitsPerUsd, source: 'plan' };
  };
  return (currency, day) =>
    currency === 'usd'
      ? { day, unitsPerUsd: fxScale, source: 'manual' }
      : found.getOrInsertComputed(`${currency} ${day}`, () => find(currency, day));
}

/**
 * Converts amounts to one currency and records missing rates. If `constant` is set, that day's rates
 * apply to all days (MET-33). Rounds each amount once, half up (MET-34).
 */
export class Conversion {
  readonly currency: string;
  readonly #rates: RateLookup;
  readonly #constant: Day | null;
  readonly #missing = new Map<string, MissingRate>();

  constructor(currency: string, rates: RateLookup, constant: Day | null) {
    this.currency = currency;
    this.#rates = rates;
    this.#constant = constant;
  }

  /** Exchange rates that were requested but don't exist, sorted by day and currency. */
  get missing(): MissingRate[] {
    return [...this.#missing.values()].toSorted((a, b) =>
      `${a.day} ${a.currency}` < `${b.day} ${b.currency}` ? -1 : 1,
    );
  }

  #unitsOf(currency: string, day: Day): bigint | null {
    const rate = this.#rates(currency, this.#constant ?? day);
    if (rate === null) {
      const missing = { currency, day: this.#constant ?? day };
      this.#missing.set(`${missing.currency} ${missing.day}`, missing);
    }
    return rate?.unitsPerUsd ?? null;
  }

  #convert(amount: bigint, currency: string, day: Day, to: bigint, from: bigint): bigint | null {
    if (currency === this.currency || amount === 0n) return amount;
    const [source, target] = [this.#unitsOf(currency, day), this.#unitsOf(this.currency, day)];
    return source === null || target === null ? null : divideRounded(amount * target * to, source * from);
  }

  /** Converts minor units at a day's rates. `null` if a rate is missing. */
  minor(amount: bigint, currency: string, day: Day): bigint | null {
    return this.#convert(amount, currency, day, minorPerUnit(this.currency), minorPerUnit(currency));
  }

  /**
   * Converts an amount in ten-thousandths of the currency unit, using a day's rates. `null` if a rate is
   * missing.
   */
  rate(amount: bigint, currency: string, day: Day): bigint | null {
    return this.#convert(amount, currency, day, 1n, 1n);
  }
}
