import { closeLot } from '../../lots/movements.ts';
import type { CommitmentTerms } from '../../rows/purchase-rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { lotEvent } from '../../usage/event-data.ts';
import { accountOf } from '../allowances/allowance.ts';
import { removeFromLot } from '../allowances/remove-from-lot.ts';
import { expireCredit } from '../invoicing/credits.ts';
import { endCommitment } from '../purchases/end-commitment.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type FromDeadline, unknownSubscription } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = FromDeadline & {
  /** `null` if the lot is a customer credit. */
  readonly subscriptionId: string | null;
};

const isCommitment = (lot: LotRow): lot is LotRow & { readonly commitment: CommitmentTerms } =>
  lot.commitment !== null;

/**
 * Expires the remaining amount of a lot at its end (PRM-21). Does nothing if the lot is closed or its end was
 * changed. Runs even if the subscription is canceled. A prepaid commitment can continue for another term or renew (PRM-24).
 */
export const lotExpiry = customerCommand({
  kind: 'lot_expiry',
  needs: ({ subscriptionId }: Input) => ({ subscriptions: subscriptionId === null ? [] : [subscriptionId] }),
  decide(draft: Draft, command: Input): Decision {
    const { deadlineId, dueAt, subscriptionId } = command;
    const subscription = subscriptionId === null ? null : draft.subscriptions.find(subscriptionId);
    if (subscription === null && subscriptionId !== null)
      return draft.reject(unknownSubscription(subscriptionId));
    const lotId = draft.aggregate.deadlines.find(({ id }) => id === deadlineId)?.data.lotId;
    const lot = lotId === undefined ? null : draft.lots.find(lotId);
    const isDue = lot?.isOpen === true && lot.expiresAt?.getTime() === dueAt.getTime();
    if (isDue && subscription !== null && isCommitment(lot))
      return endCommitment(draft, subscription, lot, command);
    draft.complete(command);
    if (!isDue) return draft.done('unchanged', subscriptionId);
    if (subscription !== null) {
      const closed = closeLot(accountOf(draft, subscription), lot, 'expiry');
      removeFromLot(draft, subscription, lot, closed, { kind: 'lot.expired', sourceId: deadlineId });
      return draft.done('done', subscriptionId);
    }
    expireCredit(draft, lot, deadlineId);
    if (lot.remaining > 0n)
      draft.emit(lotEvent('lot.expired', { customer: draft.customer, subscription }, lot, lot.remaining));
    return draft.done('done', subscriptionId);
  },
});
