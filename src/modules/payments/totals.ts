import { addTotals } from '../currencies/list-totals.ts';
import { PaymentStatus } from './enums.ts';
import { PaymentConnection } from './types.ts';

addTotals(PaymentConnection, {
  name: 'PaymentTotals',
  of: 'one-time payments',
  status: { type: PaymentStatus, description: 'Where the payments stand.' },
  sums: {
    amount: {
      column: 'totalMinor',
      description: 'The sum of what is to be paid, tax included, minor units.',
    },
    tax: { column: 'taxMinor', description: 'The tax in it, minor units.' },
  },
});
