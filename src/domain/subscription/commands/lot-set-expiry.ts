import { moveEnd } from '../../lots/movements.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { applyRaise, moveAccount } from '../allowances/allowance.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection } from '../state/rejections.ts';
import { openLotOf } from './lot-revoke.ts';

type Input = OnSubscription & { readonly lotId: string; readonly expiresAt: Date | null };

/**
 * Changes the end of a lot, and reschedules its expiry (PRM-21). Fails with `not_found` if the lot is closed, and
 * with `validation_error` if the lot ends with its window or the new end isn't in the future.
 */
export const lotSetExpiry = subscriptionCommand({
  kind: 'lot.set_expiry',
  decide(draft: Draft, subscription: SubscriptionRow, { lotId, expiresAt }: Input): Decision {
    const lot = openLotOf(draft, subscription, lotId);
    if ('code' in lot) return draft.reject(lot);
    if (lot.endsWithWindow || lot.source === 'overdraft')
      return draft.reject(fieldRejection('id', 'The lot ends with its usage window.'));
    if (expiresAt !== null && expiresAt <= draft.now)
      return draft.reject(fieldRejection('expiresAt', 'A lot must expire in the future.'));
    if (lot.expiresAt?.getTime() === expiresAt?.getTime()) return draft.done('unchanged', subscription.id);
    const account = applyRaise(draft, subscription);
    moveAccount(draft, subscription, moveEnd(account, lot, expiresAt), { sourceId: null, description: null });
    return draft.done('done', subscription.id);
  },
});
