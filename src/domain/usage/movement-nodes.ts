import type { Rejection } from '../errors/errors.ts';
import type { HoldRow } from '../holds/hold.ts';
import type { LimitNode } from '../limits/admission.ts';
import { planOfHold } from '../limits/shared.ts';
import { budgetRejection } from './budget-problems.ts';
import type { UsageLimits } from './usage-limits.ts';
import type { Subscriber } from './window-lines.ts';

/**
 * Returns the nodes whose limits count usage, or the rejection if its budget can't be used. Usage of a customer that requires
 * budgets is rejected without a budget. `limits` is `null` if no limit and no budget is used.
 */
export function movementNodes(
  limits: UsageLimits | null,
  subject: Subscriber,
  budget: string | null,
): readonly LimitNode[] | Rejection {
  if (budget === null && subject.customer.requireBudget) return budgetRejection('budget_required');
  return limits?.nodesOf(subject, budget) ?? [];
}

/** Returns the nodes whose limits count the usage of a hold. The hold keeps the budgets and the plan that it was opened with (LIM-15). */
export function nodesOfHold(
  limits: UsageLimits | null,
  { budgetId, gauges, estimate: { path } }: HoldRow,
  { customer, plan }: Subscriber,
): readonly LimitNode[] {
  if (limits === null) return [];
  const planId = planOfHold(gauges) ?? plan.id;
  return path === undefined
    ? limits.rows.countedNodes(customer.id, budgetId, planId)
    : limits.rows.nodesAlong(customer.id, path, planId);
}
