import { usableAmount } from '../../customer-credits.ts';
import { specificRejection } from '../../errors.ts';
import { postCreditRevoked } from '../../ledger/documents.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly creditId: string;
};

/**
 * Withdraws what can still be used of a credit; where nothing can, nothing changes. Rejects with `not_found`
 * an unknown credit and one of another customer.
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
