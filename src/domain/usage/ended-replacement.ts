// Replacements of usage events in ended usage windows (PRM-128, PRM-129).
import type { Rejection } from '../errors/errors.ts';
import { type Account, amountOf } from '../lots/account.ts';
import { placeOf } from '../meters/level-history.ts';
import { poolOfStored } from '../pricing/pools.ts';
import { exactText } from '../rates/exact.ts';
import type { EndedUsageRow } from '../rows/ended-usage.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import type { UsageBook } from './book.ts';
import type { WindowCells } from './cells.ts';
import { type CorrectedEvent, type ReplacementFields, tooOld } from './correction-request.ts';
import type { EndedWindow } from './ended-settlement.ts';
import { endedTerms } from './ended-terms.ts';
import { type PricedRequest, type Quantity, quantityOf, type UsageEventRow } from './record.ts';
import { replacementOf } from './replacement.ts';

/** Replacement with its quantity. `without` is the window without the corrected event. */
export type ReplacedInEnded = {
  readonly request: PricedRequest;
  readonly quantity: Quantity;
  readonly ts: Date;
};

/** Returns the quantity and the price of a replacement. An event whose price depends on a cost has the price that applies now. */
export function replacedInEnded(
  book: UsageBook,
  { subscription, feature, usage }: EndedWindow,
  corrected: CorrectedEvent,
  replacement: ReplacementFields,
  without: UsageCounterRow,
  cells: WindowCells | null,
): ReplacedInEnded | Rejection {
  const { event } = corrected;
  const replacing = replacementOf(book, subscription, replacement, event);
  if ('code' in replacing) return replacing;
  const { request, ts } = replacing;
  const own = chargedIn(usage, corrected);
  if (own === null) return tooOld;
  const subject = own.rates === null ? book.subjectOf(event.customerId, feature.code) : null;
  if (subject !== null && !('code' in subject) && subject.terms.derived !== null) {
    const quantity = book.quantityOf(request, subject, ts);
    return 'code' in quantity ? quantity : { request, quantity, ts };
  }
  const quantity = quantityOf(request, endedTerms(own, subscription.currency), without, {
    models: [],
    ts,
    knownOf: () => 0n,
    cells,
  });
  return 'code' in quantity ? quantity : { request, quantity, ts };
}

/** Returns the replacement as an event of the ended window. */
export const eventIn = (
  book: UsageBook,
  { event }: Pick<CorrectedEvent, 'event'>,
  { consumptionModel, asset, decimals }: EndedUsageRow,
  { request, quantity, ts }: ReplacedInEnded,
  account: Account,
  sourceEventId: string | null,
): UsageEventRow => {
  const pool = poolOfStored({ consumptionModel, asset });
  const isPool = pool !== null;
  const remaining = isPool ? amountOf(account, pool, event.featureId) : null;
  return {
    ...event,
    id: book.details.newId('evt'),
    consumptionModel,
    asset,
    decimals,
    seq: null,
    eventId: null,
    sourceEventId,
    levelKind: quantity.level?.kind ?? null,
    levelChange: quantity.level?.change ?? null,
    level: quantity.level?.after ?? null,
    levelSeq: quantity.level === undefined ? null : placeOf(event),
    value: quantity.measured.value,
    quantity: quantity.measured.quantity,
    units: event.units === null ? null : quantity.units,
    model: quantity.ai?.model ?? null,
    tokenCost: quantity.ai,
    price: quantity.price === null ? null : exactText(quantity.price),
    cost: quantity.ai?.cost ?? null,
    deducted: isPool ? (quantity.cost ?? 0n) : null,
    remaining,
    isBlocked: remaining === null ? null : remaining <= 0n,
    properties: request.properties,
    ts,
    createdAt: book.details.now,
  };
};

/** Returns the usage of the window that contains an event. `null` if the event was recorded after the window was invoiced. */
export const chargedIn = (
  usage: readonly EndedUsageRow[],
  { event, isReplacement }: Pick<CorrectedEvent, 'event' | 'isReplacement'>,
): EndedUsageRow | null =>
  usage.find(
    ({ featureId, seq }) =>
      featureId === event.featureId && (isReplacement || seq === null || seq > event.seq),
  ) ?? null;

/** Usage of a window that wasn't charged. Only the event itself is known. */
export const uncharged = (event: UsageEventRow): EndedUsageRow => ({
  id: '',
  seq: null,
  subscriptionId: event.subscriptionId,
  featureId: event.featureId,
  windowStart: event.windowStart,
  windowEnd: event.windowStart,
  consumptionModel: event.consumptionModel,
  asset: event.asset,
  decimals: event.decimals,
  total: event.units ?? event.value,
  covered: 0n,
  includedAmount: 0n,
  meter: null,
  rates: null,
  cells: null,
  cost: null,
  exchangeRateE8: null,
  deficitRate: 0n,
  deficitPrice: null,
  waived: 0n,
});
