import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';

export const Budget = builder.prismaObject('Budget', {
  ...node({ prefix: 'bud' }),
  description:
    'Part of a customer that can have separate limits, such as a team or an API key of the customer. Budgets form a tree with up to 4 levels.',
  fields: (t) => ({
    ...t.columns('id', 'key', 'name'),
    metadata: t.column('metadata', {
      description: 'Key-value data that you attached to the budget. Empty object by default.',
    }),
    ...t.columns('archivedAt', 'createdAt', 'updatedAt'),
    parent: t.row('parent', {
      description: 'Budget that includes the budget. `null` if the budget is directly below the customer.',
    }),
    customer: t.row('customer', { description: 'Customer of the budget.' }),
    ...t.resource('budget'),
  }),
});

export const BudgetConnection = connectionOf('Budget', Budget, 'budgets');

restView(
  'Budget',
  'Budget',
  'id key name parent { id key } customer { id externalId } metadata archivedAt createdAt updatedAt object livemode',
);

builder.prismaObjectField('Customer', 'budgets', (t) =>
  t.page('budgets', { description: 'Budgets of the customer, newest first. Includes archived budgets.' }),
);
