import { builder } from '../../../graphql/reading/builder.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { LotSource } from './enums.ts';
import { lotsMatching } from './list.ts';
import { loadAccounts, requireLot, requireRefund } from './store.ts';
import { Account, Lot, LotConnection, LotRefundPreview } from './types.ts';

/** Default page size. The default is large so that API clients that don't paginate get all lots. */
const defaultSize = 1_000;

const LotFilter = builder.inputType('LotFilter', {
  description: 'Filter for lots.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: 'ID or external ID of the customer.' }),
    subscriptionId: t.id({ description: 'ID of a subscription of the customer.' }),
    sources: t.field({ type: [LotSource], description: 'Origins to include.' }),
    isOpen: t.boolean({
      description:
        'Whether to return only lots that can still change (`true`), or only lots that were used up, expired, or revoked (`false`).',
    }),
  }),
});

builder.queryField('lots', (t) =>
  t.field({
    type: LotConnection,
    description: 'Lists the lots of a customer, newest first.',
    rest: {
      method: 'GET',
      path: '/customers/{id}/lots',
      names: { customerId: 'id' },
      view: 'Lot',
      defaultLimit: defaultSize,
    },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      filter: t.arg({ type: LotFilter, required: true, description: 'Filters the results.' }),
    },
    resolve: async (_root, { filter, ...args }, ctx) => {
      const { id } = await requireCustomer(ctx, filter.customerId, 'customerId');
      return readPage(ctx, lotsMatching({ ...filter, customerId: id }), args, { defaultSize });
    },
  }),
);

builder.queryField('lot', (t) =>
  t.field({
    type: Lot,
    description: 'Returns a lot.',
    errors: ['not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the lot.' }) },
    resolve: (_root, { id }, ctx) => requireLot(ctx, id),
  }),
);

builder.queryField('accounts', (t) =>
  t.field({
    type: [Account],
    description:
      "Returns the credits or the balance of a customer's current subscription, and then the customer's credits by currency. Empty if the plan only counts units and the customer has no credits.",
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
    },
    resolve: async (_root, { customerId }, ctx) =>
      loadAccounts(ctx, (await requireCustomer(ctx, customerId, 'customerId')).id),
  }),
);

builder.queryField('lotRefundPreview', (t) =>
  t.field({
    type: LotRefundPreview,
    description:
      'Returns the worth of the remaining amount of a purchased lot: its share of the price before tax. Refunds nothing.',
    errors: ['not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the lot.' }) },
    resolve: (_root, { id }, ctx) => requireRefund(ctx, id),
  }),
);
