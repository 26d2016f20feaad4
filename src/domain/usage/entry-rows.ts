import type { EntryDraft } from '../lots/posting.ts';
import { boundOf } from '../rows/period-bound.ts';
import type { ConsumingSubscription, ConsumptionEntryRow } from '../rows/usage-rows.ts';

/** Feature whose usage caused a balance transaction, and the ID of the cause. */
export type EntryCause = { readonly featureId: string | null; readonly sourceId: string | null };

/** Returns the row of a balance transaction's entry. */
export const entryRow = (
  entry: EntryDraft,
  subscription: ConsumingSubscription,
  { featureId, sourceId }: EntryCause,
  { newId, now }: { readonly newId: (prefix: string) => string; readonly now: Date },
): ConsumptionEntryRow => ({
  ...entry,
  id: newId('bal'),
  seq: null,
  customerId: subscription.customerId,
  subscriptionId: subscription.id,
  featureId,
  sourceId,
  description: null,
  windowStart: boundOf(subscription, subscription.windowStart),
  occurredAt: now,
});
