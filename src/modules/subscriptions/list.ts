import { extendList, listOf } from '../../graphql/lists.ts';
import { customerList } from '../customers/list.ts';
import { belongsToCustomerWith } from '../customers/store.ts';
import { BillingInterval } from '../plans/enums.ts';
import { PaymentProvider } from '../transactions/enums.ts';
import { SubscriptionStatus } from './enums.ts';

/** Page size of the list when the caller names none. */
export const defaultSize = 100;

/** The terms accepted on a subscription. */
const appliedOffers = `FROM "OfferApplication" s WHERE s."environmentId" = $1 AND s."subscriptionId" = t.id AND s.status = 'applied'`;

export const subscriptionList = listOf('Subscription', {
  name: 'Subscription',
  of: 'subscriptions',
  defaultSize,
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', SubscriptionStatus, 'Where they stand.', {
      index: { name: 'Subscription_environmentId_status_createdAt_seq_idx' },
    }),
    planIds: f.oneOf('planId', 'ID', 'Ids of their plans.', {
      index: { name: 'Subscription_environmentId_planId_createdAt_seq_idx' },
    }),
    priceIds: f.oneOf('priceId', 'ID', 'Ids of the plan prices they are bound to, archived ones too.', {
      index: { name: 'Subscription_environmentId_priceId_createdAt_seq_idx' },
    }),
    marketIds: f.oneOf('marketId', 'ID', 'Ids of the markets their prices are looked up in.', {
      index: { name: 'Subscription_environmentId_marketId_createdAt_seq_idx' },
    }),
    offerIds: f.oneOfRelated(
      { model: 'OfferApplication', within: appliedOffers },
      'offerId',
      'ID',
      'Ids of offers that were accepted on them, over or not.',
    ),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of their customers.'),
    billingIntervals: f.oneOf('billingInterval', BillingInterval, 'How often they renew.'),
    currencies: f.oneOf('currency', 'String', 'Lower-case ISO 4217 codes of what they cost.'),
    providers: f.oneOf('provider', PaymentProvider, 'The connections they are charged by.'),
    cancelAtPeriodEnd: f.flag(() => 't."cancelAtPeriodEnd"', 'Whether they end with their period.'),
    trialEndsAt: f.instants('trialEndsAt', 'When their trials end or ended.'),
    currentPeriodEnd: f.instants('periodEnd', 'When the billing periods in force end.'),
    createdAt: f.instants('createdAt', 'When they were made.'),
  }),
  search: {
    idPrefix: 'sub',
    description: 'Only those of customers with this in name, email address or external id.',
    condition: belongsToCustomerWith,
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Subscription_environmentId_createdAt_seq_idx',
      description: 'When they were made.',
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
    'Ids of plans they have or had a subscription to. With `subscriptionStatuses`, one subscription has both.',
  ),
  subscriptionStatuses: f.oneOfRelated(
    related,
    'status',
    SubscriptionStatus,
    'Where one of their subscriptions stands.',
  ),
  hasSubscription: f.flag(
    () => `EXISTS (SELECT ${subscriptions} AND s.status <> 'canceled')`,
    'Whether they have a subscription that is not canceled.',
  ),
}));
