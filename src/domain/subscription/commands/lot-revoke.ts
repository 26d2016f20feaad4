import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { closeLot } from '../../lots/movements.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { applyRaise, moveAccount } from '../allowances/allowance.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection } from '../state/rejections.ts';

type Input = OnSubscription & { readonly lotId: string };

/** Returns an open lot of a subscription, or a rejection if the lot is closed. */
export function openLotOf(
  draft: Draft,
  { id: subscriptionId }: SubscriptionRow,
  lotId: string,
): LotRow | Rejection {
  const lot = draft.lots.find(lotId);
  return lot?.isOpen === true && lot.subscriptionId === subscriptionId
    ? lot
    : specificRejection('not_found', 'open_lot', { param: 'id' });
}

/**
 * Revokes the remaining amount of a granted lot (PRM-146). Fails with `not_found` if the lot is closed, and with
 * `validation_error` for any other lot than a grant or an adjustment.
 */
export const lotRevoke = subscriptionCommand({
  kind: 'lot.revoke',
  decide(draft: Draft, subscription: SubscriptionRow, { lotId }: Input): Decision {
    const lot = openLotOf(draft, subscription, lotId);
    if ('code' in lot) return draft.reject(lot);
    if (lot.source !== 'promotion' && lot.source !== 'adjustment')
      return draft.reject(fieldRejection('id', "Only granted lots can be revoked. This lot wasn't granted."));
    const account = applyRaise(draft, subscription);
    moveAccount(draft, subscription, closeLot(account, lot, 'revoke'), {
      sourceId: lotId,
      description: null,
    });
    return draft.done('done', subscription.id);
  },
});
