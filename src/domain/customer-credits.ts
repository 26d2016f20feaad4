// Customer credits: money that lowers invoices, drawn down oldest first until it is used up, revoked or
// expired (BIL-18, BIL-19).
import { minOf } from './money.ts';
import type { CreditUse, CustomerCreditRow, InvoiceLineRow } from './subscription/state/rows.ts';

/** The usable rest of a credit at an instant, minor units. 0 from the moment it expires. */
export const usableAmount = (
  { remainingMinor, expiresAt }: Pick<CustomerCreditRow, 'remainingMinor' | 'expiresAt'>,
  at: Date,
): bigint => (expiresAt !== null && expiresAt <= at ? 0n : remainingMinor);

// A credit without a seq is new, and so newer than all that have one.
const byAge = (a: CustomerCreditRow, b: CustomerCreditRow): number => {
  const older = a.createdAt.getTime() - b.createdAt.getTime();
  if (older !== 0 || a.seq === b.seq) return older;
  if (a.seq === null || b.seq === null) return a.seq === null ? 1 : -1;
  return a.seq < b.seq ? -1 : 1;
};

/**
 * The credits of one currency that can be used at an instant, in the order they are drawn on: oldest first by
 * (createdAt, seq).
 */
export const usableCredits = (
  credits: readonly CustomerCreditRow[],
  currency: string,
  at: Date,
): CustomerCreditRow[] =>
  credits.filter((credit) => credit.currency === currency && usableAmount(credit, at) > 0n).toSorted(byAge);

/** What is taken from a credit; minor units, above 0. */
export type Draw = { readonly credit: CustomerCreditRow; readonly amountMinor: bigint };

/** Covers an amount from usable credits in the order given, as far as they reach. */
export function drawDown(credits: readonly CustomerCreditRow[], amountMinor: bigint): Draw[] {
  const draws: Draw[] = [];
  let open = amountMinor;
  for (const credit of credits) {
    if (open <= 0n) break;
    const draw = { credit, amountMinor: minOf(open, credit.remainingMinor) };
    draws.push(draw);
    open -= draw.amountMinor;
  }
  return draws;
}

/** What invoice lines take from credits. */
export const usesOf = (
  lines: readonly Pick<InvoiceLineRow, 'invoiceId' | 'creditId' | 'amount'>[],
): CreditUse[] =>
  lines.flatMap(({ invoiceId, creditId, amount }) =>
    creditId === null ? [] : [{ invoiceId, creditId, amountMinor: -amount }],
  );
