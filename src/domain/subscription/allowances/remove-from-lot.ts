import { removedBy } from '../../lots/movements.ts';
import type { Movement } from '../../lots/posting.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { lotEvent } from '../../usage/event-data.ts';
import type { Draft } from '../state/draft.ts';
import { moveAccount } from './allowance.ts';

/** Writes a movement that removes an amount from a lot. Emits the event with the removed amount, unless nothing was removed. */
export function removeFromLot(
  draft: Draft,
  subscription: SubscriptionRow,
  lot: LotRow,
  movement: Movement,
  { kind, sourceId }: { readonly kind: 'lot.expired' | 'lot.refunded'; readonly sourceId: string | null },
): void {
  moveAccount(draft, subscription, movement, { sourceId, description: null });
  const removed = removedBy(movement);
  if (removed > 0n) draft.emit(lotEvent(kind, { customer: draft.customer, subscription }, lot, removed));
}
