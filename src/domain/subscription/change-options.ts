// What a customer could move to, and what each move would cost: the very decisions that would be made, not applied (PLT-31, SUB-37).
import type { PlanRow } from '../pricing/catalog.ts';
import type { BillingInterval } from '../words.ts';
import type { Aggregate, Tools } from './aggregate.ts';
import type { ChangeRequest } from './change-commands.ts';
import { type ChangeTarget, changeTarget } from './change-target.ts';
import { decide } from './decide.ts';
import type { SubscriptionRow } from './rows.ts';
import { Work } from './work.ts';

/** A plan and interval that can be moved to. */
export type ChangeOption = {
  readonly plan: PlanRow;
  /** Null on free plans. */
  readonly billingInterval: BillingInterval | null;
  readonly currency: string;
  /** What an interval costs, minor units; 0 on free plans. */
  readonly priceMinor: bigint;
  readonly direction: ChangeTarget['direction'];
  /** What is charged before it takes effect, tax included, minor units; 0 where it waits for the end of the period. */
  readonly dueMinor: bigint;
  /** When it takes effect: now, also where a checkout is paid first, else the end of the period or trial. */
  readonly effectiveAt: Date;
};

/**
 * The moves out of these that a customer could make now, in the order they are given; none while nothing can be changed. A move whose charge
 * alone would be refused, such as for seats that do not fit, is left out.
 */
export function changeOptions(
  aggregate: Aggregate,
  { subscriptionId, now }: { readonly subscriptionId: string; readonly now: Date },
  requests: readonly ChangeRequest[],
  tools: Tools,
): ChangeOption[] {
  const work = new Work(aggregate, { dueAt: now, now }, tools);
  const subscription = work.subscriptions.find(subscriptionId);
  if (subscription === null) return [];
  return requests.flatMap((request) => {
    const target = changeTarget(work, subscription, request);
    if (target === 'same' || 'code' in target) return [];
    const dueMinor = target.direction === 'scheduled' ? 0n : dueFor(aggregate, subscription, request, now, tools);
    return dueMinor === null ? [] : [option(subscription, target, dueMinor, now)];
  });
}

const option = (subscription: SubscriptionRow, { plan, price, direction }: ChangeTarget, dueMinor: bigint, now: Date): ChangeOption => ({
  plan,
  billingInterval: price?.price.billingInterval ?? null,
  currency: price?.currency ?? subscription.currency,
  priceMinor: price?.amountMinor ?? 0n,
  direction,
  dueMinor,
  effectiveAt: direction === 'scheduled' ? (subscription.periodEnd ?? now) : now,
});

/** The total of the invoice a move at once would be charged by; null where it would be refused. */
function dueFor(aggregate: Aggregate, { id }: SubscriptionRow, request: ChangeRequest, now: Date, tools: Tools): bigint | null {
  const command = { kind: 'subscription.change_plan', dueAt: now, now, subscriptionId: id, request, successUrl: null } as const;
  const { outcome, changes } = decide(aggregate, command, tools);
  if (outcome.kind !== 'ok') return null;
  const issued = [...changes.invoices.values()].find(({ flag }) => flag === 'new');
  return issued?.row.total ?? 0n;
}
