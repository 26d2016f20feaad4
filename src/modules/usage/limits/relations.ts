import { builder } from '../../../graphql/reading/builder.ts';
import { Budget } from '../budgets/types.ts';
import { loadBudgetLimits } from './load-states.ts';
import { LimitState } from './types/state.ts';

builder.prismaObjectField(Budget, 'limits', (t) =>
  t.computed({
    type: [LimitState],
    description:
      'Limits of the budget with their current values. Excludes the limits of its parents and of the customer. Empty if the budget is archived, or if the customer has no subscription that gives access.',
    columns: ['customerId', 'key'],
    resolve: async (budget, _args, ctx) => [...(await loadBudgetLimits(ctx, budget))],
  }),
);
