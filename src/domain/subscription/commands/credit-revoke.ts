import { specificRejection } from '../../errors/errors.ts';
import { usableAmount } from '../../invoicing/credit-balance.ts';
import { postCreditRevoked } from '../../ledger/documents.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly creditId: string;
};

/**
 * Revokes the unused amount of a customer credit. Does nothing if the credit has no usable amount. Fails with
 * `not_found` if the customer doesn't have the credit.
 */
export const creditRevoke = customerCommand({
  kind: 'credit.revoke',
  needs: ({ creditId }: Input) => ({ credits: [creditId] }),
  decide(draft: Draft, { creditId }: Input): Decision {
    const credit = draft.credits.find(creditId);
    if (credit === null)
      return draft.reject(specificRejection('not_found', 'customer_credit', { param: 'creditId' }));
    const amount = usableAmount(credit, draft.now);
    if (amount === 0n) return draft.done('unchanged', null);
    draft.credits.patch(credit.id, {
      revokedMinor: credit.revokedMinor + amount,
      remainingMinor: credit.remainingMinor - amount,
      updatedAt: draft.now,
    });
    draft.ledger.push(...postCreditRevoked(credit, amount, draft.newId, draft.now));
    return draft.done('done', null);
  },
});
