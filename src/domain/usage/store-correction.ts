// Stores a correction of a usage event with its effects, for open and ended usage windows (PRM-126).
import type { FeatureRow } from '../pricing/catalog.ts';
import type { UsageCorrectionRow, UsageCounterRow } from '../rows/usage-rows.ts';
import type { UsageBook } from './book.ts';
import type { CorrectionRequest } from './correction-request.ts';
import { type Consumer, usageCorrected } from './event-data.ts';
import { shownUnits } from './metered-terms.ts';
import type { PriceAndCost } from './price-and-cost.ts';
import { priceChanges } from './price-change.ts';
import type { UsageEventRow } from './record.ts';
import type { UsageTerms } from './terms.ts';

/** Feature of the corrected event, with its customer, subscription, and terms. */
type Subject = Consumer & { readonly feature: FeatureRow; readonly terms: UsageTerms };

type Totals = Pick<UsageCounterRow, 'total'>;

/** Effect of a correction. `before` and `after` are the window's totals. `replacement` is `null` if the event is voided. */
type Effect = Pick<UsageCorrectionRow, 'deducted' | 'waived' | 'amountMinor'> & {
  readonly before: Totals;
  readonly after: Totals;
  readonly replacement: UsageEventRow | null;
  /** Change of the price and the cost without the replacement. */
  readonly amounts: PriceAndCost;
};

/** Adds a correction, the change of the price and the cost, and the event `usage.corrected` to the book. Returns the correction. */
export function storeCorrection(
  book: UsageBook,
  subject: Subject,
  { id: usageEventId, model, ts, windowStart }: UsageEventRow,
  { reason }: Pick<CorrectionRequest, 'reason'>,
  { before, after, replacement, amounts, ...effect }: Effect,
): UsageCorrectionRow {
  const { customer, subscription, feature, terms } = subject;
  const { newId, now } = book.details;
  const correction: UsageCorrectionRow = {
    id: newId('ucr'),
    seq: null,
    kind: replacement === null ? 'void' : 'replace',
    customerId: customer.id,
    subscriptionId: subscription.id,
    featureId: feature.id,
    usageEventId,
    replacementId: replacement?.id ?? null,
    units: after.total - before.total,
    difference: shownUnits(terms, after.total) - shownUnits(terms, before.total),
    ...effect,
    reason,
    windowStart,
    createdAt: now,
  };
  book.corrections.push(correction);
  const change = { kind: 'correction', model, ts, windowStart } as const;
  book.priceChanges.push(...priceChanges({ subscription, feature, terms, newId, now }, amounts, change));
  book.emit(customer.id, usageCorrected(subject, feature, correction));
  return correction;
}
