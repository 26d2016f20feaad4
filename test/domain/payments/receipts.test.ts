import { describe, expect, it, test } from 'vitest';
import { amountPaid, chargeOf } from '../../../src/domain/invoicing/credit-note.ts';
import {
  amountBeforeCharge,
  leftOf,
  portionsFor,
  receiptStatus,
  returnsRest,
} from '../../../src/domain/payments/receipts.ts';
import {
  invoiceNumbersIn,
  type MatchedInvoice,
  matchTransfer,
} from '../../../src/domain/payments/transfer-match.ts';

// Amounts of receipts, and their matching to invoices (INS-70 to INS-77).

const receipt = (id: string, amountMinor: bigint, appliedMinor = 0n, returnedMinor = 0n) => ({
  id,
  amountMinor,
  appliedMinor,
  returnedMinor,
});

describe('a receipt', () => {
  test.each([
    [receipt('a', 500n), 500n, 'on_account'],
    [receipt('a', 500n, 490n), 10n, 'on_account'],
    [receipt('a', 500n, 490n, 10n), 0n, 'applied'],
    [receipt('a', 500n, 500n), 0n, 'applied'],
    [receipt('a', 500n, 0n, 500n), 0n, 'returned'],
  ] as const)('%o has %s left and is %s', (row, left, status) => {
    expect([leftOf(row), receiptStatus(row)]).toEqual([left, status]);
  });

  it('pays an amount in order, and never more than the amount', () => {
    const rows = [receipt('a', 300n), receipt('b', 100n, 100n), receipt('c', 500n, 0n, 200n)];
    expect(portionsFor(rows, 450n)).toEqual([
      { receiptId: 'a', amountMinor: 300n },
      { receiptId: 'c', amountMinor: 150n },
    ]);
    expect(portionsFor(rows, 900n).map(({ amountMinor }) => amountMinor)).toEqual([300n, 300n]);
    expect(portionsFor(rows, 0n)).toEqual([]);
  });

  test.each([
    [11_900n, 1_000n, 50n, 1_000n],
    [11_900n, 11_900n, 50n, 11_900n],
    [11_900n, 20_000n, 50n, 11_900n],
    [11_900n, 11_899n, 50n, 11_850n],
    [40n, 30n, 50n, 0n],
    [11_900n, 0n, 50n, 0n],
  ])(
    'pays a part of the amount due %s with %s on account before a charge of at least %s: %s',
    (due, available, smallest, paid) => {
      expect(amountBeforeCharge(due, available, smallest)).toBe(paid);
    },
  );

  it('returns its rest only if the money is late and the instrument can return it (INS-72)', () => {
    expect(returnsRest({ lateOf: 'txn_1', instrument: 'pix' })).toBe(true);
    expect(returnsRest({ lateOf: 'txn_1', instrument: 'boleto' })).toBe(false);
    expect(returnsRest({ lateOf: null, instrument: 'pix' })).toBe(false);
  });
});

describe('an invoice that is paid in parts', () => {
  const invoice = { total: 119_000n, taxAmount: 19_000n, creditedAmount: 0n, creditedTax: 0n };

  test.each([
    [0n, 119_000n, 19_000n],
    [70_000n, 49_000n, 7_824n],
    [1n, 118_999n, 19_000n],
    [118_999n, 1n, 0n],
    [119_000n, 0n, 0n],
  ])('has after a payment of %s the amount due %s and the tax %s', (paidInParts, total, taxAmount) => {
    expect(chargeOf({ ...invoice, paidInParts })).toEqual({ total, taxAmount });
  });

  it('subtracts credit notes first', () => {
    const credited = { ...invoice, creditedAmount: 11_900n, creditedTax: 1_900n, paidInParts: 53_550n };
    expect(chargeOf(credited)).toEqual({ total: 53_550n, taxAmount: 8_550n });
  });

  it('shows its parts as paid until it is paid', () => {
    const row = { total: 119_000n, creditedDue: 0n, paidInParts: 70_000n };
    expect(amountPaid({ ...row, status: 'outstanding' })).toBe(70_000n);
    expect(amountPaid({ ...row, status: 'paid' })).toBe(119_000n);
    expect(amountPaid({ ...row, status: 'uncollectible' })).toBe(70_000n);
    expect(amountPaid({ ...row, status: 'void', paidInParts: 0n })).toBe(0n);
  });
});

describe('the text of a transfer', () => {
  test.each([
    ['RF97INV0042', 42n, []],
    ['rf97 inv0 042', 42n, [0n]],
    ['Rechnung RF97INV0042 Danke', 42n, []],
    ['RF96INV0042', null, []],
    ['INV-0042', null, [42n]],
    ['pays inv 42, INV-0043', null, [42n, 43n]],
    ['INV-0042 INV-0042', null, [42n]],
    ['XINV-0042', null, []],
    ['INV-0042B', null, []],
    ['', null, []],
    [null, null, []],
  ] as const)('%o names the invoice %s by its reference, and %o', (text, byReference, inText) => {
    expect(invoiceNumbersIn(text)).toEqual({ byReference, inText });
  });

  const invoices: ReadonlyMap<bigint, MatchedInvoice> = new Map(
    [
      { id: 'inv_42', customerId: 'cus_1', number: 42n, currency: 'eur', due: 119_000n },
      { id: 'inv_43', customerId: 'cus_1', number: 43n, currency: 'eur', due: 11_900n },
      { id: 'inv_44', customerId: 'cus_2', number: 44n, currency: 'usd', due: 11_900n },
    ].map((row) => [row.number, row]),
  );
  test.each([
    ['RF97INV0042', 'eur', 70_000n, 'inv_42'],
    ['RF97INV0042', 'usd', 119_000n, null],
    ['INV-0043', 'eur', 11_900n, 'inv_43'],
    ['INV-0043', 'eur', 11_901n, null],
    ['INV-0042 INV-0043', 'eur', 11_900n, null],
    ['INV-0043 INV-0044', 'eur', 11_900n, 'inv_43'],
    ['INV-0099', 'eur', 11_900n, null],
    [null, 'eur', 11_900n, null],
  ] as const)('%o in %s over %s pays %s', (text, currency, amountMinor, id) => {
    expect(matchTransfer({ text, currency, amountMinor }, invoices)?.id ?? null).toBe(id);
  });
});
