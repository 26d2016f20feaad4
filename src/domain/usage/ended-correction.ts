// Corrects a usage event in an ended usage window (PRM-128, PRM-129). The window is priced again with the terms that
// priced it. Amounts deducted from credits or a balance return to their lots.
import type { Rejection } from '../errors/errors.ts';
import { type Account, amountOf } from '../lots/account.ts';
import { isAdditive } from '../meters/meter.ts';
import { totalAfter, type WindowStep } from '../meters/replay.ts';
import { maxOf } from '../money/money.ts';
import { poolOfStored } from '../pricing/pools.ts';
import { exactText } from '../rates/exact.ts';
import type { EndedUsageRow } from '../rows/ended-usage.ts';
import type { PendingCorrection } from '../rows/rows.ts';
import type { UsageCorrectionRow, UsageCounterRow } from '../rows/usage-rows.ts';
import { dayMs } from '../time/period.ts';
import { notBillable } from './admission.ts';
import type { UsageBook } from './book.ts';
import { removeEvent } from './book-cells.ts';
import { storedCells, type WindowCells } from './cells.ts';
import { coveredAfter, isEventCovered, replacementOf, stateWithout } from './correction.ts';
import { type Change, changeOfPrice } from './correction-price.ts';
import {
  type Corrected,
  type CorrectedEvent,
  type CorrectionRequest,
  ofLevel,
  type ReplacementFields,
  repeatedCorrection,
  tooOld,
} from './correction-request.ts';
import { amountsOf, type EndedWindow, pricesOf, type Settled, settleEnded } from './ended-settlement.ts';
import { endedCells, endedCounter, endedTerms } from './ended-terms.ts';
import { type PricedRequest, type Quantity, quantityOf, type UsageEventRow } from './record.ts';
import { storeCorrection } from './store-correction.ts';
import type { UsageTerms } from './terms.ts';
import { isTotalBillable, type WindowUse } from './window.ts';

/** Days after which an event can't be corrected. */
export const correctableDays = 400;

/** Changes to write, in addition to the changes in the book. */
export type EndedCorrection = {
  readonly correction: UsageCorrectionRow;
  readonly isRepetition: boolean;
  /** Changed usage of the window. */
  readonly usage: readonly EndedUsageRow[];
  /** Difference to invoice. `null` if the amount to pay doesn't change. */
  readonly pending: PendingCorrection | null;
};

/** Replacement with its quantity. `without` is the window without the corrected event. */
type Replaced = {
  readonly request: PricedRequest;
  readonly quantity: Quantity;
  readonly ts: Date;
};

/** Returns the quantity and the price of a replacement. An event whose price depends on a cost has the price that applies now. */
function replaced(
  book: UsageBook,
  { subscription, feature, usage }: EndedWindow,
  corrected: CorrectedEvent,
  replacement: ReplacementFields,
  without: UsageCounterRow,
  cells: WindowCells | null,
): Replaced | Rejection {
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

/** Returns the total of the window after the correction, in counted units. */
function correctedTotal(
  { meter, windowStart, windowEnd }: EndedUsageRow,
  without: UsageCounterRow,
  { event, steps }: CorrectedEvent,
  replacement: Replaced | null,
): bigint {
  if (isAdditive(meter)) return without.total + (replacement?.quantity.units ?? 0n);
  const others = steps.filter(({ seq }) => seq !== event.seq);
  const seq = (others.at(-1)?.seq ?? 0n) + 1n;
  const all: WindowStep[] =
    replacement === null
      ? others
      : [
          ...others,
          {
            value: replacement.quantity.measured.value,
            quantity: replacement.quantity.measured.quantity,
            properties: replacement.request.properties,
            ts: replacement.ts,
            seq,
          },
        ];
  return totalAfter(meter, all, { start: windowStart, end: windowEnd });
}

/** Returns the replacement as an event of the ended window. */
const eventIn = (
  book: UsageBook,
  { event }: CorrectedEvent,
  { consumptionModel, asset, decimals }: EndedUsageRow,
  { request, quantity, ts }: Replaced,
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

/** Window of the event before and after the correction. */
type Recounted = {
  readonly own: EndedUsageRow;
  readonly terms: UsageTerms;
  readonly before: UsageCounterRow & WindowUse;
  readonly after: UsageCounterRow & WindowUse;
  readonly replacement: Replaced | null;
};

/** Calculates the total of the window again. */
function recount(
  book: UsageBook,
  ended: EndedWindow,
  corrected: CorrectedEvent,
  { replacement: requested }: CorrectionRequest,
): Recounted | Rejection {
  const { customer, subscription, account } = ended;
  const own = chargedIn(ended.usage, corrected) ?? uncharged(corrected.event);
  const terms = endedTerms(own, subscription.currency);
  const cells = endedCells(customer.id, own, terms, book.details.hash);
  const before = { ...endedCounter(customer.id, own), cells: cells?.totals() };
  removeEvent(cells, own.meter, corrected.event);
  const without = isAdditive(own.meter)
    ? { ...before, ...stateWithout({ counter: before, account }, corrected, false) }
    : before;
  const replacement = requested === null ? null : replaced(book, ended, corrected, requested, without, cells);
  if (replacement !== null && 'code' in replacement) return replacement;
  const total = correctedTotal(own, without, corrected, replacement);
  const cellsAfter = replacement?.quantity.cells ?? cells?.totals();
  const isCovered = isEventCovered({ counter: before, account }, corrected);
  const covered = coveredAfter(before, { counter: without, isCovered }, total);
  if (replacement !== null && !isTotalBillable(terms, total, covered, cellsAfter)) return notBillable;
  return { own, terms, before, after: { ...before, total, covered, cells: cellsAfter }, replacement };
}

/**
 * Returns the change of the deduction: the price of the replacement instead of the event's deduction. Carried usage was deducted
 * as a whole, so that its deduction changes by the difference of the window's prices.
 */
const changeOfDeduction = (
  { isCarried }: EndedWindow,
  { own, terms, before, after, replacement }: Recounted,
  { event, waived }: CorrectedEvent,
): Change =>
  isCarried
    ? changeOfPrice(terms, before, after, own.waived + waived)
    : { amount: (replacement?.quantity.cost ?? 0n) - maxOf(0n, event.deducted ?? 0n), waived: 0n };

/**
 * Corrects an event of an ended usage window on locked rows. The subscription's next invoice contains the difference of the
 * rounded prices. The caller must discard the book after a rejection.
 */
export function correctEnded(
  book: UsageBook,
  ended: EndedWindow,
  corrected: CorrectedEvent,
  request: CorrectionRequest,
): EndedCorrection | Extract<Corrected, { readonly rejection: Rejection }> {
  if (corrected.event.levelKind !== null) return { rejection: ofLevel };
  const repeated = repeatedCorrection(corrected, request);
  if (repeated !== null)
    return 'rejection' in repeated ? repeated : { ...repeated, usage: [], pending: null };
  const { event } = corrected;
  const { customer, subscription, feature, account } = ended;
  if (book.details.now.getTime() - event.createdAt.getTime() > correctableDays * dayMs)
    return { rejection: tooOld };
  const recounted = recount(book, ended, corrected, request);
  if ('code' in recounted) return { rejection: recounted };
  const { own, terms, before, after, replacement } = recounted;
  const { total, covered } = after;
  const settled = settleEnded(ended, changeOfDeduction(ended, recounted, corrected), own);
  const recorded =
    replacement === null
      ? null
      : eventIn(
          book,
          corrected,
          own,
          replacement,
          settled.movement?.account ?? account,
          request.sourceEventId ?? null,
        );
  if (recorded !== null) book.events.push(recorded);
  const { billed, price } = pricesOf(terms, before, after, settled, own);
  const { deducted, waived, deficitRate } = settled;
  const window = [before, after] as const;
  const quantity = replacement?.quantity ?? null;
  enter(book, ended, event, settled);
  const correction = storeCorrection(book, { customer, subscription, feature, terms }, event, request, {
    before,
    after,
    replacement: recorded,
    amounts: amountsOf(terms, event, window, settled, { billed, price }, quantity),
    deducted,
    waived,
    amountMinor: price - billed,
  });
  if (ended.counter !== null) {
    const { counter } = ended;
    const consumed = counter.consumed + (deducted ?? 0n);
    book.counters.set(counter.id, { ...counter, total: counter.total + correction.units, consumed });
  }
  const usage = ended.usage.map((one) =>
    one.id === own.id
      ? { ...one, total, covered, deficitRate, cells: storedCells(after.cells) }
      : poolOfStored(one) === poolOfStored(own)
        ? { ...one, deficitRate }
        : one,
  );
  const pending = {
    correctionId: correction.id,
    featureName: feature.name,
    billed: String(billed),
    price: String(price),
    amount: String(price - billed),
    windowStart: own.windowStart.toISOString(),
    windowEnd: own.windowEnd.toISOString(),
  };
  return { correction, isRepetition: false, usage, pending: price === billed ? null : pending };
}

/** Returns the usage of the window that contains an event. `null` if the event was recorded after the window was invoiced. */
const chargedIn = (
  usage: readonly EndedUsageRow[],
  { event, isReplacement }: Pick<CorrectedEvent, 'event' | 'isReplacement'>,
): EndedUsageRow | null =>
  usage.find(
    ({ featureId, seq }) =>
      featureId === event.featureId && (isReplacement || seq === null || seq > event.seq),
  ) ?? null;

/** Usage of a window that wasn't charged. Only the event itself is known. */
const uncharged = (event: UsageEventRow): EndedUsageRow => ({
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

/** Stores the effect of a correction on the lots. */
function enter(
  book: UsageBook,
  { subscription, account, feature }: EndedWindow,
  event: UsageEventRow,
  { movement }: Settled,
): void {
  if (movement === null || movement.account === account) return;
  book.putAccount(movement.account);
  book.enter(movement, subscription, { featureId: feature.id, sourceId: event.id });
}
