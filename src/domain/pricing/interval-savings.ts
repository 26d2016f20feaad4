// Calculates how much customers save with a plan's longer intervals.

import { divideRounded, maxOf } from '../money/money.ts';
import type { BillingInterval, RecurringInterval } from '../rows/enums.ts';

/** Price per interval in minor units. */
export type IntervalPrice = {
  readonly interval: BillingInterval;
  readonly priceMinor: bigint;
  readonly currency: string;
};

/** Number of intervals per year. */
const perYear: { readonly [interval in RecurringInterval]: bigint } = {
  weekly: 52n,
  monthly: 12n,
  quarterly: 4n,
  yearly: 1n,
};

const isRecurring = <P extends IntervalPrice>(price: P): price is P & { interval: RecurringInterval } =>
  price.interval !== 'one_time';

/**
 * Sorts the prices of a plan by interval, with one-time prices last. Adds the savings for each price, in minor units,
 * compared with paying for the same time at the shortest interval. The savings are 0 if the price isn't cheaper, is in
 * a different currency, or is one-time.
 */
export function withSavings<P extends IntervalPrice>(
  prices: readonly P[],
): (P & { readonly savingMinor: bigint })[] {
  const recurring = prices
    .filter(isRecurring)
    .sort((a, b) => Number(perYear[b.interval] - perYear[a.interval]));
  const [shortest] = recurring;
  const savingOf = ({ interval, priceMinor, currency }: (typeof recurring)[number]): bigint =>
    shortest === undefined || shortest.currency !== currency
      ? 0n
      : maxOf(
          divideRounded(shortest.priceMinor * perYear[shortest.interval], perYear[interval]) - priceMinor,
          0n,
        );
  return [
    ...recurring.map((price) => ({ ...price, savingMinor: savingOf(price) })),
    ...prices.filter((price) => !isRecurring(price)).map((price) => ({ ...price, savingMinor: 0n })),
  ];
}
