import { payoutCurrency } from '../bank-accounts/store.ts';
import { addTotals } from '../currencies/list-totals.ts';
import { PayoutStatus } from './enums.ts';
import { PayoutConnection } from './types.ts';

addTotals(PayoutConnection, {
  name: 'PayoutTotals',
  of: 'payouts',
  status: { type: PayoutStatus, description: 'Where the payouts stand.' },
  currency: payoutCurrency,
  sums: {
    amount: { column: 'amountMinor', description: 'The sum of what left the available balance, US cents.' },
    fee: { column: 'feeMinor', description: 'The sum of what they cost, US cents.' },
  },
});
