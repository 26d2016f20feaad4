// Customer credits reduce the amounts of invoices. By default, the oldest credit is used first, until it's used up, revoked, or expired
// (BIL-18, BIL-19).
import { minOf } from '../money/money.ts';
import type { CreditOrder } from '../rows/enums.ts';
import type { CreditUse, CustomerCreditRow, InvoiceLineRow } from '../rows/rows.ts';

/**
 * Returns the amount of a credit that can be used at a given time, in minor units. 0 if the credit has
 * expired.
 */
export const usableAmount = (
  { remainingMinor, expiresAt }: Pick<CustomerCreditRow, 'remainingMinor' | 'expiresAt'>,
  at: Date,
): bigint => (expiresAt !== null && expiresAt <= at ? 0n : remainingMinor);

// Credits without a `seq` aren't stored yet, so they are newer than all stored credits.
const byAge = (a: CustomerCreditRow, b: CustomerCreditRow): number => {
  const older = a.createdAt.getTime() - b.createdAt.getTime();
  if (older !== 0 || a.seq === b.seq) return older;
  if (a.seq === null || b.seq === null) return a.seq === null ? 1 : -1;
  return a.seq < b.seq ? -1 : 1;
};

const endOf = ({ expiresAt }: CustomerCreditRow): number => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;

/** Compares credits by expiration. Credits that never expire come last, and credits that expire at the same time are sorted by age. */
const byEnd = (a: CustomerCreditRow, b: CustomerCreditRow): number =>
  endOf(a) === endOf(b) ? byAge(a, b) : endOf(a) - endOf(b);

/**
 * Returns the usable credits in a currency at a given time: oldest first by `createdAt` and `seq`, or the credit that
 * expires next first.
 */
export const usableCredits = (
  credits: readonly CustomerCreditRow[],
  currency: string,
  at: Date,
  order: CreditOrder = 'oldest',
): CustomerCreditRow[] =>
  credits
    .filter((credit) => credit.currency === currency && usableAmount(credit, at) > 0n)
    .toSorted(order === 'oldest' ? byAge : byEnd);

/** Amount used from a credit, in minor units. Positive. */
export type Draw = { readonly credit: CustomerCreditRow; readonly amountMinor: bigint };

/**
 * Covers an amount with credits in the given order. If the credits aren't sufficient, the sum of the used amounts is
 * less than the given amount.
 */
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

export const usesOf = (
  lines: readonly Pick<InvoiceLineRow, 'invoiceId' | 'creditId' | 'amount'>[],
): CreditUse[] =>
  lines.flatMap(({ invoiceId, creditId, amount }) =>
    creditId === null ? [] : [{ invoiceId, creditId, amountMinor: -amount }],
  );
