// Settles holds of subscriptions that no longer give access to the feature: the usage is recorded, and not charged (LIM-65).
import { ended, type HoldRow } from '../holds/hold.ts';
import type { SettleStep } from '../holds/steps.ts';
import { measure } from '../meters/measure.ts';
import { meterOfVersion } from '../meters/meter.ts';
import type { UsageBook } from './book.ts';
import { emitAbout, freeGauges } from './hold-end.ts';
import { holdEvent, usageUncounted } from './hold-events.ts';
import type { UsageEventRow, UsageRequest } from './record.ts';
import type { Recorded } from './record-event.ts';
import { classified, tokensOf } from './tokens.ts';

/** Records a settlement as uncounted usage, and ends the hold if the settlement is final. */
export function settleAfterEnd(
  book: UsageBook,
  request: UsageRequest,
  hold: HoldRow,
  { isFinal }: SettleStep,
  ts: Date,
): Recorded {
  const { now, newId } = book.details;
  const tokens =
    request.model === null ? null : classified(request.tokens, request.inputIncludesCache ?? true);
  if (tokens !== null && 'code' in tokens) return { rejection: tokens };
  const version = book.catalog.features.get(hold.featureId)?.meters.at(-1);
  const measured =
    tokens === null ? measure(version === undefined ? null : meterOfVersion(version), request) : null;
  if (measured !== null && 'code' in measured) return { rejection: measured };
  const value = measured?.value ?? (tokens === null ? 0n : tokensOf(tokens));
  const uncounted = { quantity: measured?.quantity ?? `${value}`, amount: '0' };
  const isLate = hold.status === 'expired';
  const event: UsageEventRow = {
    id: newId('evt'),
    seq: null,
    eventId: request.eventId,
    customerId: hold.customerId,
    subscriptionId: hold.subscriptionId,
    featureId: hold.featureId,
    budgetId: hold.budgetId,
    hold: { id: hold.id, isLate, uncounted },
    sourceEventId: null,
    levelKind: null,
    levelChange: null,
    level: null,
    levelSeq: null,
    value,
    quantity: measured?.quantity ?? null,
    units: 0n,
    model: request.model,
    tokenCost: null,
    price: null,
    cost: null,
    exchangeRateE8: null,
    consumptionModel: 'metered',
    deducted: null,
    remaining: null,
    isBlocked: null,
    asset: null,
    decimals: null,
    properties: request.properties,
    ts,
    windowStart: hold.createdAt,
    createdAt: now,
  };
  book.addEvent(event);
  const settled = { ...hold, lastEventId: event.id };
  if (isFinal) freeGauges(book, hold, hold.gauges);
  book.holds.store(isFinal ? ended(settled, 'settled', now) : settled);
  if (isLate)
    emitAbout(book, hold, (customer, code) => holdEvent('hold.settled_late', customer, hold, code, event.id));
  emitAbout(book, hold, (customer, code) => usageUncounted(customer, hold, code, event.id, uncounted));
  return { event, isRepetition: false };
}
