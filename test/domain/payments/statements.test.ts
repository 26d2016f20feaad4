import { describe, expect, it, test } from 'vitest';
import {
  amountOf,
  checkEntries,
  dateOf,
  type RawEntry,
} from '../../../src/domain/payments/statements/entries.ts';

// Entries of bank statements (INS-76).

test.each([
  ['1190.00', 'eur', 119_000n],
  ['1190', 'eur', 119_000n],
  ['1190.5', 'eur', 119_050n],
  ['0.01', 'eur', 1n],
  ['12.345', 'kwd', 12_345n],
  ['500', 'jpy', 500n],
  ['500.00', 'jpy', 500n],
  ['500.50', 'jpy', null],
  ['1190.005', 'eur', null],
  ['0.00', 'eur', null],
  ['-5.00', 'eur', null],
  ['1,190.00', 'eur', null],
  ['1e3', 'eur', null],
  ['', 'eur', null],
  ['9999999999999999', 'eur', null],
])('the amount %o in %s is %s', (text, currency, amount) => {
  expect(amountOf(text, currency)).toBe(amount);
});

test.each([
  ['2027-05-03', '2027-05-03'],
  ['2027-05-03T10:00:00+02:00', '2027-05-03'],
  ['03.05.2027', '2027-05-03'],
  ['05/03/2027', null],
  ['2027-02-30', null],
  ['31.02.2027', null],
  ['', null],
])('the date %o is %s', (text, day) => {
  expect(dateOf(text)?.toISOString().slice(0, 10) ?? null).toBe(day);
});

const entry: RawEntry = {
  account: 'DE89370400440532013000',
  amount: '10.00',
  currency: 'EUR',
  isDebit: false,
  isBooked: true,
  bookedOn: '2027-05-03',
  text: 'RF97INV0042',
  payerName: 'Acme',
  bankReference: null,
};
const now = new Date('2027-05-04T00:00:00Z');

describe('an entry', () => {
  test.each([
    [{ isDebit: true }, 'debit'],
    [{ isBooked: false }, 'not_booked'],
    [{ currency: 'XXX' }, 'currency_unsupported'],
    [{ currency: null }, 'currency_unsupported'],
    [{ amount: null }, 'amount_invalid'],
    [{ bookedOn: null }, 'date_invalid'],
    [{ bookedOn: '2027-05-05' }, 'date_future'],
  ] as const)('is rejected with %o: %s', (changes, problem) => {
    expect(checkEntries([{ ...entry, ...changes }], now)).toEqual([{ problem }]);
  });

  it('has the same identity in every file, and another identity than an equal entry', () => {
    const identities = (entries: readonly RawEntry[]) =>
      checkEntries(entries, now).map((checked) => ('identity' in checked ? checked.identity : null));
    const own = 'DE89370400440532013000/2027-05-03/eur/1000/RF97INV0042';
    expect(identities([entry, { ...entry, amount: '11.00' }, entry])).toEqual([
      `${own}#1`,
      'DE89370400440532013000/2027-05-03/eur/1100/RF97INV0042#1',
      `${own}#2`,
    ]);
    const referenced = { ...entry, bankReference: 'B1' };
    expect(identities([referenced, { ...referenced, text: 'other' }])).toEqual([
      'DE89370400440532013000/2027-05-03/eur/1000/B1',
      'DE89370400440532013000/2027-05-03/eur/1000/B1',
    ]);
  });

  it('keeps 500 characters of its text and 140 of its name', () => {
    const [checked] = checkEntries([{ ...entry, text: 'x'.repeat(600), payerName: ' y '.repeat(100) }], now);
    expect(checked).toMatchObject({ text: 'x'.repeat(500) });
    expect(checked !== undefined && 'payerName' in checked && checked.payerName?.length).toBe(140);
  });
});
