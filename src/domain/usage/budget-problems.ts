import type { Rejection } from '../errors/errors.ts';
import type { BudgetProblem } from '../limits/book-limits.ts';
import { tooManyBudgets } from '../limits/new-budgets.ts';

const messages: { readonly [problem in BudgetProblem | 'budget_required']: string } = {
  unknown_budget:
    "The budget doesn't exist. Create the budget first, or create a limit for each budget of its kind.",
  budget_archived: 'The budget or a budget above the budget is archived. Name another budget.',
  too_many_budgets: tooManyBudgets,
  budget_required: 'The customer requires a budget for usage. Set `budget` to the key of a budget.',
};

/** Returns the rejection of usage whose budget can't be used or is missing. */
export const budgetRejection = (reason: keyof typeof messages): Rejection => ({
  code: 'validation_error',
  message: messages[reason],
  param: 'budget',
  details: { reason },
});
