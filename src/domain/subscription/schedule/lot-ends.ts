// Deadlines at the end of lots (PRM-21). A lot that ends with its window has no deadline, because the reset expires it.

import type { SubscriptionRow } from '../../rows/rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { addDays } from '../../time/period.ts';
import { deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';

/** Number of days before the end of a lot at which `lot.expiring` is sent. */
const noticeDays = 7;

/**
 * Schedules the expiry of a lot and, unless the lot was rolled over, the notice 7 days before. Removes both if the lot
 * doesn't expire.
 */
export function scheduleLotEnd(draft: Draft, subscription: SubscriptionRow, lot: LotRow): void {
  const { id, expiresAt, isOpen, endsWithWindow } = lot;
  const [expiry, notice] = [
    deadlineId('lot_expiry', subscription.id, id),
    deadlineId('daily_scan', subscription.id, id),
  ];
  if (expiresAt === null || endsWithWindow || !isOpen) {
    draft.unschedule(expiry);
    draft.unschedule(notice);
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
