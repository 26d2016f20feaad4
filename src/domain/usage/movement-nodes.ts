import type { Rejection } from '../errors/errors.ts';
import type { LimitNode } from '../limits/admission.ts';
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
