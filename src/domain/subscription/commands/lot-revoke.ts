import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { isCredit, usableMinor } from '../../lots/credits.ts';
import { closeLot } from '../../lots/movements.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { applyRaise, moveAccount } from '../allowances/allowance.ts';
import { revokeCredit } from '../invoicing/credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Needs, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection } from '../state/rejections.ts';

/** Input of a command on a lot. `subscriptionId` is `null` if the lot is a customer credit. */
export type OnLot = Timed & { readonly lotId: string; readonly subscriptionId: string | null };

/** Returns the rows that a command on a lot needs. */
export const lotNeeds = ({ subscriptionId }: OnLot): Partial<Needs> => ({
  subscriptions: subscriptionId === null ? [] : [subscriptionId],
});

/** Returns an open lot of its owner, or a rejection if the lot is closed. */
export function openLotOf(draft: Draft, { lotId, subscriptionId }: OnLot): LotRow | Rejection {
  const lot = draft.lots.find(lotId);
  return lot?.isOpen === true && lot.subscriptionId === subscriptionId
    ? lot
    : specificRejection('not_found', 'open_lot', { param: 'id' });
}

/**
 * Revokes the remaining amount of a granted lot or a customer credit (PRM-146). Fails with `not_found` if the lot is
 * closed, and with `validation_error` for lots that weren't granted.
 */
export const lotRevoke = customerCommand({
  kind: 'lot.revoke',
  ignoresUsage: true,
  needs: lotNeeds,
  decide(draft: Draft, input: OnLot): Decision {
    const lot = openLotOf(draft, input);
    if ('code' in lot) return draft.reject(lot);
    if (lot.source !== 'promotion' && lot.source !== 'adjustment' && !isCredit(lot))
      return draft.reject(fieldRejection('id', "Only granted lots can be revoked. This lot wasn't granted."));
    if (lot.subscriptionId === null) revokeCredit(draft, lot, usableMinor(lot, draft.now), 'credit.revoked');
    else {
      const subscription = draft.subscriptions.get(lot.subscriptionId);
      const account = applyRaise(draft, subscription);
      const details = { sourceId: lot.id, description: null };
      moveAccount(draft, subscription, closeLot(account, lot, 'revoke'), details);
    }
    return draft.done('done', lot.subscriptionId);
  },
});
