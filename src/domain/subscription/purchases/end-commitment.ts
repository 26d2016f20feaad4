import type { CommitmentTerms } from '../../rows/purchase-rows.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import type { FromDeadline } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { statusRejection } from '../state/rejections.ts';
import { announceEnd, endTerm, renewalOf } from './commitments.ts';
import { buy, purchaseRejection } from './purchase.ts';

/**
 * Ends the term of a commitment, and purchases it again if it renews automatically (PRM-24). `commitment.ended` is sent once:
 * when a renewal fails, even if the remaining amount can be used for one more term, or at the end of a commitment that doesn't renew. Waits while a charge of the
 * subscription is in progress, because the usage of the ended window hasn't been billed or the renewal can't be charged.
 */
export function endCommitment(
  draft: Draft,
  subscription: SubscriptionRow,
  lot: LotRow & { readonly commitment: CommitmentTerms },
  command: FromDeadline,
): Decision {
  const { id, status, windowEnd } = subscription;
  const isUnbilled = windowEnd !== null && windowEnd <= command.dueAt && status === 'past_due';
  if (status !== 'canceled' && (isUnbilled || isCharging(draft, subscription)))
    return draft.finish({ kind: 'park' });
  draft.complete(command);
  const isClosed = endTerm(draft, subscription, lot, command.deadlineId);
  if (lot.commitment.autoRenew && status !== 'canceled') {
    if (statusRejection('purchase', subscription) === null && purchaseRejection(draft, subscription) === null)
      return buy(draft, draft.subscriptions.get(id), renewalOf(lot));
    announceEnd(draft, subscription, lot, 'payment_failed');
  } else if (isClosed && lot.commitment.isRest !== true)
    announceEnd(draft, subscription, lot, status === 'canceled' ? 'subscription_canceled' : 'expired');
  return draft.done('done', id);
}
