import type { Tried } from '../../../../domain/limits/admission.ts';
import { nodeLimit } from '../../../../domain/limits/entry.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { type Exceeding, loadExceeding, mostCompared, mostListed } from '../load-exceeding.ts';
import { Limit } from './limit.ts';
import { LimitState } from './state.ts';

const LimitExceedingNode = builder.objectRef<Tried>('LimitExceedingNode').implement({
  description: 'Customer or budget whose usage exceeds a limit.',
  fields: (t) => ({
    customer: t.rowById('Customer', {
      nullable: true,
      id: ({ node: { level, customerId } }) => (level === undefined ? customerId : null),
      description:
        'Customer, or customer of the budget. `null` if the limit applies to the organization or a plan.',
    }),
    state: t.field({
      type: LimitState,
      description: 'Limit with the current value of the customer or budget.',
      resolve: (tried) => nodeLimit(tried),
    }),
  }),
});

const LimitExceeding = builder.objectRef<Exceeding>('LimitExceeding').implement({
  description: 'Customers and budgets whose current usage exceeds a limit.',
  fields: (t) => ({
    count: t.int({
      description: 'Number of customers or budgets whose usage exceeds the amount.',
      resolve: ({ exceeded }) => exceeded.length,
    }),
    compared: t
      .member('compared', 'Int')
      .describe(
        `Number of customers or budgets whose usage was compared with the amount. At most ${mostCompared}.`,
      ),
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe(
        '`true` if every customer or budget was compared. `false` if only the newest customers were compared.',
      ),
    nodes: t.field({
      type: [LimitExceedingNode],
      description: `Customers or budgets whose usage exceeds the amount, the largest share of the amount first. Up to ${mostListed} items.`,
      resolve: ({ exceeded }) => exceeded.slice(0, mostListed),
    }),
  }),
});

builder.prismaObjectField(Limit, 'exceeding', (t) =>
  t.computed({
    type: LimitExceeding,
    description:
      'Customers and budgets whose current usage exceeds the amount. In a dry run of `limitCreate` or `limitUpdate`, shows the effect of the limit before it is saved. Empty for limits on operations.',
    columns: ['id', 'customerId', 'budgetKey', 'each', 'planId', 'apiKeyId', 'memberId', 'filter'],
    resolve: (limit, _args, ctx) => loadExceeding(ctx, limit),
  }),
);
