import { builder } from '../../../graphql/reading/builder.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { budgetList, budgetOrders } from './list.ts';
import { listByShare } from './list-by-share.ts';
import { requireBudget } from './store.ts';
import { Budget, BudgetConnection } from './types.ts';

const names = { customerId: 'id' } as const;

const BudgetSort = builder.enumType('BudgetSort', {
  description: 'Sort order of budgets.',
  values: {
    created_at: { description: 'Newest first.' },
    key: { description: 'By key, ascending.' },
    used_share: {
      description:
        'By the highest used share of the amounts of their limits, including held amounts, highest first. Budgets with the same share are sorted newest first. Usage between two pages can change the order.',
    },
  } as const,
});

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
      search: t.arg.string({
        rule: { minLength: 1, maxLength: 100 },
        description:
          'Text that the key or the name must contain. From 1 to 100 characters. The search ignores case.',
      }),
      sort: t.arg({
        type: BudgetSort,
        rule: { default: 'created_at' },
        description: 'Sort order. Defaults to `created_at`.',
      }),
    },
    resolve: async (_root, { customerId, includeArchived, search, sort, ...args }, ctx) => {
      const { id } = await requireCustomer(ctx, customerId, 'customerId');
      const filter = { customerId: id, hasArchived: includeArchived === true, text: search ?? null };
      if (sort === 'used_share') return listByShare(ctx, filter, args);
      return readPage(ctx, budgetList(filter, budgetOrders[sort ?? 'created_at']), args);
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
