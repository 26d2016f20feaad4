import { hasEnded } from '../../lots/account.ts';
import { removedBy, takeBack } from '../../lots/movements.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { lotEvent } from '../../usage/event-data.ts';
import { accountOf, moveAccount } from '../allowances/allowance.ts';
import { invoiceBehind } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';

/** Returns true if refunds of an invoice remove unused credits or balance. */
const takesBack = (draft: Draft, { purchase }: InvoiceRow): boolean =>
  draft.aggregate.environment.refundTakesBack ||
  (purchase !== null && 'credits' in purchase && purchase.refundTakesBack === true);

/**
 * Removes the unused part of the lot that a payment paid for, in proportion to the refunded amount (PRM-23). The
 * part is rounded down for the sum of all refunds, so that refunds in parts remove as much as a single refund.
 * Does nothing unless the credit pack or the organization requires it. `before` and `after` are the refunded amounts
 * in minor units.
 */
export function takeBackRefunded(
  draft: Draft,
  transaction: TransactionRow,
  { before, after }: { readonly before: bigint; readonly after: bigint },
): void {
  const invoice = invoiceBehind(draft, transaction);
  if (invoice === null || !takesBack(draft, invoice)) return;
  const paid = transaction.amountMinor;
  for (const lot of draft.lots.all()) {
    const { subscriptionId } = lot;
    if (lot.sourceId !== invoice.id || subscriptionId === null || hasEnded(lot, draft.now)) continue;
    const part = (lot.amount * after) / paid - (lot.amount * before) / paid;
    removeFrom(draft, draft.subscriptions.get(subscriptionId), lot, part, after === paid);
  }
}

function removeFrom(
  draft: Draft,
  subscription: SubscriptionRow,
  lot: LotRow,
  amount: bigint,
  isFull: boolean,
): void {
  const moved = takeBack(accountOf(draft, subscription), lot, amount, isFull);
  moveAccount(draft, subscription, moved, { sourceId: lot.sourceId, description: null });
  const taken = removedBy(moved);
  if (taken > 0n)
    draft.emit(lotEvent('lot.refunded', { customer: draft.customer, subscription }, lot, taken));
}
