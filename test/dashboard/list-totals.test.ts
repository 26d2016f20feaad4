import { expect, test } from 'vitest';
import type { Filter } from '../../src/dashboard/kit/list/filters.ts';
import { propertyPattern, usageVariables } from '../../src/dashboard/pages/usage/list-variables.ts';
import {
  creditNoteTotals,
  linkTotals,
  payoutTotals,
  refundTotals,
} from '../../src/dashboard/parts/billing/totals.ts';

test('list totals count all payment links, but add up only paid and pending amounts by currency', () => {
  const total = (currency: string, status: string, count: number, amount: number) => ({
    currency,
    status,
    count,
    amount,
  });
  const totals = [
    total('usd', 'succeeded', 2, 5_000),
    total('eur', 'pending', 4, 900),
    total('usd', 'processing', 1, 70),
    total('usd', 'canceled', 5, 12_000),
    total('eur', 'failed', 1, 100),
  ];
  expect(linkTotals(totals)).toEqual([
    { currency: 'usd', count: 8, done: 5_000, open: 70 },
    { currency: 'eur', count: 5, done: 0, open: 900 },
  ]);
});

test('list totals exclude failed payouts from paid and in-transit amounts', () => {
  const total = (status: string, amount: number) => ({ currency: 'usd', status, count: 1, amount });
  const totals = [total('paid', 700), total('in_transit', 60), total('pending', 5), total('failed', 4_000)];
  expect(payoutTotals(totals)).toEqual([{ currency: 'usd', count: 4, done: 700, open: 65 }]);
});

test('list totals of credit notes add up the credited amounts and the credited tax of all reasons by currency', () => {
  const total = (currency: string, reason: string, count: number, amount: number, taxAmount: number) => ({
    currency,
    reason,
    count,
    total: amount,
    taxAmount,
  });
  const totals = [
    total('eur', 'void', 1, -11_900, -1_900),
    total('usd', 'refund', 2, -4_900, 0),
    total('eur', 'refund', 3, -1_190, -190),
  ];
  expect(creditNoteTotals(totals)).toEqual([
    { currency: 'eur', count: 4, credited: 13_090, tax: 2_090 },
    { currency: 'usd', count: 2, credited: 4_900, tax: 0 },
  ]);
});

test('list totals exclude failed refunds from the refunded amount', () => {
  const total = (status: string, amount: number) => ({ currency: 'usd', status, count: 1, amount });
  const totals = [
    total('succeeded', 700),
    total('pending', 60),
    total('requires_action', 5),
    total('failed', 4_000),
    total('canceled', 900),
  ];
  expect(refundTotals(totals)).toEqual([{ currency: 'usd', count: 5, done: 700, open: 65 }]);
});

const now = new Date('2026-03-01T08:00:00.000Z');

const filterOf = (...filters: Filter[]) =>
  usageVariables({ search: '', filters, sort: null, hidden: [], at: 0 }, ['ftr_1', 'ftr_2'], now).filter;

const is = (field: string, ...values: string[]): Filter => ({ field, comparison: 'is', values });

test('the usage filters for outcome, model, and property become query variables', () => {
  expect(filterOf()).toEqual({});
  expect(
    filterOf(is('outcome', 'exhausted'), is('model', 'acme/large'), is('property', 'request = r=1')),
  ).toEqual({
    outcomes: ['exhausted'],
    models: ['acme/large'],
    property: { name: 'request', value: 'r=1' },
  });
  expect(
    ['request', 'request=', 'request= ', '=r1', ' = r1', 'request=r1', ' request = r 1', 'a=b=c'].map(
      (text) => propertyPattern.test(text),
    ),
  ).toEqual([false, false, false, false, false, true, true, true]);
  expect(filterOf({ ...is('outcome', 'metered'), comparison: 'not' })).toEqual({
    outcomes: ['deducted', 'exhausted'],
  });
});
