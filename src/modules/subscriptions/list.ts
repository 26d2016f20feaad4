import { extendList } from '../../graphql/lists.ts';
import { customerList } from '../customers/list.ts';
import { SubscriptionStatus } from './enums.ts';

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
