// Usage event payloads. The documentation lists every field, so don't add fields. Credits and units are
// counts; balances are at rate scale.
import { type EventBody, shownCustomerId, shownNumber } from '../events/event-data.ts';
import { stateChanged } from '../events/subscription-events.ts';
import type { EventHold } from '../holds/hold.ts';
import { type Account, amountOf, amountsIn, balanceOf } from '../lots/account.ts';
import { minorToRate, wireAmount } from '../money/money.ts';
import type { AddonRow, FeatureRow } from '../pricing/catalog.ts';
import { creditsPool, moneyPool, type Pool } from '../pricing/pools.ts';
import type { CreditsPurchase, InvoiceRow } from '../rows/rows.ts';
import type {
  ConsumingCustomer,
  ConsumingSubscription,
  LotRow,
  UsageCorrectionRow,
  UsageCounterRow,
} from '../rows/usage-rows.ts';
import type { Meter } from './admission.ts';
import { type ConsumptionAlert, lowBound, type PoolAlert } from './alerts.ts';
import { shownUnits } from './metered-terms.ts';
import type { UsageTerms } from './terms.ts';

export type Consumer = { readonly customer: ConsumingCustomer; readonly subscription: ConsumingSubscription };

/** Owner of a lot. `subscription` is `null` if the customer owns the lot. */
type LotOwner = Omit<Consumer, 'subscription'> & { readonly subscription: ConsumingSubscription | null };

const about = ({ customer, subscription }: Consumer) => ({
  subscriptionId: subscription.id,
  customerId: shownCustomerId(customer),
});

/** Returns the hold that an event settles. Empty if the event settles no hold. */
const aboutHold = (hold: EventHold | null): object => {
  if (hold === null) return {};
  const { id: settled, isLate, uncounted } = hold;
  return { hold: settled, isLate, ...(uncounted === undefined ? {} : { uncounted }) };
};

export const usageRecorded = (
  consumer: Consumer,
  feature: FeatureRow,
  event: { readonly id: string; readonly value: bigint; readonly ts: Date; readonly hold: EventHold | null },
): EventBody => ({
  kind: 'usage.recorded',
  subscriptionId: consumer.subscription.id,
  data: {
    ...about(consumer),
    usageEventId: event.id,
    featureCode: feature.code,
    value: wireAmount(event.value),
    ts: event.ts.toISOString(),
    ...aboutHold(event.hold),
  },
});

/** Returns the event for a corrected usage event (PRM-126). Amounts are in credits, or at rate scale. */
export const usageCorrected = (
  consumer: Consumer,
  feature: FeatureRow,
  correction: UsageCorrectionRow,
): EventBody => ({
  kind: 'usage.corrected',
  subscriptionId: consumer.subscription.id,
  data: {
    ...about(consumer),
    correctionId: correction.id,
    kind: correction.kind,
    usageEventId: correction.usageEventId,
    replacementId: correction.replacementId,
    featureCode: feature.code,
    difference: wireAmount(correction.difference),
    deducted: correction.deducted === null ? null : wireAmount(correction.deducted),
    waived: correction.waived === null ? null : wireAmount(correction.waived),
    amount: correction.amountMinor === null ? null : wireAmount(correction.amountMinor),
  },
});

/** Returns the event for a usage window in which combinations of dimension values are folded (PRM-12). */
export const dimensionsFull = (consumer: Consumer, feature: FeatureRow, windowStart: Date): EventBody => ({
  kind: 'meter.dimensions_full',
  subscriptionId: consumer.subscription.id,
  data: { ...about(consumer), featureCode: feature.code, windowStart: windowStart.toISOString() },
});

/** Returns the event for a usage window whose usage was counted again with more dimensions (PRM-123). */
export const meterRecounted = (
  consumer: Consumer,
  feature: FeatureRow,
  windowStart: Date,
  dimensions: readonly string[],
): EventBody => ({
  kind: 'meter.recounted',
  subscriptionId: consumer.subscription.id,
  data: {
    ...about(consumer),
    featureCode: feature.code,
    windowStart: windowStart.toISOString(),
    dimensions,
  },
});

type QuotaAlert = Exclude<ConsumptionAlert, PoolAlert>;

const isPoolAlert = (alert: ConsumptionAlert): alert is PoolAlert =>
  alert.startsWith('credits.') || alert.startsWith('balance.');

/** Returns the code of a custom unit for an event. Events about credits don't contain it. */
const aboutPool = (pool: Pool): { asset?: string } => (pool === creditsPool ? {} : { asset: pool });

function poolData(alert: PoolAlert, account: Account, pool: Pool, currency: string): object {
  switch (alert) {
    case 'credits.low': {
      const { granted } = amountsIn(account, pool);
      return {
        remainingCredits: wireAmount(amountOf(account, pool)),
        thresholdCredits: wireAmount(lowBound(granted)),
        periodCredits: wireAmount(granted),
        ...aboutPool(pool),
      };
    }
    case 'credits.depleted':
      return { remainingCredits: wireAmount(amountOf(account, pool)), ...aboutPool(pool) };
    case 'balance.low':
      return {
        currentBalance: wireAmount(balanceOf(account)),
        thresholdBalance: wireAmount(lowBound(amountsIn(account, moneyPool).lastRefill)),
        currency,
      };
    case 'balance.depleted':
      return { currentBalance: wireAmount(balanceOf(account)), currency };
  }
}

function quotaData(
  alert: QuotaAlert,
  feature: FeatureRow,
  terms: UsageTerms,
  counter: UsageCounterRow,
): object {
  const quota = {
    featureCode: feature.code,
    currentUsage: wireAmount(shownUnits(terms, counter.total)),
    includedAmount: wireAmount(shownUnits(terms, terms.includedAmount)),
    periodStart: counter.windowStart.toISOString(),
  };
  return alert === 'quota.exceeded' ? { ...quota, overageEnabled: terms.allowsOverage } : quota;
}

const alertBody = (alert: ConsumptionAlert, consumer: Consumer, data: object): EventBody => ({
  kind: alert,
  subscriptionId: consumer.subscription.id,
  data: { ...about(consumer), ...data },
});

/**
 * Returns the events for an alert about a pool. Includes a state change event if nothing is left (CON-57). `account` is the
 * account after the change.
 */
export function poolAlertEvents(
  alert: PoolAlert,
  consumer: Consumer,
  account: Account,
  pool: Pool,
): EventBody[] {
  const event = alertBody(alert, consumer, poolData(alert, account, pool, consumer.subscription.currency));
  const trigger = { 'credits.depleted': 'credits_depleted', 'balance.depleted': 'balance_depleted' } as const;
  if (alert === 'credits.low' || alert === 'balance.low') return [event];
  return [event, stateChanged(consumer.customer, consumer.subscription, trigger[alert])];
}

/**
 * Returns the events for a usage alert. Includes a state change event if access may end (CON-57). `meter`
 * contains the account and counter after the change.
 */
export function alertEvents(
  alert: ConsumptionAlert,
  consumer: Consumer,
  feature: FeatureRow,
  terms: UsageTerms,
  { account, counter }: Meter,
): EventBody[] {
  if (isPoolAlert(alert)) return poolAlertEvents(alert, consumer, account, terms.pool?.pool ?? creditsPool);
  const event = alertBody(alert, consumer, quotaData(alert, feature, terms, counter));
  const isHard = alert === 'quota.exceeded' && !terms.allowsOverage;
  return isHard ? [event, stateChanged(consumer.customer, consumer.subscription, 'quota_exceeded')] : [event];
}

/** Returns the event for units granted by a reset or by a manual adjustment (CON-19, CON-21). */
export const creditsGranted = (
  consumer: Consumer,
  pool: Pool,
  credits: bigint,
  reason: 'period_reset' | 'manual_adjustment',
): EventBody => ({
  kind: 'credits.granted',
  subscriptionId: consumer.subscription.id,
  data: { ...about(consumer), credits: wireAmount(credits), reason, ...aboutPool(pool) },
});

const aboutInvoice = (invoice: InvoiceRow) => ({
  invoiceId: invoice.id,
  invoiceNumber: shownNumber(invoice),
});

/** Returns the event for a paid credit pack (CON-20). */
export const creditsPurchased = (
  consumer: Consumer,
  invoice: InvoiceRow,
  { creditPackName, credits, asset = creditsPool }: CreditsPurchase,
): EventBody => ({
  kind: 'credits.purchased',
  subscriptionId: consumer.subscription.id,
  data: { ...about(consumer), ...aboutInvoice(invoice), creditPackName, credits, ...aboutPool(asset) },
});

/** Returns the event for a paid top-up. The amount is at rate scale (CON-25). */
export const balanceToppedUp = (consumer: Consumer, invoice: InvoiceRow, amountRate: bigint): EventBody => ({
  kind: 'balance.topped_up',
  subscriptionId: consumer.subscription.id,
  data: {
    ...about(consumer),
    ...aboutInvoice(invoice),
    amount: wireAmount(amountRate),
    currency: invoice.currency,
  },
});

/**
 * Returns the event for a lot that was granted, expires soon, expired (PRM-21), or was refunded (PRM-23). `amount` is
 * the affected amount. `subscription` is `null` if the lot is a customer credit. Amounts of credits can
 * exceed the integers that JSON numbers represent exactly.
 */
export const lotEvent = (
  kind: 'lot.granted' | 'lot.expiring' | 'lot.expired' | 'lot.refunded',
  { customer, subscription }: LotOwner,
  { id, asset, source, expiresAt }: LotRow,
  amount: bigint,
): EventBody => ({
  kind,
  subscriptionId: subscription?.id ?? null,
  data: {
    subscriptionId: subscription?.id ?? null,
    customerId: shownCustomerId(customer),
    lotId: id,
    asset,
    source,
    amount: subscription === null ? Number(amount) : wireAmount(amount),
    expiresAt: expiresAt?.toISOString() ?? null,
  },
});

const aboutAddon = (consumer: Consumer, { id, name }: AddonRow, feature: FeatureRow) => ({
  ...about(consumer),
  addon: { id, name },
  featureCode: feature.code,
});

/**
 * Returns the events for an add-on that was added. The charge is in minor units before tax, or 0 if the
 * add-on isn't charged (SUB-71).
 */
export const addonActivated = (
  consumer: Consumer,
  addon: AddonRow,
  feature: FeatureRow,
  proratedMinor: bigint,
): EventBody[] => {
  const { currency } = consumer.subscription;
  const proratedPrice = wireAmount(minorToRate(proratedMinor, currency));
  return [
    {
      kind: 'addon.activated',
      subscriptionId: consumer.subscription.id,
      data: { ...aboutAddon(consumer, addon, feature), proratedPrice, currency },
    },
    stateChanged(consumer.customer, consumer.subscription, 'addon_activated'),
  ];
};

export const addonDeactivated = (consumer: Consumer, addon: AddonRow, feature: FeatureRow): EventBody[] => [
  {
    kind: 'addon.deactivated',
    subscriptionId: consumer.subscription.id,
    data: aboutAddon(consumer, addon, feature),
  },
  stateChanged(consumer.customer, consumer.subscription, 'addon_deactivated'),
];

/** Returns the event for units of the plan that expired at a reset (CON-19). */
export const creditsExpired = (consumer: Consumer, pool: Pool, credits: bigint): EventBody => ({
  kind: 'credits.expired',
  subscriptionId: consumer.subscription.id,
  data: { ...about(consumer), expiredCredits: wireAmount(credits), ...aboutPool(pool) },
});

export const seatsUpdated = (
  consumer: Consumer,
  feature: FeatureRow,
  before: bigint,
  after: bigint,
): EventBody[] => [
  {
    kind: 'seats.updated',
    subscriptionId: consumer.subscription.id,
    data: {
      ...about(consumer),
      featureCode: feature.code,
      previousSeats: wireAmount(before),
      currentSeats: wireAmount(after),
    },
  },
  stateChanged(consumer.customer, consumer.subscription, 'seats_updated'),
];

/** Returns the event for a seat count that reached the number of included seats (CON-47). */
export const seatsLimitReached = (
  consumer: Consumer,
  feature: FeatureRow,
  terms: UsageTerms,
  count: bigint,
): EventBody => ({
  kind: 'seats.limit_reached',
  subscriptionId: consumer.subscription.id,
  data: {
    ...about(consumer),
    featureCode: feature.code,
    currentSeats: wireAmount(count),
    includedSeats: wireAmount(terms.includedAmount),
  },
});
