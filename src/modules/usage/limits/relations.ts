import { nodeLimit } from '../../../domain/limits/entry.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Budget } from '../budgets/types.ts';
import { loadBudgetLimits, loadSharedStates } from './load-states.ts';
import { Limit } from './types/limit.ts';
import { LimitState } from './types/state.ts';

builder.prismaObjectField(Budget, 'limits', (t) =>
  t.computed({
    type: [LimitState],
    description:
      'Limits of the budget with their current values. Excludes the limits of its parents and of the customer. Empty if the budget is archived, or if the customer has no subscription that gives access.',
    columns: ['customerId', 'key'],
    resolve: async (budget, _args, ctx) => (await loadBudgetLimits(ctx, budget)).map(nodeLimit),
  }),
);

builder.prismaObjectField(Limit, 'states', (t) =>
  t.computed({
    type: [LimitState],
    description:
      'Current values of a limit of the organization or a plan, one for each currency of its amounts. Empty for other limits.',
    columns: ['id', 'customerId', 'each', 'apiKeyId', 'memberId'],
    resolve: async (limit, _args, ctx) => [...(await loadSharedStates(ctx, limit))],
  }),
);
