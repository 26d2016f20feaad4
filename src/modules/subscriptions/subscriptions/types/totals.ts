import { addTotals } from '../../../organization/currencies/types/list-totals.ts';
import { SubscriptionStatus } from '../enums.ts';
import { SubscriptionConnection } from './subscription.ts';

addTotals(SubscriptionConnection, {
  name: 'SubscriptionTotals',
  of: 'subscriptions',
  status: { type: SubscriptionStatus, description: 'Status of the subscriptions.' },
  sums: {
    mrr: {
      column: 'mrr',
      amount: 'RATE',
      description:
        'Current monthly recurring revenue of the subscriptions, in ten-thousandths of the currency unit (10,000 = 1.00).',
    },
  },
});
