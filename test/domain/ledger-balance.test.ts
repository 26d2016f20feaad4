import { expect, test } from 'vitest';
import { balanceChange, balanceKindOf, balancePostings } from '../../src/domain/ledger/balance-entries.ts';
import { postings } from '../../src/domain/ledger/post.ts';

test('a ledger fact has a balance transaction type if and only if the fact changes the available balance', () => {
  const changing = Object.entries(postings)
    .filter(([, { debit, credit }]) => [debit, credit].some((account) => account === 'merchant_available'))
    .map(([fact]) => fact);
  expect(Object.values(balancePostings).toSorted()).toEqual(changing.toSorted());
  expect(changing.map(balanceKindOf)).toHaveLength(7);
  expect(() => balanceKindOf('invoice.issued')).toThrow('does not change');
});

test('debits increase the available balance, and credits decrease it', () => {
  expect(balanceChange({ debitAccount: 'merchant_available', amountMinor: 5n })).toBe(5n);
  expect(balanceChange({ debitAccount: 'merchant_frozen', amountMinor: 5n })).toBe(-5n);
});
