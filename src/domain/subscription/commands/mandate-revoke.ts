import { specificRejection } from '../../errors/errors.ts';
import { revokeMandate } from '../payments/debit-attempt.ts';
import { customerCommand, type Timed } from '../state/command.ts';

type Input = Timed & {
  readonly mandateId: string;
  /** Subscriptions with a scheduled debit from the bank account, including canceled ones. */
  readonly subscriptionIds: readonly string[];
  readonly by: 'customer' | 'merchant';
};

/**
 * Ends a mandate at the request of the customer or the organization (INS-64). Scheduled debits are canceled, and debits
 * that are processing continue. Does nothing if the mandate already ended.
 */
export const mandateRevoke = customerCommand({
  kind: 'mandate.revoke',
  needs: ({ subscriptionIds }: Input) => ({ subscriptions: subscriptionIds }),
  decide(draft, { mandateId, by }: Input) {
    const mandate = draft.mandates.find(mandateId);
    const method = draft.paymentMethods.all().find(({ id }) => id === mandate?.paymentMethodId);
    if (method === undefined) return draft.reject(specificRejection('not_found', 'mandate', { param: 'id' }));
    revokeMandate(draft, method, { endedBy: by, reason: null });
    return draft.done('done', null);
  },
});
