// Customer credits in a customer's billing state: granted, drawn on by invoices, given back by voided ones, revoked (BIL-18, BIL-19).
import { usableAmount, usesOf } from '../customer-credits.ts';
import { postCreditGranted, postCreditRevoked } from '../ledger.ts';
import type { Decision, GrantCreditCommand, RevokeCreditCommand } from './aggregate.ts';
import type { CreditUse, CustomerCreditRow, InvoiceLineRow } from './rows.ts';
import type { Work } from './work.ts';

/** The largest amount an answer can hold (protocols B9). */
const largestAmount = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * What the customer could have in a currency at most: what can be used now, and what open invoices would give back if they were voided.
 * It is kept within what an answer can hold.
 */
function reach(work: Work, currency: string): bigint {
  const own = work.credits.all().filter((credit) => credit.currency === currency);
  const ids = new Set(own.map(({ id }) => id));
  const usable = own.reduce((sum, credit) => sum + usableAmount(credit, work.now), 0n);
  return work.creditUses.reduce((sum, use) => (ids.has(use.creditId) ? sum + use.amountMinor : sum), usable);
}

const refuse = (work: Work, field: string, message: string): Decision =>
  work.refuse({ code: 'validation_error', message, param: field, details: [{ field, message }] });

/** Grants a credit. Refused with `validation_error` when it would expire at once, or when the customer's credit would outgrow an answer. */
export function grantCredit(work: Work, command: GrantCreditCommand): Decision {
  const { amountMinor, currency, source, reason, expiresAt } = command;
  if (expiresAt !== null && expiresAt <= work.now) return refuse(work, 'expiresAt', 'A credit must expire in the future.');
  if (reach(work, currency) + amountMinor > largestAmount) {
    return refuse(work, 'amount', `The customer's credit in ${currency} would exceed ${largestAmount}.`);
  }
  const credit = work.credits.add({
    id: command.creditId,
    seq: null,
    customerId: work.customer.id,
    currency,
    source,
    reason,
    amountMinor,
    appliedMinor: 0n,
    reversedMinor: 0n,
    revokedMinor: 0n,
    remainingMinor: amountMinor,
    expiresAt,
    createdAt: work.now,
    updatedAt: work.now,
  });
  work.ledger.push(...postCreditGranted(credit, 'credit.granted', work.newId, work.now));
  return work.done('done', null);
}

/** Withdraws what can still be used of a credit; where nothing can, nothing happens. Refused with `not_found` for one of nobody or another customer. */
export function revokeCredit(work: Work, { creditId }: RevokeCreditCommand): Decision {
  const credit = work.credits.find(creditId);
  if (credit === null) return work.refuse({ code: 'not_found', message: 'The customer has no such credit.', param: 'creditId' });
  const amount = usableAmount(credit, work.now);
  if (amount === 0n) return work.done('unchanged', null);
  work.credits.put({
    ...credit,
    revokedMinor: credit.revokedMinor + amount,
    remainingMinor: credit.remainingMinor - amount,
    updatedAt: work.now,
  });
  work.ledger.push(...postCreditRevoked(credit, amount, work.newId, work.now));
  return work.done('done', null);
}

function moveEach(work: Work, uses: readonly CreditUse[], move: (credit: CustomerCreditRow, amount: bigint) => CustomerCreditRow): void {
  for (const { creditId, amountMinor } of uses) {
    const credit = work.credits.find(creditId);
    if (credit === null) throw new Error(`The credit ${creditId} of an invoice is not in the aggregate.`);
    work.credits.put({ ...move(credit, amountMinor), updatedAt: work.now });
  }
}

/** Takes from credits what the lines of a new invoice draw on them. The ledger knows it from the invoice. */
export const takeCredits = (work: Work, lines: readonly InvoiceLineRow[]): void =>
  moveEach(work, usesOf(lines), (credit, amount) => ({
    ...credit,
    appliedMinor: credit.appliedMinor + amount,
    remainingMinor: credit.remainingMinor - amount,
  }));

/** Gives back what a voided invoice took; a credit that has expired meanwhile gets it too, and stays expired. */
export const returnCredits = (work: Work, invoiceId: string): void =>
  moveEach(
    work,
    work.creditUses.filter((use) => use.invoiceId === invoiceId),
    (credit, amount) => ({
      ...credit,
      reversedMinor: credit.reversedMinor + amount,
      remainingMinor: credit.remainingMinor + amount,
    }),
  );
