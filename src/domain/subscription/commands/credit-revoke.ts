import { specificRejection } from '../../errors/errors.ts';
import { isCredit, usableMinor } from '../../lots/credits.ts';
import { revokeCredit } from '../invoicing/credits.ts';
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
  ignoresUsage: true,
  needs: ({ creditId }: Input) => ({ credits: [creditId] }),
  decide(draft: Draft, { creditId }: Input): Decision {
    const credit = draft.lots.find(creditId);
    if (credit === null || !isCredit(credit))
      return draft.reject(specificRejection('not_found', 'customer_credit', { param: 'creditId' }));
    const amount = usableMinor(credit, draft.now);
    if (amount === 0n) return draft.done('unchanged', null);
    revokeCredit(draft, credit, amount, 'credit.revoked');
    return draft.done('done', null);
  },
});
