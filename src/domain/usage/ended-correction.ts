// Corrects a usage event in an ended usage window (PRM-128, PRM-129). The window is priced again with the terms that
// priced it. Amounts deducted from credits or a balance return to their lots.
import type { Rejection } from '../errors/errors.ts';
import { isAdditive } from '../meters/meter.ts';
import { totalAfter, type WindowStep } from '../meters/replay.ts';
import { maxOf } from '../money/money.ts';
import { poolOfStored } from '../pricing/pools.ts';
import type { EndedUsageRow } from '../rows/ended-usage.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import { dayMs } from '../time/period.ts';
import { notBillable } from './admission.ts';
import type { UsageBook } from './book.ts';
import { removeEvent } from './book-cells.ts';
import { storedCells } from './cells.ts';
import { coveredAfter, isEventCovered, stateWithout } from './correction.ts';
import { type Change, changeOfPrice } from './correction-price.ts';
import {
  type Corrected,
  type CorrectedEvent,
  type CorrectionRequest,
  repeatedCorrection,
  tooOld,
} from './correction-request.ts';
import { correctEndedLevel } from './ended-level-correction.ts';
import { type EndedCorrection, pendingOf } from './ended-pending.ts';
import { chargedIn, eventIn, type ReplacedInEnded, replacedInEnded, uncharged } from './ended-replacement.ts';
import { amountsOf, type EndedWindow, pricesOf, type Settled, settleEnded } from './ended-settlement.ts';
import { endedCells, endedCounter, endedTerms } from './ended-terms.ts';
import type { UsageEventRow } from './record.ts';
import { storeCorrection } from './store-correction.ts';
import type { UsageTerms } from './terms.ts';
import { isTotalBillable, type WindowUse } from './window.ts';

/** Days after which an event can't be corrected. */
export const correctableDays = 400;

/** Returns the total of the window after the correction, in counted units. */
function correctedTotal(
  { meter, windowStart, windowEnd }: EndedUsageRow,
  without: UsageCounterRow,
  { event, steps }: CorrectedEvent,
  replacement: ReplacedInEnded | null,
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

/** Window of the event before and after the correction. */
type Recounted = {
  readonly own: EndedUsageRow;
  readonly terms: UsageTerms;
  readonly before: UsageCounterRow & WindowUse;
  readonly after: UsageCounterRow & WindowUse;
  readonly replacement: ReplacedInEnded | null;
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
  const replacement =
    requested === null ? null : replacedInEnded(book, ended, corrected, requested, without, cells);
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
  const repeated = repeatedCorrection(corrected, request);
  if (repeated !== null) return 'rejection' in repeated ? repeated : { ...repeated, usage: [], pending: [] };
  const { event } = corrected;
  const { customer, subscription, feature, account } = ended;
  if (book.details.now.getTime() - event.createdAt.getTime() > correctableDays * dayMs)
    return { rejection: tooOld };
  if (ended.level !== null && corrected.levels !== null)
    return correctEndedLevel(book, ended, ended.level, { ...corrected, levels: corrected.levels }, request);
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
  const pending = pendingOf(correction, feature, [{ usage: own, billed, price }]);
  return { correction, isRepetition: false, usage, pending };
}

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
