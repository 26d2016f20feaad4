import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountDue,
  creditableParts,
  creditLeft,
  creditNoteAmounts,
  creditNoteNumberText,
  distributeAmount,
  noteLines,
} from '../../src/domain/invoicing/credit-note.ts';

const invoice = (total: bigint, taxAmount: bigint, creditedAmount = 0n, creditedTax = 0n) => ({
  total,
  taxAmount,
  creditedAmount,
  creditedTax,
});

describe("a credit note's tax (DAT-12)", () => {
  // Tax on a credit note = round(invoice tax × total credited so far ÷ invoice total) − tax of earlier notes.
  test.each([
    // The full amount: 119.00 with 19.00 of tax.
    [invoice(11_900n, 1_900n), 11_900n, 10_000n, 1_900n],
    // 40.00 of 119.00: 1900 × 4000 ÷ 11900 = 638.66.
    [invoice(11_900n, 1_900n), 4_000n, 3_361n, 639n],
    // The remaining amount: 1900 − 639.
    [invoice(11_900n, 1_900n, 4_000n, 639n), 7_900n, 6_639n, 1_261n],
    // 0.31 of 0.62 with 0.10 of tax: exactly 5 cents, half of the tax.
    [invoice(62n, 10n), 31n, 26n, 5n],
    // 0.01 of 0.62: 10 × 1 ÷ 62 = 0.16, which rounds to 0.
    [invoice(62n, 10n), 1n, 1n, 0n],
    [invoice(1_000n, 0n), 400n, 400n, 0n],
  ])(
    'is calculated for the invoice %o and a credit note for %s: subtotal %s, tax %s',
    (before, amount, subtotal, taxAmount) => {
      expect(creditNoteAmounts(before, amount)).toEqual({ subtotal, taxAmount, total: amount });
    },
  );
});

test('the amount due is the total minus credit notes issued before the payment, and 0 after settlement', () => {
  const row = {
    status: 'outstanding',
    total: 10_000n,
    creditedDue: 4_000n,
    creditedAmount: 4_000n,
    paidInParts: 0n,
  } as const;
  expect([amountDue(row), creditLeft(row)]).toEqual([6_000n, 6_000n]);
  expect(amountDue({ ...row, status: 'paid' })).toBe(0n);
  expect(amountDue({ status: 'paid', total: -700n, creditedDue: 0n, paidInParts: 0n })).toBe(0n);
});

test.each([
  [[10n, 10n, 10n], 10n, [4n, 3n, 3n]],
  [[1n, 1n], 1n, [1n, 0n]],
  // 7 × 5 ÷ 10 = 3.5, 7 × 3 ÷ 10 = 2.1, 7 × 2 ÷ 10 = 1.4. The first part has the largest remainder.
  [[5n, 3n, 2n], 7n, [4n, 2n, 1n]],
  [[0n, 9n], 4n, [0n, 4n]],
  [[], 0n, []],
] as const)('the proportions %o split the amount %s into %o', (parts, amount, shares) => {
  expect(distributeAmount(parts, amount)).toEqual(shares);
});

test('dividing a negative amount, or an amount above the sum of the parts, throws an error', () => {
  expect(() => distributeAmount([1n], 2n)).toThrow(RangeError);
  expect(() => distributeAmount([1n], -1n)).toThrow(RangeError);
});

test("discounts reduce the creditable amount of the preceding charge, but credits don't", () => {
  const lines = [
    { lineType: 'plan_base', amount: 10_000n },
    { lineType: 'discount', amount: -2_500n },
    { lineType: 'feature_overage', amount: 300n },
    { lineType: 'credit', amount: -700n },
  ] as const;
  expect(creditableParts(lines)).toEqual([7_500n, 0n, 300n, 0n]);
  const excessive = [
    { lineType: 'plan_base', amount: 100n },
    { lineType: 'promo_code_discount', amount: -150n },
    { lineType: 'one_time', amount: 100n },
  ] as const;
  expect(creditableParts(excessive)).toEqual([0n, 0n, 50n]);
});

test('two credit notes of 0.01 reduce two line items by 0.01 each', () => {
  const lines = [
    { lineType: 'one_time', amount: 1n },
    { lineType: 'one_time', amount: 1n },
  ] as const;
  expect(noteLines(lines, [1n, 1n])).toEqual([
    [1n, 0n],
    [0n, 1n],
  ]);
});

/** Generates an invoice with random line items and tax, and a random sequence of credit notes for the full amount. */
const taken = fc
  .record({
    amounts: fc.array(fc.bigInt({ min: 0n, max: 100_000n }), { minLength: 1, maxLength: 6 }),
    taxPercent: fc.bigInt({ min: 0n, max: 30n }),
    weights: fc.array(fc.bigInt({ min: 1n, max: 1_000n }), { minLength: 1, maxLength: 12 }),
  })
  .filter(({ amounts }) => amounts.some((amount) => amount > 0n));

test("credit notes never exceed the invoice, and a fully credited invoice's credit notes equal its total, tax, and line items (DAT-12)", () => {
  fc.assert(
    fc.property(taken, ({ amounts, taxPercent, weights }) => {
      const lines = amounts.map((amount) => ({ lineType: 'one_time', amount }) as const);
      const net = amounts.reduce((sum, amount) => sum + amount, 0n);
      const tax = (net * taxPercent) / 100n;
      const total = net + tax;
      const all = weights.reduce((sum, weight) => sum + weight, 0n);
      let state = invoice(total, tax);
      const subtotals: bigint[] = [];
      for (const [index, weight] of weights.entries()) {
        const left = total - state.creditedAmount;
        const amount = index === weights.length - 1 ? left : (total * weight) / all;
        if (amount === 0n) continue;
        const note = creditNoteAmounts(state, amount);
        expect(note.taxAmount >= 0n && note.subtotal >= 0n).toBe(true);
        expect(note.subtotal + note.taxAmount).toBe(amount);
        subtotals.push(note.subtotal);
        state = {
          ...state,
          creditedAmount: state.creditedAmount + amount,
          creditedTax: state.creditedTax + note.taxAmount,
        };
        expect(state.creditedTax <= tax).toBe(true);
      }
      expect([state.creditedAmount, state.creditedTax]).toEqual([total, tax]);
      const perLine = noteLines(lines, subtotals);
      expect(perLine.map((shares) => shares.reduce((sum, share) => sum + share, 0n))).toEqual(subtotals);
      expect(
        amounts.map((_, line) => perLine.reduce((sum, shares) => sum + (shares[line] ?? 0n), 0n)),
      ).toEqual(amounts);
    }),
  );
});

test('credit note numbers have at least four digits (DAT-11)', () => {
  expect([creditNoteNumberText(1n), creditNoteNumberText(12_345n)]).toEqual(['CN-0001', 'CN-12345']);
});
