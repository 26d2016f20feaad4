import { watch } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { loadAllAccess } from './list.ts';
import { FeatureAccess } from './types/access.ts';

builder.subscriptionField('featureAccessChanged', (t) =>
  t.field({
    type: [FeatureAccess],
    description:
      "Emits a customer's access to each feature, sorted by code, immediately and after every change. Changes in quick succession are combined. The list is empty if no subscription gives access.",
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
    },
    subscribe: async (_root, { customerId }, ctx) => {
      const { id } = await requireCustomer(ctx, customerId, 'customerId');
      return watch(ctx, (present) => loadAllAccess(present, id));
    },
    resolve: (access) => access,
  }),
);
