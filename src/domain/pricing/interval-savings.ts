// What a longer interval of a plan saves.
import type { BillingInterval, RecurringInterval } from '../enums.ts';
import { divideRounded, maxOf } from '../money.ts';

/** What an interval costs, minor units of the currency. */
export type IntervalPrice = {
  readonly interval: BillingInterval;
  readonly priceMinor: bigint;
  readonly currency: string;
};

/** How many of each interval a year has. */
const perYear: { readonly [interval in RecurringInterval]: bigint } = {
  weekly: 52n,
  monthly: 12n,
  quarterly: 4n,
  yearly: 1n,
};

const isRecurring = <P extends IntervalPrice>(price: P): price is P & { interval: RecurringInterval } =>
  price.interval !== 'one_time';

/**
 * The prices of a plan, the shortest interval first and what is paid once last, each with what it saves against the same time of the
 * shortest interval, minor units: 0 where it saves nothing, is in another currency or is paid once.
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
