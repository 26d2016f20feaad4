import { builder } from '../../graphql/builder.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { defaultSize, findAccess, listAccess, loadAccessPage } from './list.ts';
import { FeatureAccess, FeatureAccessConnection } from './types/access.ts';

const customer = {
  required: true,
  rule: { minLength: 1, maxLength: 200 },
  description: 'Our id of the customer, else the external id.',
} as const;

builder.queryField('featureAccesses', (t) =>
  t.field({
    type: FeatureAccessConnection,
    description:
      'What a customer may do with each feature of plan and add-ons now. `no_active_subscription` unless a subscription is trialing, active or past_due.',
    rest: {
      method: 'GET',
      path: '/feature-access',
      view: 'FeatureAccess',
      defaultLimit: defaultSize,
      errors: ['customer_not_found', 'no_active_subscription'],
    },
    access: { scope: 'read' },
    args: { ...pageArgs(defaultSize), customerId: t.arg.id(customer) },
    resolve: (_root, { customerId, ...args }, ctx) => listAccess(ctx, customerId, args),
  }),
);

builder.queryField('featureAccess', (t) =>
  t.field({
    type: FeatureAccess,
    description:
      'What a customer may do with one feature now; `feature_not_in_plan` where plan and add-ons lack it.',
    rest: {
      method: 'GET',
      path: '/feature-access/{code}',
      view: 'FeatureAccess',
      errors: ['feature_not_in_plan', 'customer_not_found', 'feature_not_found', 'no_active_subscription'],
    },
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
    description:
      'What the customer may do with each feature now; empty without a subscription that gives access.',
    args: pageArgs(defaultSize),
    columns: ['id'],
    resolve: ({ id }, args, ctx) => loadAccessPage(ctx, id, args),
  }),
);
