import { expect, test } from 'vitest';
import { refundableOf } from '../../src/dashboard/pages/payments/transaction-view.ts';

test('the refundable amount is the charge minus its refunds, and 0 if the payment was declined', () => {
  expect(refundableOf({ amount: 24_500, status: 'succeeded', refundedAmount: 4_500 })).toBe(20_000);
  expect(refundableOf({ amount: 24_500, status: 'failed', refundedAmount: 0 })).toBe(0);
});
