// The payload of each event of consumption, with exactly the fields receivers are promised. Amounts of credits and units are counts, of
// balances at rate scale.
import { type EventBody, shownCustomerId, stateChanged } from '../event-data.ts';
import { wireAmount } from '../money.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import type { CustomerRow, SubscriptionRow } from '../subscription/rows.ts';
import type { Meter } from './admission.ts';
import { type ConsumptionAlert, lowBound } from './alerts.ts';
import { creditsOf } from './pools.ts';
import type { UsageTerms } from './terms.ts';

/** Whose consumption is told of. */
export type Consumer = { readonly customer: CustomerRow; readonly subscription: SubscriptionRow };

const about = ({ customer, subscription }: Consumer) => ({ subscriptionId: subscription.id, customerId: shownCustomerId(customer) });

/** A usage event was accepted (CON-13). */
export const usageRecorded = (
  consumer: Consumer,
  feature: FeatureRow,
  event: { readonly id: string; readonly value: bigint; readonly ts: Date },
): EventBody => ({
  kind: 'usage.recorded',
  subscriptionId: consumer.subscription.id,
  data: {
    ...about(consumer),
    usageEventId: event.id,
    featureCode: feature.code,
    value: wireAmount(event.value),
    ts: event.ts.toISOString(),
  },
});

function alertData(
  alert: ConsumptionAlert,
  consumer: Consumer,
  feature: FeatureRow,
  terms: UsageTerms,
  { account, counter }: Meter,
): object {
  const quota = {
    featureCode: feature.code,
    currentUsage: wireAmount(counter.total),
    includedAmount: wireAmount(terms.includedAmount),
    periodStart: counter.windowStart.toISOString(),
  };
  const currency = consumer.subscription.currency;
  switch (alert) {
    case 'quota.threshold_reached':
      return quota;
    case 'quota.exceeded':
      return { ...quota, overageEnabled: terms.allowsOverage };
    case 'credits.low':
      return {
        remainingCredits: wireAmount(creditsOf(account)),
        thresholdCredits: wireAmount(lowBound(account.grantedCredits)),
        periodCredits: wireAmount(account.grantedCredits),
      };
    case 'credits.depleted':
      return { remainingCredits: 0 };
    case 'balance.low':
      return { currentBalance: wireAmount(account.balanceRate), thresholdBalance: wireAmount(lowBound(account.lastRefillRate)), currency };
    case 'balance.depleted':
      return { currentBalance: wireAmount(account.balanceRate), currency };
  }
}

/** An alert, and the change of state that comes with those that may end access (CON-57). `meter` is the one after the movement. */
export function alertEvents(
  alert: ConsumptionAlert,
  consumer: Consumer,
  feature: FeatureRow,
  terms: UsageTerms,
  meter: Meter,
): EventBody[] {
  const event: EventBody = {
    kind: alert,
    subscriptionId: consumer.subscription.id,
    data: { ...about(consumer), ...alertData(alert, consumer, feature, terms, meter) },
  };
  const state = (trigger: 'credits_depleted' | 'balance_depleted' | 'quota_exceeded') => [
    event,
    stateChanged(consumer.customer, consumer.subscription, trigger),
  ];
  if (alert === 'credits.depleted') return state('credits_depleted');
  if (alert === 'balance.depleted') return state('balance_depleted');
  return alert === 'quota.exceeded' && !terms.allowsOverage ? state('quota_exceeded') : [event];
}

/** Credits were granted: by a reset, or by hand (CON-19, CON-21). */
export const creditsGranted = (consumer: Consumer, credits: bigint, reason: 'period_reset' | 'manual_adjustment'): EventBody => ({
  kind: 'credits.granted',
  subscriptionId: consumer.subscription.id,
  data: { ...about(consumer), credits: wireAmount(credits), reason },
});

/** Credits of the plan were left at a reset and are gone (CON-19). */
export const creditsExpired = (consumer: Consumer, credits: bigint): EventBody => ({
  kind: 'credits.expired',
  subscriptionId: consumer.subscription.id,
  data: { ...about(consumer), expiredCredits: wireAmount(credits) },
});

/** The count of seats in force changed (CON-47). */
export const seatsUpdated = (consumer: Consumer, feature: FeatureRow, before: bigint, after: bigint): EventBody[] => [
  {
    kind: 'seats.updated',
    subscriptionId: consumer.subscription.id,
    data: { ...about(consumer), featureCode: feature.code, previousSeats: wireAmount(before), currentSeats: wireAmount(after) },
  },
  stateChanged(consumer.customer, consumer.subscription, 'seats_updated'),
];

/** The count of seats reached what is included (CON-47). */
export const seatsLimitReached = (consumer: Consumer, feature: FeatureRow, terms: UsageTerms, count: bigint): EventBody => ({
  kind: 'seats.limit_reached',
  subscriptionId: consumer.subscription.id,
  data: {
    ...about(consumer),
    featureCode: feature.code,
    currentSeats: wireAmount(count),
    includedSeats: wireAmount(terms.includedAmount),
  },
});
