// Changes to customer credits: used by invoices, returned by voided invoices, or revoked (BIL-18, BIL-19).
import { usesOf } from '../../invoicing/credit-balance.ts';
import { postCreditGranted, postCreditReturned } from '../../ledger/documents.ts';
import type { CreditUse, CustomerCreditRow, InvoiceLineRow } from '../../rows/rows.ts';
import type { Draft } from '../state/draft.ts';

function moveEach(
  draft: Draft,
  uses: readonly CreditUse[],
  move: (credit: CustomerCreditRow, amount: bigint) => Partial<CustomerCreditRow>,
): void {
  for (const { creditId, amountMinor } of uses) {
    const credit = draft.credits.find(creditId);
    if (credit === null) throw new Error(`The credit ${creditId} of an invoice is not in the aggregate.`);
    draft.credits.patch(creditId, { ...move(credit, amountMinor), updatedAt: draft.now });
  }
}

/**
 * Deducts the credits that the lines of a new invoice use. The ledger records the deduction with the invoice.
 */
export const deductCredits = (draft: Draft, lines: readonly InvoiceLineRow[]): void =>
  moveEach(draft, usesOf(lines), (credit, amount) => ({
    appliedMinor: credit.appliedMinor + amount,
    remainingMinor: credit.remainingMinor - amount,
  }));

/** Restores the credits that a revised invoice used, as if they had never been used. */
export const restoreCredits = (draft: Draft, invoiceId: string): void =>
  moveEach(
    draft,
    draft.creditUses.filter((use) => use.invoiceId === invoiceId),
    (credit, amount) => ({
      appliedMinor: credit.appliedMinor - amount,
      remainingMinor: credit.remainingMinor + amount,
    }),
  );

/**
 * Reverses the use of credits by a voided invoice. Expired credits also get their amount back, but remain
 * expired.
 */
export const returnCredits = (draft: Draft, invoiceId: string): void =>
  moveEach(
    draft,
    draft.creditUses.filter((use) => use.invoiceId === invoiceId),
    (credit, amount) => ({
      reversedMinor: credit.reversedMinor + amount,
      remainingMinor: credit.remainingMinor + amount,
    }),
  );

/** Revokes part of a credit because the payment that created it is refunded (PAY-28a). */
export function withdrawCredit(draft: Draft, credit: CustomerCreditRow, amountMinor: bigint): void {
  draft.credits.patch(credit.id, {
    revokedMinor: credit.revokedMinor + amountMinor,
    remainingMinor: credit.remainingMinor - amountMinor,
    updatedAt: draft.now,
  });
  draft.ledger.push(...postCreditReturned(credit, amountMinor, draft.newId, draft.now));
}

/** Restores the revoked part of a credit after the refund that revoked it was declined. */
export function restoreRevokedCredit(draft: Draft, credit: CustomerCreditRow, amountMinor: bigint): void {
  draft.credits.patch(credit.id, {
    revokedMinor: credit.revokedMinor - amountMinor,
    remainingMinor: credit.remainingMinor + amountMinor,
    updatedAt: draft.now,
  });
  const back = { ...credit, amountMinor };
  draft.ledger.push(...postCreditGranted(back, 'credit.prorated', draft.newId, draft.now));
}
