// Results of the purchases of automatic top-ups.

import type { FailureDetails } from '../../events/payment-events.ts';
import type { InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import type { AutoTopUpAttemptRow } from '../../rows/topup-rows.ts';
import { afterDecline } from '../../topups/decide.ts';
import type { Draft } from '../state/draft.ts';
import { emitTopUp, scheduleTopUp } from './topup-state.ts';

/** Returns the attempt of an automatic top-up that issued an invoice. `null` if a request caused the purchase. */
export const topUpAttempt = (draft: Draft, { id }: InvoiceRow): AutoTopUpAttemptRow | null =>
  draft.topUpAttempts.all().find(({ invoiceId, status }) => invoiceId === id && status === 'processing') ??
  null;

/** Records the purchase of an automatic top-up after it took effect, and emits `auto_topup.succeeded`. */
export function topUpSettled(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  const attempt = topUpAttempt(draft, invoice);
  if (attempt === null) return;
  draft.topUpAttempts.patch(attempt.id, { status: 'succeeded', updatedAt: draft.now });
  const setting = draft.topUps.patch(attempt.autoTopUpId, {
    reason: null,
    nextAt: null,
    declines: 0,
    firstDeclinedAt: null,
    updatedAt: draft.now,
  });
  emitTopUp(draft, subscription, setting, 'auto_topup.succeeded', { invoice });
}

/**
 * Records a declined purchase of an automatic top-up, which is attempted again 1 and 25 hours after the first decline. After
 * that, and if no retry can succeed, the top-up pauses.
 */
export function topUpDeclined(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  { id: attemptId, autoTopUpId }: AutoTopUpAttemptRow,
  { code }: FailureDetails,
): void {
  const before = draft.topUps.get(autoTopUpId);
  const firstDeclinedAt = before.firstDeclinedAt ?? draft.now;
  const declines = before.declines + 1;
  const { reason, nextAt } = afterDecline(code, declines, firstDeclinedAt);
  draft.topUpAttempts.patch(attemptId, {
    status: 'failed',
    reason,
    declineCode: code,
    updatedAt: draft.now,
  });
  if (before.status === 'off') return;
  const failed = draft.topUps.patch(autoTopUpId, {
    reason,
    nextAt,
    declines,
    firstDeclinedAt,
    updatedAt: draft.now,
  });
  emitTopUp(draft, subscription, failed, 'auto_topup.failed', { invoice, attempt: declines });
  if (nextAt !== null) {
    scheduleTopUp(draft, subscription, failed, nextAt);
    return;
  }
  const paused = draft.topUps.patch(autoTopUpId, { status: 'paused', pausedReason: reason });
  emitTopUp(draft, subscription, paused, 'auto_topup.paused');
}
