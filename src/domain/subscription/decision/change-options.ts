// The plan changes a customer could make, with their cost. Each is the real decision, not applied (PLT-31,
// SUB-37).

import type { BillingInterval } from '../../enums.ts';
import type { PlanRow } from '../../pricing/catalog.ts';
import { type ChangeRequest, type ChangeTarget, changeTarget } from '../plan-change/change-target.ts';
import type { Aggregate, DecisionDeps } from '../state/aggregate.ts';
import { Draft } from '../state/draft.ts';
import type { SubscriptionRow } from '../state/rows.ts';
import { decide } from './decide.ts';

/** A plan and interval that can be moved to. */
export type ChangeOption = {
  readonly plan: PlanRow;
  /** Null on free plans. */
  readonly billingInterval: BillingInterval | null;
  readonly currency: string;
  /** What an interval costs, minor units; 0 on free plans. */
  readonly priceMinor: bigint;
  readonly direction: ChangeTarget['direction'];
  /**
   * What is charged before it takes effect, tax included, minor units; 0 where it waits for the end of the
   * period.
   */
  readonly dueMinor: bigint;
  /** When it takes effect: now, also where a checkout is paid first, else the end of the period or trial. */
  readonly effectiveAt: Date;
};

/**
 * The requested moves that a customer could make now, in the given order; none while no change is possible. A
 * move whose charge alone would be rejected, such as for seats that do not fit, is left out.
 */
export function changeOptions(
  aggregate: Aggregate,
  { subscriptionId, now }: { readonly subscriptionId: string; readonly now: Date },
  requests: readonly ChangeRequest[],
  deps: DecisionDeps,
): ChangeOption[] {
  const draft = new Draft(aggregate, { dueAt: now, now }, deps);
  const subscription = draft.subscriptions.find(subscriptionId);
  if (subscription === null) return [];
  return requests.flatMap((request) => {
    const target = changeTarget(draft, subscription, request);
    if (target === 'same' || 'code' in target) return [];
    const dueMinor =
      target.direction === 'scheduled' ? 0n : dueFor(aggregate, subscription, request, now, deps);
    return dueMinor === null ? [] : [option(subscription, target, dueMinor, now)];
  });
}

const option = (
  subscription: SubscriptionRow,
  { plan, price, direction }: ChangeTarget,
  dueMinor: bigint,
  now: Date,
): ChangeOption => ({
  plan,
  billingInterval: price?.price.billingInterval ?? null,
  currency: price?.currency ?? subscription.currency,
  priceMinor: price?.amountMinor ?? 0n,
  direction,
  dueMinor,
  effectiveAt: direction === 'scheduled' ? (subscription.periodEnd ?? now) : now,
});

/** The total of the invoice a move at once would be charged by; null where it would be rejected. */
function dueFor(
  aggregate: Aggregate,
  { id }: SubscriptionRow,
  request: ChangeRequest,
  now: Date,
  deps: DecisionDeps,
): bigint | null {
  const command = {
    kind: 'subscription.change_plan',
    dueAt: now,
    now,
    subscriptionId: id,
    request,
    successUrl: null,
  } as const;
  const { outcome, changes } = decide(aggregate, command, deps);
  if (outcome.kind !== 'ok') return null;
  const issued = [...changes.invoices.values()].find(({ flag }) => flag === 'new');
  return issued?.row.total ?? 0n;
}
