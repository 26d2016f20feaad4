import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requireAccessSubscription } from './store.ts';
import { SubscriptionAddonConnection } from './types.ts';

/** Answered when no page is asked for, so that a client that never pages loses nothing. */
const defaultSize = 1_000;

builder.queryField('activeAddons', (t) =>
  t.field({
    type: SubscriptionAddonConnection,
    description:
      "The active add-ons of a customer's subscription, newest first. `no_active_subscription` unless one is trialing, active or past_due.",
    rest: {
      method: 'GET',
      path: '/active-addons',
      view: 'ActiveAddon',
      defaultLimit: defaultSize,
      errors: ['customer_not_found', 'no_active_subscription'],
    },
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      customerId: t.arg.id({ required: true, description: 'Id of the customer, else its external id.' }),
    },
    resolve: async (_root, args, ctx) => {
      const { id: subscriptionId } = await requireAccessSubscription(ctx, args.customerId);
      return listRows(ctx, 'AddonActivation', args, {
        filter: { subscriptionId, status: 'active' },
        defaultSize,
      });
    },
  }),
);
