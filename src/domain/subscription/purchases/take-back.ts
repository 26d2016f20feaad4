import { hasEnded } from '../../lots/account.ts';
import { takeBack } from '../../lots/movements.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { accountOf } from '../allowances/allowance.ts';
import { removeFromLot } from '../allowances/remove-from-lot.ts';
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
  removeFromLot(draft, subscription, lot, moved, { kind: 'lot.refunded', sourceId: lot.sourceId });
}
