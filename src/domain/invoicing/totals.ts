import type { InvoiceLineType } from '../enums.ts';
import { minOf } from '../money.ts';
import { type Tax, taxOn } from '../tax.ts';

/** The sums of an invoice in minor units (BIL-15). */
export type InvoiceTotals = {
  readonly subtotal: bigint;
  readonly discountAmount: bigint;
  readonly creditApplied: bigint;
  readonly taxAmount: bigint;
  readonly total: bigint;
};

/**
 * Adds up the lines: positive ones, less discounts, less credits as far as there is something left, plus tax
 * on the rest (BIL-15).
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
