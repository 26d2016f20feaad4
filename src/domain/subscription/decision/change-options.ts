// Plan changes available to a customer, with their cost. Each option is computed with the same decision as a
// real change, and the decision is then discarded (PLT-31, SUB-37).

import type { PlanRow } from '../../pricing/catalog.ts';
import type { BillingInterval } from '../../rows/enums.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { type ChangeRequest, type ChangeTarget, changeTarget } from '../plan-change/change-target.ts';
import type { Aggregate, DecisionDeps } from '../state/aggregate.ts';
import { Draft } from '../state/draft.ts';
import { decide } from './decide.ts';

export type ChangeOption = {
  readonly plan: PlanRow;
  /** Billing interval on the new plan. `null` if the plan is free. */
  readonly billingInterval: BillingInterval | null;
  readonly currency: string;
  /** Price per interval in minor units. 0 for free plans. */
  readonly priceMinor: bigint;
  readonly direction: ChangeTarget['direction'];
  /**
   * Amount charged before the change takes effect, including tax, in minor units. 0 for a scheduled change.
   */
  readonly dueMinor: bigint;
  /**
   * Time at which the change takes effect: now for immediate changes and changes paid at a checkout,
   * otherwise the end of the period or trial.
   */
  readonly effectiveAt: Date;
};

/**
 * Returns the requested changes that the customer could make now, in the given order. Omits changes whose
 * charge would be rejected, for example because the new plan doesn't allow the current number of seats.
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

/** Returns the total of the invoice for an immediate change. `null` if the change would be rejected. */
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
