import { builder } from '../../graphql/builder.ts';
import { watch } from '../../graphql/live.ts';
import { requireCustomer } from '../customers/store.ts';
import { loadAllAccess } from './list.ts';
import { FeatureAccess } from './types/access.ts';

builder.subscriptionField('featureAccessChanged', (t) =>
  t.field({
    type: [FeatureAccess],
    description:
      'What a customer may do with every feature, by code: as it is now, then after every change, quick successions sent as one. Empty without a subscription that gives access. `customer_not_found` when there is no such customer.',
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: 'Our id of the customer, else the external id.' }),
    },
    subscribe: async (_root, { customerId }, ctx) => {
      const { id } = await requireCustomer(ctx, customerId, 'customerId');
      return watch(ctx, (present) => loadAllAccess(present, id));
    },
    resolve: (access) => access,
  }),
);
