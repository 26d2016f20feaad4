// Customer credits in a customer's billing state: granted, drawn on by invoices, given back by voided ones,
// revoked (BIL-18, BIL-19).
import { usesOf } from '../../customer-credits.ts';
import type { Draft } from '../state/draft.ts';
import type { CreditUse, CustomerCreditRow, InvoiceLineRow } from '../state/rows.ts';

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
 * Takes from credits what the lines of a new invoice draw on them. The ledger posts them with the invoice.
 */
export const takeCredits = (draft: Draft, lines: readonly InvoiceLineRow[]): void =>
  moveEach(draft, usesOf(lines), (credit, amount) => ({
    appliedMinor: credit.appliedMinor + amount,
    remainingMinor: credit.remainingMinor - amount,
  }));

/**
 * Gives back what a voided invoice took; a credit that has expired meanwhile gets it too, and stays expired.
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
