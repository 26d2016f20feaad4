// Deadlines at the end of lots (PRM-21). A lot that ends with its window has no deadline, because the reset expires it.

import type { SubscriptionRow } from '../../rows/rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { addDays } from '../../time/period.ts';
import { customerDeadline, deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';

/** Number of days before the end of a lot at which `lot.expiring` is sent. */
const noticeDays = 7;

/**
 * Schedules the expiry of a lot and, unless the lot was rolled over or is a customer credit, the notice 7 days before.
 * Removes both if the lot doesn't expire or has expired. A lot that was closed because nothing remained keeps both, because a
 * correction of usage can open it again. `subscription` is `null` if the lot is a customer credit.
 */
export function scheduleLotEnd(draft: Draft, subscription: SubscriptionRow | null, lot: LotRow): void {
  const { id, expiresAt, isOpen, endsWithWindow } = lot;
  const ownerId = subscription?.id ?? draft.customer.id;
  const [expiry, notice] = [deadlineId('lot_expiry', ownerId, id), deadlineId('daily_scan', ownerId, id)];
  const isClosed = !isOpen && (subscription === null || expiresAt === null || expiresAt <= draft.now);
  if (expiresAt === null || endsWithWindow || isClosed) {
    draft.unschedule(expiry);
    draft.unschedule(notice);
    return;
  }
  if (subscription === null) {
    draft.schedule(customerDeadline(draft.customer, 'lot_expiry', expiresAt, id, { lotId: id }));
    return;
  }
  draft.schedule(deadline(subscription, 'lot_expiry', expiresAt, id, { lotId: id }));
  const noticeAt = addDays(expiresAt, -noticeDays);
  if (noticeAt <= draft.now || lot.source === 'rollover') draft.unschedule(notice);
  else {
    const data = { notice: 'lot.expiring', lotId: id } as const;
    draft.schedule(deadline(subscription, 'daily_scan', noticeAt, id, data));
  }
}
