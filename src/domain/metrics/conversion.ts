// Exchange rates by day, and amounts converted by them (MET-30 to MET-34). A rate says how many units of a currency are worth one US dollar, in
// hundred-millionths.
import { divideRounded, minorPerUnit } from '../money.ts';
import { addToDay, type Day } from './range.ts';

/** Hundred-millionths in a rate of 1. */
export const fxScale = 100_000_000n;

/** The least and the greatest rate: 0.0001 and 1 000 000 units for one US dollar. */
export const fxBounds = { least: 10_000, most: 100_000_000_000_000 } as const;

/** How many days old the rate of a day without one may be (MET-31). */
export const oldestRateDays = 7;

/** Where a rate comes from; the first of them that has a day counts (MET-31). */
export const fxSources = ['manual', 'feed', 'settlement', 'plan'] as const;

/** Where a rate comes from. */
export type FxSource = (typeof fxSources)[number];

/** A rate of one day. */
export type DayRate = {
  readonly currency: string;
  readonly day: Day;
  readonly unitsPerUsd: bigint;
  readonly source: Exclude<FxSource, 'plan'>;
};

/** A plan's exchange rate and the instants it is in force, the end excluded; null while it has none. */
export type PlanRate = {
  readonly currency: string;
  readonly unitsPerUsd: bigint;
  readonly from: Date;
  readonly to: Date | null;
};

/** The rate that counts on a day: its own day may be earlier. */
export type EffectiveRate = { readonly day: Day; readonly unitsPerUsd: bigint; readonly source: FxSource };

/** A currency without a rate on a day. */
export type MissingRate = { readonly currency: string; readonly day: Day };

/** The rate that counts for a currency on a day; null without one. */
export type RateLookup = (currency: string, day: Day) => EffectiveRate | null;

/** The middle of some rates; the mean of the middle two, rounded half up, where their number is even. Null without any. */
export function medianRate(rates: readonly bigint[]): bigint | null {
  const sorted = rates.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : divideRounded(low + high, 2n);
}

/** The rate of one US dollar from what a day's charges brought: minor units of the currency for US cents, both above 0. */
export const settledRate = (amountMinor: bigint, usdMinor: bigint, currency: string): bigint =>
  divideRounded(amountMinor * fxScale * minorPerUnit('usd'), usdMinor * minorPerUnit(currency));

/**
 * Finds rates by day. A day has the first source that has it, else the latest day at most seven days older. Where none of these has one, the
 * median of the plans' rates in force at the end of the day counts. US dollars always have the rate 1.
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
 * Converts amounts into one currency and notes the rates it lacks. With `constant`, the rates of that day count for all days (MET-33). Each amount is
 * rounded once, half up (MET-34).
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

  /** The rates that were asked for and do not exist, by day and currency. */
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

  /** Minor units of a currency as minor units of this one, at the rates of a day; null where a rate is missing. */
  minor(amount: bigint, currency: string, day: Day): bigint | null {
    return this.#convert(amount, currency, day, minorPerUnit(this.currency), minorPerUnit(currency));
  }

  /** The same for amounts in rate scale. */
  rate(amount: bigint, currency: string, day: Day): bigint | null {
    return this.#convert(amount, currency, day, 1n, 1n);
  }
}
