// Interval and seats that the payer of an open checkout can choose.

import { minOf } from '../../money/money.ts';
import { withSavings } from '../../pricing/interval-savings.ts';
import { priceAt } from '../../pricing/resolve.ts';
import { heldFeatures, inPlace } from '../../pricing/terms.ts';
import type { HeldRate } from '../../rates/held.ts';
import type { BillingInterval } from '../../rows/enums.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { isCurrencyFixed } from '../invoicing/checkout-pricing.ts';
import type { Aggregate } from '../state/aggregate.ts';

export type IntervalChoice = {
  readonly billingInterval: BillingInterval;
  /** Price per interval, in minor units of the checkout's currency. */
  readonly priceMinor: bigint;
  /**
   * Saving compared to paying for the same time at the shortest interval, in minor units. 0 if there is no
   * saving.
   */
  readonly savingMinor: bigint;
};

/** Maximum number of seats of a feature that a customer can choose at the checkout (SUB-13a). */
export const maxChosenSeats = 1_000_000;

export type SeatChoice = {
  readonly featureCode: string;
  readonly featureName: string;
  readonly count: bigint;
  readonly included: bigint;
  readonly maximum: bigint;
  /** Price of additional seats per interval. `null` if additional seats aren't available in the currency. */
  readonly rates: HeldRate | null;
};

/**
 * Returns the intervals of the checkout's plan with a price in its market and currency, shortest first.
 * Returns only the current interval if the price was selected by ID or can't change.
 */
export function intervalChoices(
  { catalog }: Pick<Aggregate, 'catalog'>,
  subscription: SubscriptionRow,
  now: Date,
): IntervalChoice[] {
  const { planId, priceId, selection, marketId: market, currency } = subscription;
  const isSettled = selection.priceId !== null || isCurrencyFixed(subscription);
  const rows = (catalog.pricesOfPlan.get(planId) ?? []).filter((row) =>
    isSettled ? row.id === priceId : row.archivedAt === null && row.inheritsFromPriceId === null,
  );
  const priced = rows.flatMap((row) => {
    const price = priceAt(catalog, row, now, { market, currency });
    return 'failure' in price
      ? []
      : [{ interval: row.billingInterval, priceMinor: price.amountMinor, currency }];
  });
  return withSavings(priced).map(({ interval, priceMinor, savingMinor }) => ({
    billingInterval: interval,
    priceMinor,
    savingMinor,
  }));
}

/** Returns the seat features of the checkout's plan that sell additional seats, sorted by code. */
export function seatChoices(
  { catalog }: Pick<Aggregate, 'catalog'>,
  { planId, currency, marketId, initialSeats }: SubscriptionRow,
  now: Date,
): SeatChoice[] {
  const held = heldFeatures(catalog, planId, now, now).filter(
    ({ feature, terms }) => feature.type === 'seats' && terms.enabled,
  );
  return inPlace(catalog, held, { planId, currency, marketId, termsFrom: now, at: now }).map(
    ({ feature, terms }) => ({
      featureCode: feature.code,
      featureName: feature.name,
      count: BigInt(initialSeats[feature.code] ?? 0),
      included: terms.includedAmount,
      maximum:
        terms.unlimited || terms.overageEnabled
          ? BigInt(maxChosenSeats)
          : minOf(terms.includedAmount, BigInt(maxChosenSeats)),
      rates: terms.overageEnabled ? terms.rates : null,
    }),
  );
}
