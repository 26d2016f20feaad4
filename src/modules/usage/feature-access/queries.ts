import { builder } from '../../../graphql/reading/builder.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { defaultSize, findAccess, listAccess, loadAccessPage } from './list.ts';
import { FeatureAccess, FeatureAccessConnection } from './types/access.ts';

const customer = {
  required: true,
  rule: { minLength: 1, maxLength: 200 },
  description: 'ID or external ID of the customer.',
} as const;

builder.queryField('featureAccesses', (t) =>
  t.field({
    type: FeatureAccessConnection,
    description:
      "Lists a customer's access to each feature of the plan and its add-ons, newest feature first.",
    rest: {
      method: 'GET',
      path: '/feature-access',
      view: 'FeatureAccess',
      defaultLimit: defaultSize,
    },
    errors: [
      'customer_not_found',
      ['no_active_subscription', 'the customer has no subscription that is trialing, active, or past due'],
    ],
    access: { scope: 'read' },
    args: { ...pageArgs(defaultSize), customerId: t.arg.id(customer) },
    resolve: (_root, { customerId, ...args }, ctx) => listAccess(ctx, customerId, args),
  }),
);

builder.queryField('featureAccess', (t) =>
  t.field({
    type: FeatureAccess,
    description: "Returns a customer's access to one feature.",
    rest: {
      method: 'GET',
      path: '/feature-access/{code}',
      view: 'FeatureAccess',
    },
    errors: [
      ['feature_not_in_plan', 'neither the plan nor an add-on contains the feature'],
      'customer_not_found',
      'feature_not_found',
      'no_active_subscription',
    ],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id(customer),
      code: t.arg.string({ required: true, description: 'Code of the feature.' }),
    },
    resolve: (_root, { customerId, code }, ctx) => findAccess(ctx, { customerId, code }),
  }),
);

builder.prismaObjectField('Customer', 'featureAccess', (t) =>
  t.computed({
    type: FeatureAccessConnection,
    description: "The customer's access to each feature. Empty if no subscription gives access.",
    args: pageArgs(defaultSize),
    columns: ['id'],
    resolve: ({ id }, args, ctx) => loadAccessPage(ctx, id, args),
  }),
);
