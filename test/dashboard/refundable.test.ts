import { expect, test } from 'vitest';
import { refundableOf } from '../../src/dashboard/pages/payments/transaction-view.ts';

test('what can be refunded is what was charged less what was refunded, and nothing of a declined attempt', () => {
  expect(refundableOf({ amount: 24_500, status: 'succeeded', refundedAmount: 4_500 })).toBe(20_000);
  expect(refundableOf({ amount: 24_500, status: 'failed', refundedAmount: 0 })).toBe(0);
});
