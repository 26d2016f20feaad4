// Usage event payloads. The documentation lists every field, so don't add fields. Credits and units are
// counts; balances are at rate scale.
import { type EventBody, shownCustomerId, shownNumber } from '../events/event-data.ts';
import type { EventKind } from '../events/events.ts';
import { stateChanged } from '../events/subscription-events.ts';
import type { EventHold } from '../holds/hold.ts';
import { type Account, amountOf, amountsIn } from '../lots/account.ts';
import { minorToRate, wireAmount } from '../money/money.ts';
import type { AddonRow, FeatureRow } from '../pricing/catalog.ts';
import { creditsPool, type Pool } from '../pricing/pools.ts';
import type { CreditsPurchase, InvoiceRow } from '../rows/rows.ts';
import type {
  ConsumingCustomer,
  ConsumingSubscription,
  LotRow,
  UsageCorrectionRow,
} from '../rows/usage-rows.ts';
import type { ConsumptionAlert, Meter } from './admission.ts';
import { shownUnits } from './metered-terms.ts';
import { type PoolEvent, reachesIncluded, tenthOf } from './system-limits.ts';
import type { UsageTerms } from './terms.ts';

export type Consumer = { readonly customer: ConsumingCustomer; readonly subscription: ConsumingSubscription };

/** Owner of a lot. `subscription` is `null` if the customer owns the lot. */
type LotOwner = Omit<Consumer, 'subscription'> & { readonly subscription: ConsumingSubscription | null };

const about = ({ customer, subscription }: Consumer) => ({
  subscriptionId: subscription.id,
  customerId: shownCustomerId(customer),
});

const consumerEvent = (kind: EventKind, consumer: Consumer, data: object): EventBody => ({
  kind,
  subscriptionId: consumer.subscription.id,
  data: { ...about(consumer), ...data },
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
): EventBody =>
  consumerEvent('usage.corrected', consumer, {
    correctionId: correction.id,
    kind: correction.kind,
    usageEventId: correction.usageEventId,
    replacementId: correction.replacementId,
    featureCode: feature.code,
    difference: wireAmount(correction.difference),
    deducted: correction.deducted === null ? null : wireAmount(correction.deducted),
    waived: correction.waived === null ? null : wireAmount(correction.waived),
    amount: correction.amountMinor === null ? null : wireAmount(correction.amountMinor),
  });

/** Returns the event for a usage window in which combinations of dimension values are folded (PRM-12). */
export const dimensionsFull = (consumer: Consumer, feature: FeatureRow, windowStart: Date): EventBody =>
  consumerEvent('meter.dimensions_full', consumer, {
    featureCode: feature.code,
    windowStart: windowStart.toISOString(),
  });

/** Returns the event for a usage window whose usage was counted again with more dimensions (PRM-123). */
export const meterRecounted = (
  consumer: Consumer,
  feature: FeatureRow,
  windowStart: Date,
  dimensions: readonly string[],
): EventBody =>
  consumerEvent('meter.recounted', consumer, {
    featureCode: feature.code,
    windowStart: windowStart.toISOString(),
    dimensions,
  });

/** Returns the code of a custom unit for an event. Events about credits don't contain it. */
const aboutPool = (pool: Pool): { asset?: string } => (pool === creditsPool ? {} : { asset: pool });

/** Triggers of the state change events that follow events about system limits. */
const triggers: Partial<Record<ConsumptionAlert, Parameters<typeof stateChanged>[2]>> = {
  'credits.depleted': 'credits_depleted',
  'balance.depleted': 'balance_depleted',
  'quota.exceeded': 'quota_exceeded',
};

/** Returns the event for a crossed system limit, and a state change event if access may end (CON-57). */
function crossedEvents(
  alert: ConsumptionAlert,
  consumer: Consumer,
  data: object,
  canEnd = true,
): EventBody[] {
  const { customer, subscription } = consumer;
  const event = consumerEvent(alert, consumer, data);
  const trigger = canEnd ? triggers[alert] : undefined;
  return trigger === undefined ? [event] : [event, stateChanged(customer, subscription, trigger)];
}

/** Returns the events for an alert about a pool. `account` is the account after the change. */
export function poolAlertEvents(
  alert: PoolEvent,
  consumer: Consumer,
  account: Account,
  pool: Pool,
): EventBody[] {
  const { granted, lastRefill } = amountsIn(account, pool);
  const amount = wireAmount(amountOf(account, pool));
  const { currency } = consumer.subscription;
  const low = { thresholdCredits: wireAmount(tenthOf(granted)), periodCredits: wireAmount(granted) };
  const data = {
    'credits.low': { remainingCredits: amount, ...low, ...aboutPool(pool) },
    'credits.depleted': { remainingCredits: amount, ...aboutPool(pool) },
    'balance.low': {
      currentBalance: amount,
      thresholdBalance: wireAmount(tenthOf(lastRefill)),
      currency,
    },
    'balance.depleted': { currentBalance: amount, currency },
  }[alert];
  return crossedEvents(alert, consumer, data);
}

/** Returns the events for a usage alert. `meter` contains the account and counter after the change. */
export function alertEvents(
  alert: ConsumptionAlert,
  consumer: Consumer,
  feature: FeatureRow,
  terms: UsageTerms,
  { account, counter }: Meter,
): EventBody[] {
  if (alert !== 'quota.exceeded' && alert !== 'quota.threshold_reached')
    return poolAlertEvents(alert, consumer, account, terms.pool?.pool ?? creditsPool);
  const { allowsOverage } = terms;
  const quota = {
    featureCode: feature.code,
    currentUsage: wireAmount(shownUnits(terms, counter.total)),
    includedAmount: wireAmount(shownUnits(terms, terms.includedAmount)),
    periodStart: counter.windowStart.toISOString(),
  };
  const data = alert === 'quota.exceeded' ? { ...quota, overageEnabled: allowsOverage } : quota;
  return crossedEvents(alert, consumer, data, !allowsOverage);
}

/** Returns the event for units granted by a reset or by a manual adjustment (CON-19, CON-21). */
export const creditsGranted = (
  consumer: Consumer,
  pool: Pool,
  credits: bigint,
  reason: 'period_reset' | 'manual_adjustment',
): EventBody =>
  consumerEvent('credits.granted', consumer, { credits: wireAmount(credits), reason, ...aboutPool(pool) });

const aboutInvoice = (invoice: InvoiceRow) => ({
  invoiceId: invoice.id,
  invoiceNumber: shownNumber(invoice),
});

/** Returns the event for a paid credit pack (CON-20). */
export const creditsPurchased = (
  consumer: Consumer,
  invoice: InvoiceRow,
  { creditPackName, credits, asset = creditsPool }: CreditsPurchase,
): EventBody =>
  consumerEvent('credits.purchased', consumer, {
    ...aboutInvoice(invoice),
    creditPackName,
    credits,
    ...aboutPool(asset),
  });

/** Returns the event for a paid top-up. The amount is at rate scale (CON-25). */
export const balanceToppedUp = (consumer: Consumer, invoice: InvoiceRow, amountRate: bigint): EventBody =>
  consumerEvent('balance.topped_up', consumer, {
    ...aboutInvoice(invoice),
    amount: wireAmount(amountRate),
    currency: invoice.currency,
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
export const creditsExpired = (consumer: Consumer, pool: Pool, credits: bigint): EventBody =>
  consumerEvent('credits.expired', consumer, { expiredCredits: wireAmount(credits), ...aboutPool(pool) });

/** Returns the events for a changed number of seats. `terms` is `null` if the plan no longer includes the feature (CON-47). */
export const seatsUpdated = (
  consumer: Consumer,
  feature: FeatureRow,
  terms: UsageTerms | null,
  before: bigint,
  after: bigint,
): EventBody[] => {
  const { code: featureCode } = feature;
  const [previousSeats, currentSeats] = [wireAmount(before), wireAmount(after)];
  const updated = [
    consumerEvent('seats.updated', consumer, { featureCode, previousSeats, currentSeats }),
    stateChanged(consumer.customer, consumer.subscription, 'seats_updated'),
  ];
  if (terms === null || !reachesIncluded(terms, before, after)) return updated;
  const includedSeats = wireAmount(terms.includedAmount);
  return [
    ...updated,
    consumerEvent('seats.limit_reached', consumer, { featureCode, currentSeats, includedSeats }),
  ];
};
