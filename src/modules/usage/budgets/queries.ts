import { builder } from '../../../graphql/reading/builder.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { budgetList } from './list.ts';
import { requireBudget } from './store.ts';
import { Budget, BudgetConnection } from './types.ts';

const names = { customerId: 'id' } as const;

builder.queryField('budgets', (t) =>
  t.field({
    type: BudgetConnection,
    description: 'Lists the budgets of a customer, newest first. Archived budgets are excluded by default.',
    rest: { method: 'GET', path: '/customers/{id}/budgets', names, view: 'Budget' },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      customerId: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
      includeArchived: t.arg.boolean({
        rule: { default: false },
        description: 'Whether to include archived budgets. Defaults to `false`.',
      }),
    },
    resolve: async (_root, { customerId, includeArchived, ...args }, ctx) => {
      const { id } = await requireCustomer(ctx, customerId, 'customerId');
      const filter = { customerId: id, archivedAt: includeArchived === true ? undefined : null };
      return readPage(ctx, { ...budgetList, filter }, args);
    },
  }),
);

builder.queryField('budget', (t) =>
  t.field({
    type: Budget,
    description: 'Returns a budget of a customer, which can be archived.',
    rest: { method: 'GET', path: '/customers/{id}/budgets/{key}', names, view: 'Budget' },
    errors: ['customer_not_found', 'not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
      key: t.arg.string({ required: true, description: 'Key of the budget.' }),
    },
    resolve: (_root, { customerId, key }, ctx) => requireBudget(ctx, customerId, key),
  }),
);
