// What the payer of an open checkout can choose: the interval of the plan, and its seats.
import type { BillingInterval } from '../../enums.ts';
import { withSavings } from '../../pricing/interval-savings.ts';
import { priceAt } from '../../pricing/resolve.ts';
import { heldFeatures, inCurrency } from '../../pricing/terms.ts';
import { isCurrencyFixed } from '../invoicing/checkout-pricing.ts';
import type { Aggregate } from '../state/aggregate.ts';
import type { SubscriptionRow } from '../state/rows.ts';

/** An interval the plan is sold in. */
export type IntervalChoice = {
  readonly billingInterval: BillingInterval;
  /** What an interval costs, minor units of the checkout's currency. */
  readonly priceMinor: bigint;
  /** What it saves against the same time of the shortest interval, minor units; 0 for none. */
  readonly savingMinor: bigint;
};

/** A feature that is sold by the seat. */
export type SeatChoice = {
  readonly featureCode: string;
  readonly featureName: string;
  readonly count: bigint;
  readonly included: bigint;
  /** The most seats; null for any number. */
  readonly maximum: bigint | null;
  /** Per seat beyond the included ones and interval, at rate scale; null where none is sold in the currency. */
  readonly unitPriceRate: bigint | null;
};

/**
 * The intervals of the plan of a checkout that have a price in its market and currency, the shortest first. Only that of the checkout, where
 * its price was chosen by name or is settled.
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

/** The features of the plan of a checkout that are sold by the seat, by code. */
export function seatChoices(
  { catalog }: Pick<Aggregate, 'catalog'>,
  { planId, currency, initialSeats }: SubscriptionRow,
  now: Date,
): SeatChoice[] {
  const held = heldFeatures(catalog, planId, now, now).filter(
    ({ feature, terms }) => feature.type === 'seats' && terms.enabled,
  );
  return inCurrency(catalog, held, { planId, currency, termsFrom: now, at: now }).map(
    ({ feature, terms }) => ({
      featureCode: feature.code,
      featureName: feature.name,
      count: BigInt(initialSeats[feature.code] ?? 0),
      included: terms.includedAmount,
      maximum: terms.unlimited || terms.overageEnabled ? null : terms.includedAmount,
      unitPriceRate: terms.overageEnabled ? terms.unitPriceRate : null,
    }),
  );
}
