import { builder } from '../../../graphql/reading/builder.ts';
import { requireTopUp } from './store.ts';
import { AutoTopUp } from './types.ts';

builder.queryField('autoTopUp', (t) =>
  t.field({
    type: AutoTopUp,
    description: "Returns the automatic top-up of a customer's account.",
    rest: {
      method: 'GET',
      path: '/customers/{id}/auto-top-up',
      names: { customerId: 'id' },
      view: 'AutoTopUp',
    },
    errors: ['customer_not_found', ['not_found', "the account isn't topped up automatically"]],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
      asset: t.arg.string({
        rule: { minLength: 1, maxLength: 64 },
        description:
          'Code of a custom unit, or the lowercase code of a currency. Required if several accounts are topped up automatically.',
      }),
    },
    resolve: (_root, { customerId, asset }, ctx) => requireTopUp(ctx, customerId, asset ?? null),
  }),
);
