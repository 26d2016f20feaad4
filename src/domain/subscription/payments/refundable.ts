// Calculates the refundable amount of a payment (PAY-28a). Excludes money that a plan change has already
// credited to the next invoice or the customer.

import { divideRounded, maxOf, minOf, rateToMinor } from '../../money/money.ts';
import type { InvoiceType } from '../../rows/enums.ts';
import type { InvoiceRow, TransactionRow } from '../../rows/rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { creditsOf } from '../invoicing/credits.ts';
import { changeOf, remainderOf } from '../plan-change/change-amounts.ts';
import { invoiceBehind } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';

/** Types of invoices that include a plan's base price (BIL-13). */
export const planInvoices: readonly InvoiceType[] = ['recurring', 'plan_change', 'reactivation'];

/** Credit that a plan change created from a paid invoice, before tax, in minor units. */
type Onward = {
  /** Amount that the plan change's invoice and later invoices have used. */
  readonly usedMinor: bigint;
  /** Customer credit for the unused amount. `null` if the plan change created none. */
  readonly credit: LotRow | null;
};

const notCredited: Onward = { usedMinor: 0n, credit: null };

const isLater = (a: InvoiceRow, b: InvoiceRow): boolean =>
  a.createdAt.getTime() === b.createdAt.getTime() ? (a.seq ?? 0n) > (b.seq ?? 0n) : a.createdAt > b.createdAt;

/**
 * Returns the next plan invoice of the same subscription, among the loaded invoices. `null` if no plan
 * invoice follows.
 */
function nextPlanInvoice(draft: Draft, invoice: InvoiceRow): InvoiceRow | null {
  const later = draft.invoices
    .all()
    .filter(
      (row) =>
        row.subscriptionId !== null &&
        row.subscriptionId === invoice.subscriptionId &&
        planInvoices.includes(row.type) &&
        row.status !== 'void' &&
        row.finalizedAt !== null &&
        isLater(row, invoice),
    );
  return later.reduce<InvoiceRow | null>(
    (first, row) => (first === null || isLater(first, row) ? row : first),
    null,
  );
}

function onwardOf(draft: Draft, invoice: InvoiceRow): Onward {
  const next = planInvoices.includes(invoice.type) ? nextPlanInvoice(draft, invoice) : null;
  const change = next === null ? null : changeOf(next);
  if (next === null || change === null) return notCredited;
  const creditMinor = BigInt(change.creditMinor);
  // The customer credit is created only after the invoice is paid.
  if (next.status !== 'paid') return { usedMinor: creditMinor, credit: null };
  const credit = creditsOf(draft).find(({ sourceId }) => sourceId === next.id) ?? null;
  const drawn = credit === null ? 0n : rateToMinor(credit.drawnInWindow, credit.asset);
  return { usedMinor: creditMinor - remainderOf(next, change) + drawn, credit };
}

/** Refundable amounts of a settled transaction. */
export type Refundable = {
  /** Maximum refundable amount in the charge's minor units. */
  readonly maxMinor: bigint;
  /** Credited amount that was already used, including tax. */
  readonly usedMinor: bigint;
  /**
   * Returns the customer credit that a refund revokes, and the amount to revoke. `null` if the refund
   * revokes no credit.
   */
  withdrawal(amountMinor: bigint): { readonly credit: LotRow; readonly amountMinor: bigint } | null;
};

/**
 * Computes the refundable amount of a transaction: the paid amount minus earlier refunds and minus credited
 * amounts that were used. Credits reduce the taxable amount, so the used amount includes its tax.
 */
export function refundableOf(draft: Draft, transaction: TransactionRow): Refundable {
  const invoice = invoiceBehind(draft, transaction);
  const keptMinor = transaction.amountMinor - transaction.refundedMinor;
  const { usedMinor, credit } = invoice === null ? notCredited : onwardOf(draft, invoice);
  const taxable = invoice === null ? 0n : invoice.total - invoice.taxAmount;
  const total = invoice?.total ?? 0n;
  const usedGross = taxable <= 0n ? usedMinor : divideRounded(usedMinor * total, taxable);
  return {
    maxMinor: maxOf(0n, keptMinor - usedGross),
    usedMinor: minOf(usedGross, keptMinor),
    withdrawal(amountMinor) {
      if (credit === null) return null;
      const room = keptMinor - amountMinor;
      const roomNet = total <= 0n ? room : (room * taxable) / total;
      const remaining = rateToMinor(credit.remaining, credit.asset);
      const withdrawn = remaining - minOf(remaining, maxOf(0n, roomNet - usedMinor));
      return withdrawn === 0n ? null : { credit, amountMinor: withdrawn };
    },
  };
}
