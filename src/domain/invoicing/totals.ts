import { minOf } from '../money/money.ts';
import type { InvoiceLineType } from '../rows/enums.ts';
import { type Tax, taxOn } from '../tax/tax.ts';

/** Invoice totals in minor units (BIL-15). */
export type InvoiceTotals = {
  readonly subtotal: bigint;
  readonly discountAmount: bigint;
  readonly creditApplied: bigint;
  readonly taxAmount: bigint;
  readonly total: bigint;
};

export const noTotals: InvoiceTotals = {
  subtotal: 0n,
  discountAmount: 0n,
  creditApplied: 0n,
  taxAmount: 0n,
  total: 0n,
};

/**
 * Calculates the totals of lines. The taxable amount is charges minus discounts minus credits, and at least
 * 0. The total is the taxable amount plus its tax (BIL-15).
 */
export function totalsOf(
  lines: readonly { readonly lineType: InvoiceLineType; readonly amount: bigint }[],
  tax: Pick<Tax, 'ratePpm'>,
): InvoiceTotals {
  let subtotal = 0n;
  let discountAmount = 0n;
  let credit = 0n;
  for (const { lineType, amount } of lines) {
    if (lineType === 'discount' || lineType === 'promo_code_discount') discountAmount -= amount;
    else if (lineType === 'credit') credit -= amount;
    else subtotal += amount;
  }
  const creditApplied = minOf(credit, subtotal - discountAmount);
  const taxable = subtotal - discountAmount - creditApplied;
  const taxAmount = taxOn(taxable, tax);
  return { subtotal, discountAmount, creditApplied, taxAmount, total: taxable + taxAmount };
}
