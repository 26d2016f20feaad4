import { extendList, listOf } from '../../../graphql/reading/lists.ts';
import { byCodePoint, lastIfNull } from '../../../graphql/reading/sort-keys.ts';
import { BillingInterval } from '../../catalog/plans/enums.ts';
import { customerList } from '../../customers/customers/list.ts';
import { customerSearch } from '../../customers/customers/search-store.ts';
import { PaymentProvider } from '../../payments/transactions/enums.ts';
import { SubscriptionStatus } from './enums.ts';

export const defaultSize = 100;

/** SQL FROM clause that selects a subscription's accepted offers. */
const appliedOffers = `FROM "OfferApplication" s WHERE s."environmentId" = $1 AND s."subscriptionId" = t.id AND s.status = 'applied'`;

export const subscriptionList = listOf('Subscription', {
  name: 'Subscription',
  of: 'subscriptions',
  defaultSize,
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', SubscriptionStatus, 'Statuses to include.', {
      index: { name: 'Subscription_environmentId_status_createdAt_seq_idx' },
    }),
    planIds: f.oneOf('planId', 'ID', 'IDs of the plans to include.', {
      index: { name: 'Subscription_environmentId_planId_createdAt_seq_idx' },
    }),
    priceIds: f.oneOf('priceId', 'ID', 'IDs of the plan prices to include. Archived prices are allowed.', {
      index: { name: 'Subscription_environmentId_priceId_createdAt_seq_idx' },
    }),
    marketIds: f.oneOf(
      'marketId',
      'ID',
      "IDs of the markets to include. A subscription's market determines its price.",
      {
        index: { name: 'Subscription_environmentId_marketId_createdAt_seq_idx' },
      },
    ),
    offerIds: f.oneOfRelated(
      { model: 'OfferApplication', within: appliedOffers },
      'offerId',
      'ID',
      'IDs of the offers to include. Matches subscriptions to which at least one of the offers was applied, even if all phases of the offer have ended.',
    ),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.'),
    billingIntervals: f.oneOf('billingInterval', BillingInterval, 'Billing intervals to include.'),
    currencies: f.oneOf('currency', 'String', 'Currencies to include, as lowercase ISO 4217 codes.'),
    providers: f.oneOf('provider', PaymentProvider, 'Payment providers to include.'),
    cancelAtPeriodEnd: f.flag(
      () => 't."cancelAtPeriodEnd"',
      'Whether the subscription cancels at the end of the current period.',
    ),
    trialEndsAt: f.instants('trialEndsAt', 'Time at which the free trial ends.'),
    currentPeriodEnd: f.instants('periodEnd', 'Time at which the current billing period ends.'),
    createdAt: f.instants('createdAt', 'Time at which the subscription was created.'),
  }),
  search: {
    idPrefix: 'sub',
    description: 'Searches the name, email address, and external ID of the customer.',
    ...customerSearch(),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Subscription_environmentId_createdAt_seq_idx',
      description: 'Time at which the subscription was created.',
    },
    status: {
      column: 'status',
      index: 'Subscription_environmentId_status_seq_idx',
      description:
        'Status, in this order: `draft`, `pending_payment`, `trialing`, `active`, `past_due`, `canceled`.',
    },
    plan: {
      column: 'planId',
      expression: byCodePoint,
      index: 'Subscription_by_plan',
      description: 'Plan, in the order in which the plans were created.',
    },
    mrr: {
      column: 'mrr',
      index: 'Subscription_environmentId_mrr_seq_idx',
      description:
        'Current monthly recurring revenue. Amounts in different currencies are compared by their numbers of currency units, without conversion.',
    },
    current_period_end: {
      column: 'periodEnd',
      expression: lastIfNull,
      index: 'Subscription_by_period_end',
      description:
        'End of the current billing period. Subscriptions without a billing period come last in ascending order.',
    },
  },
});

const subscriptions = `FROM "Subscription" s WHERE s."environmentId" = $1 AND s."customerId" = t.id`;
const related = { model: 'Subscription', within: subscriptions } as const;

extendList(customerList, (f) => ({
  planIds: f.oneOfRelated(
    related,
    'planId',
    'ID',
    'IDs of the plans to include. Matches customers who have or had a subscription to at least one of the plans. If `subscriptionStatuses` is also set, a single subscription must match both fields.',
  ),
  subscriptionStatuses: f.oneOfRelated(
    related,
    'status',
    SubscriptionStatus,
    'Matches customers who have at least one subscription with one of the given statuses.',
  ),
  hasSubscription: f.flag(
    () => `EXISTS (SELECT ${subscriptions} AND s.status <> 'canceled')`,
    "Whether the customer has a subscription that isn't canceled.",
  ),
}));
