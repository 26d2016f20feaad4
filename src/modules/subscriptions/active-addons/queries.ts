import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { requireAccessSubscription } from './store.ts';
import { SubscriptionAddonConnection } from './types.ts';

/** Default page size. The default is large so that API clients that don't paginate get all add-ons. */
const defaultSize = 1_000;

builder.queryField('activeAddons', (t) =>
  t.field({
    type: SubscriptionAddonConnection,
    description: "Lists the active add-ons of a customer's subscription, newest first.",
    rest: {
      method: 'GET',
      path: '/active-addons',
      view: 'ActiveAddon',
      defaultLimit: defaultSize,
    },
    errors: [
      'customer_not_found',
      ['no_active_subscription', 'the customer has no subscription that is trialing, active, or past due'],
    ],
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      customerId: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
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
