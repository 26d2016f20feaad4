import { usableAmount } from '../../customer-credits.ts';
import type { CustomerCreditSource } from '../../enums.ts';
import { postCreditGranted } from '../../ledger/documents.ts';
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

/** The largest amount a response can hold. */
const largestAmount = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * What the customer could have in a currency at most: what can be used now, and what open invoices would give
 * back if they were voided. It must fit into a response.
 */
function reach(draft: Draft, currency: string): bigint {
  const own = draft.credits.all().filter((credit) => credit.currency === currency);
  const ids = new Set(own.map(({ id }) => id));
  const usable = own.reduce((sum, credit) => sum + usableAmount(credit, draft.now), 0n);
  return draft.creditUses.reduce((sum, use) => (ids.has(use.creditId) ? sum + use.amountMinor : sum), usable);
}

const reject = (draft: Draft, field: string, message: string): Decision =>
  draft.reject({ code: 'validation_error', message, param: field, details: [{ field, message }] });

/**
 * Grants a credit. Rejected with `validation_error` when it would expire at once, or when the customer's
 * credit would not fit into a response.
 */
export const creditGrant = customerCommand({
  kind: 'credit.grant',
  needs: () => ({}),
  decide(draft: Draft, command: Input): Decision {
    const { amountMinor, currency, source, reason, expiresAt } = command;
    if (expiresAt !== null && expiresAt <= draft.now)
      return reject(draft, 'expiresAt', 'A credit must expire in the future.');
    if (reach(draft, currency) + amountMinor > largestAmount) {
      return reject(draft, 'amount', `The customer's credit in ${currency} would exceed ${largestAmount}.`);
    }
    const credit = draft.credits.add({
      id: command.creditId,
      seq: null,
      customerId: draft.customer.id,
      currency,
      source,
      reason,
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
