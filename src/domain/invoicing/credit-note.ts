// Calculates the amounts of credit notes (DAT-10 … DAT-12), and the remaining amount due of an invoice.

import { divideRounded, maxOf, minOf } from '../money/money.ts';
import type { InvoiceLineType } from '../rows/enums.ts';
import type { InvoiceRow } from '../rows/rows.ts';

/** Formats the number of a credit note: `CN-` and at least 4 digits. */
export const creditNoteNumberText = (number: bigint): string => `CN-${number.toString().padStart(4, '0')}`;

/** An invoice's total and tax, and the amounts credited so far, in minor units. */
export type CreditedInvoice = Pick<InvoiceRow, 'total' | 'taxAmount' | 'creditedAmount' | 'creditedTax'>;

/** Amounts that determine the rest of an outstanding invoice. */
type OpenInvoice = CreditedInvoice & Pick<InvoiceRow, 'paidInParts'>;

/** Returns the amount of an invoice that can still be credited, in minor units. */
export const creditLeft = ({ total, creditedAmount }: Pick<InvoiceRow, 'total' | 'creditedAmount'>): bigint =>
  maxOf(0n, total - creditedAmount);

/** Total to charge and the tax that the total includes, in minor units. */
type Due = { readonly total: bigint; readonly taxAmount: bigint };

/** Returns the amount due of an invoice. 0 if the invoice is settled or its total is negative. */
export function amountDue({
  status,
  total,
  creditedDue,
  paidInParts,
}: Pick<InvoiceRow, 'status' | 'total' | 'creditedDue' | 'paidInParts'>): bigint {
  return status === 'draft' || status === 'outstanding' ? maxOf(0n, total - creditedDue - paidInParts) : 0n;
}

/** Returns the amount paid for an invoice, without refunds: the paid parts of an outstanding invoice, or the total of a paid invoice. */
export function amountPaid({
  status,
  total,
  creditedDue,
  paidInParts,
}: Pick<InvoiceRow, 'status' | 'total' | 'creditedDue' | 'paidInParts'>): bigint {
  if (status === 'paid') return maxOf(0n, total - creditedDue);
  return status === 'void' ? 0n : paidInParts;
}

/**
 * Returns the total and tax to charge for an outstanding invoice, without the amounts that are already credited or paid in
 * parts. Each part contains a proportional share of the tax, rounded half up. The taxes of all parts add up to the tax of the
 * invoice.
 */
export function chargeOf({ total, taxAmount, creditedAmount, creditedTax, paidInParts }: OpenInvoice): Due {
  const due = total - creditedAmount;
  const tax = taxAmount - creditedTax;
  if (paidInParts === 0n || due <= 0n) return { total: due - paidInParts, taxAmount: tax };
  return { total: due - paidInParts, taxAmount: tax - divideRounded(tax * paidInParts, due) };
}

/** Amounts of a credit note in minor units, as positive numbers. */
export type CreditNoteAmounts = {
  readonly subtotal: bigint;
  readonly taxAmount: bigint;
  readonly total: bigint;
};

/**
 * Returns the amounts of the next credit note. Its tax is the tax on all amounts credited so far, rounded half up,
 * minus the tax of earlier credit notes. The tax of all credit notes therefore adds up to the tax of the invoice.
 * `amount` must be positive and at most `creditLeft`.
 */
export function creditNoteAmounts(invoice: CreditedInvoice, amount: bigint): CreditNoteAmounts {
  const credited = invoice.creditedAmount + amount;
  const taxAmount = divideRounded(invoice.taxAmount * credited, invoice.total) - invoice.creditedTax;
  return { subtotal: amount - taxAmount, taxAmount, total: amount };
}

/**
 * Distributes an amount in proportion to the given parts. Shares are rounded down. The remaining units go
 * to the parts with the largest remainders.
 */
export function distributeAmount(parts: readonly bigint[], amount: bigint): bigint[] {
  const whole = parts.reduce((sum, part) => sum + part, 0n);
  if (amount < 0n || amount > whole) throw new RangeError(`${amount} cannot be laid on ${whole}.`);
  if (whole === 0n) return parts.map(() => 0n);
  const shares = parts.map((part) => (amount * part) / whole);
  const missing = amount - shares.reduce((sum, share) => sum + share, 0n);
  const byRemainder = parts
    .map((part, index) => ({ index, remainder: (amount * part) % whole }))
    .toSorted((a, b) =>
      a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1,
    );
  const raised = new Set(byRemainder.slice(0, Number(missing)).map(({ index }) => index));
  return shares.map((share, index) => (raised.has(index) ? share + 1n : share));
}

type Line = { readonly lineType: InvoiceLineType; readonly amount: bigint };

const isDiscount = ({ lineType }: Line): boolean =>
  lineType === 'discount' || lineType === 'promo_code_discount';

/**
 * Returns the creditable amount of each line: charges after discounts, and 0 for discounts and credits. A
 * discount reduces the preceding charge. If it exceeds that charge, it also reduces other charges.
 */
export function creditableParts(lines: readonly Line[]): bigint[] {
  const parts = lines.map(({ lineType, amount }) => (lineType === 'credit' ? 0n : maxOf(0n, amount)));
  for (const [at, line] of lines.entries()) {
    if (!isDiscount(line)) continue;
    let open = -line.amount;
    const nearest = [...lines.keys()].toSorted(
      (a, b) => Number(a > at) - Number(b > at) || (a > at ? a - b : b - a),
    );
    for (const index of nearest) {
      const taken = minOf(open, parts[index] ?? 0n);
      parts[index] = (parts[index] ?? 0n) - taken;
      open -= taken;
    }
  }
  return parts;
}

/**
 * Returns the line amounts of each credit note for an invoice, ordered by number. The subtotal of each
 * credit note is distributed over the amounts that aren't credited yet, so no line is credited more than
 * once. The result never changes, because it depends only on immutable lines and subtotals.
 */
export function noteLines(lines: readonly Line[], subtotals: readonly bigint[]): bigint[][] {
  let left = creditableParts(lines);
  return subtotals.map((subtotal) => {
    const shares = distributeAmount(left, subtotal);
    left = left.map((part, index) => part - (shares[index] ?? 0n));
    return shares;
  });
}
