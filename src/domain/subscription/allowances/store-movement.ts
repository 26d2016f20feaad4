import type { Movement } from '../../lots/posting.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { scheduleLotEnd } from '../schedule/lot-ends.ts';
import type { Draft } from '../state/draft.ts';

/** Cause of a balance transaction. `featureId` is the feature whose usage caused it. */
export type MovementDetails = {
  readonly sourceId: string | null;
  readonly description: string | null;
  readonly featureId?: string;
};

/**
 * Writes the lots and the entries of a balance transaction, and schedules the ends of the lots (CON-58, PRM-148).
 * `subscription` is `null` if the lots are customer credits.
 */
export function storeMovement(
  draft: Draft,
  subscription: SubscriptionRow | null,
  movement: Movement,
  { sourceId, description, featureId }: MovementDetails,
): void {
  for (const lot of movement.lots) {
    const before = draft.lots.find(lot.id);
    if (before === null) draft.lots.add(lot);
    else draft.lots.patch(lot.id, lot);
    const isEndChanged = before?.expiresAt?.getTime() !== lot.expiresAt?.getTime();
    const isOpened = before?.isOpen === false && lot.isOpen;
    if (!lot.endsWithWindow && (isEndChanged || isOpened || !lot.isOpen))
      scheduleLotEnd(draft, subscription, lot);
  }
  for (const entry of movement.entries) {
    draft.entries.push({
      ...entry,
      id: draft.newId('bal'),
      seq: null,
      customerId: draft.customer.id,
      subscriptionId: subscription?.id ?? null,
      featureId: featureId ?? null,
      sourceId,
      description,
      windowStart: subscription === null ? draft.now : boundOf(subscription, subscription.windowStart),
      occurredAt: draft.now,
    });
  }
}
