import { usableAmount } from '../../invoicing/credit-balance.ts';
import { postCreditGranted } from '../../ledger/documents.ts';
import type { CustomerCreditSource } from '../../rows/enums.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly creditId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly source: CustomerCreditSource;
  readonly reason: string;
  readonly expiresAt: Date | null;
};

/** Largest amount that an API response can represent exactly. */
const largestAmount = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns the largest credit that the customer could have in a currency. This is the usable amount, plus the credit
 * that voiding the open invoices would return.
 */
function largestPossibleCredit(draft: Draft, currency: string): bigint {
  const own = draft.credits.all().filter((credit) => credit.currency === currency);
  const ids = new Set(own.map(({ id }) => id));
  const usable = own.reduce((sum, credit) => sum + usableAmount(credit, draft.now), 0n);
  return draft.creditUses.reduce((sum, use) => (ids.has(use.creditId) ? sum + use.amountMinor : sum), usable);
}

const reject = (draft: Draft, field: string, message: string): Decision =>
  draft.reject({ code: 'validation_error', message, param: field, details: [{ field, message }] });

/**
 * Grants a customer credit. Fails with `validation_error` if the credit is already expired, or if the
 * customer's total credit can't be represented in a response.
 */
export const creditGrant = customerCommand({
  kind: 'credit.grant',
  needs: () => ({}),
  decide(draft: Draft, command: Input): Decision {
    const { amountMinor, currency, source, reason, expiresAt } = command;
    if (expiresAt !== null && expiresAt <= draft.now)
      return reject(draft, 'expiresAt', 'The expiration time of a credit must be in the future.');
    if (largestPossibleCredit(draft, currency) + amountMinor > largestAmount) {
      return reject(
        draft,
        'amount',
        `The customer's credit in ${currency} would exceed the maximum of ${largestAmount} (in minor units).`,
      );
    }
    const credit = draft.credits.add({
      id: command.creditId,
      seq: null,
      customerId: draft.customer.id,
      currency,
      source,
      reason,
      leftByInvoiceId: null,
      amountMinor,
      appliedMinor: 0n,
      reversedMinor: 0n,
      revokedMinor: 0n,
      remainingMinor: amountMinor,
      expiresAt,
      createdAt: draft.now,
      updatedAt: draft.now,
    });
    draft.ledger.push(...postCreditGranted(credit, 'credit.granted', draft.newId, draft.now));
    return draft.done('done', null);
  },
});
