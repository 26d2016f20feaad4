import { closeLot } from '../../lots/movements.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { lotEvent } from '../../usage/event-data.ts';
import { accountOf, moveAccount } from '../allowances/allowance.ts';
import type { Decision } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/**
 * Expires the remaining amount of a lot at its end (PRM-21). Does nothing if the lot is closed or its end was
 * changed. Runs even if the subscription is canceled.
 */
export const lotExpiry = subscriptionCommand({
  kind: 'lot_expiry',
  decide(draft: Draft, subscription: SubscriptionRow, command: Due): Decision {
    const lotId = draft.aggregate.deadlines.find(({ id }) => id === command.deadlineId)?.data.lotId;
    draft.complete(command);
    const lot = lotId === undefined ? null : draft.lots.find(lotId);
    if (lot?.isOpen !== true || lot.expiresAt?.getTime() !== command.dueAt.getTime())
      return draft.done('unchanged', subscription.id);
    const closed = closeLot(accountOf(draft, subscription), lot, 'expiry');
    moveAccount(draft, subscription, closed, { sourceId: command.deadlineId, description: null });
    if (lot.remaining > 0n)
      draft.emit(lotEvent('lot.expired', { customer: draft.customer, subscription }, lot, lot.remaining));
    return draft.done('done', subscription.id);
  },
});
