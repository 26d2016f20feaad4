// Corrects an event of a level in an ended usage window. All ended windows that began with the changed level are priced again, and the
// current level changes too (PRM-128).
import type { Rejection } from '../errors/errors.ts';
import { changeOf, highestLevel, levelBefore, placeOf, replayLevel } from '../meters/level-history.ts';
import { totalOf } from '../meters/total.ts';
import { minOf } from '../money/money.ts';
import type { EndedUsageRow } from '../rows/ended-usage.ts';
import type { UsageCorrectionRow, UsageCounterRow } from '../rows/usage-rows.ts';
import { notBillable } from './admission.ts';
import type { UsageBook } from './book.ts';
import type { CorrectedEvent, CorrectionRequest, LevelEventRow } from './correction-request.ts';
import { type EndedCorrection, pendingOf } from './ended-pending.ts';
import { chargedIn, eventIn, replacedInEnded, uncharged } from './ended-replacement.ts';
import { amountsOf, type EndedWindow, type HeldLevel } from './ended-settlement.ts';
import { endedCounter, endedTerms } from './ended-terms.ts';
import { keepChanges } from './level-correction.ts';
import type { PriceAndCost } from './price-and-cost.ts';
import { priceChanges } from './price-change.ts';
import type { UsageEventRow } from './record.ts';
import { storeCorrection } from './store-correction.ts';
import type { UsageTerms } from './terms.ts';
import { isTotalBillable, overageMinor } from './window.ts';

const unsettled = { movement: null, deducted: null, waived: null, deficitRate: 0n, credited: 0n };

/**
 * Returns the total of an ended window of a level. `opening` is the level before the events, which are in the order in which they take
 * effect.
 */
function levelTotal(
  { meter, subscriptionId, windowStart, windowEnd, seq, total }: EndedUsageRow,
  events: readonly LevelEventRow[],
  opening: bigint,
): bigint {
  if (meter === null) return total;
  const start = windowStart.getTime();
  const isBilled = (event: LevelEventRow): boolean => seq === null || placeOf(event) < seq;
  const own: LevelEventRow[] = [];
  const earlier: LevelEventRow[] = [];
  for (const event of events) {
    const began = event.windowStart.getTime();
    const isOwn = event.subscriptionId === subscriptionId && began === start;
    if (isOwn && isBilled(event)) own.push(event);
    else if (!isOwn && (began < start || (began === start && isBilled(event)))) earlier.push(event);
  }
  return totalOf(meter, own, { start: windowStart, end: windowEnd }, opening + changeOf(earlier));
}

/** Window whose total a correction changes. */
type Changed = HeldLevel['windows'][number] & {
  readonly terms: UsageTerms;
  readonly before: UsageCounterRow;
  readonly after: UsageCounterRow;
  /** Prices in minor units. */
  readonly billed: bigint;
  readonly price: bigint;
  readonly amounts: PriceAndCost;
};

/** Returns the windows whose totals differ after a correction. */
function changedWindows(
  { customer }: EndedWindow,
  { windows }: HeldLevel,
  event: UsageEventRow,
  events: readonly LevelEventRow[],
  opening: bigint,
): Changed[] {
  return windows.flatMap(({ usage, subscription }): Changed[] => {
    const total = levelTotal(usage, events, opening);
    if (total === usage.total) return [];
    const terms = endedTerms(usage, subscription.currency);
    const before = endedCounter(customer.id, usage);
    const after = { ...before, total, covered: minOf(before.covered, total) };
    const [billed, price] = [overageMinor(terms, before), overageMinor(terms, after)];
    const amounts = amountsOf(terms, event, [before, after], unsettled, { billed, price }, null);
    return [{ usage, subscription, terms, before, after, billed, price, amounts }];
  });
}

/** Stores the changes of the prices of windows that began after the event's window. */
function keepPrices(
  book: UsageBook,
  { feature }: EndedWindow,
  { model }: UsageEventRow,
  windows: readonly Changed[],
): void {
  const { newId, now } = book.details;
  for (const { subscription, terms, amounts, usage } of windows)
    book.priceChanges.push(
      ...priceChanges({ subscription, feature, terms, newId, now }, amounts, {
        kind: 'correction',
        model,
        ts: usage.windowStart,
        windowStart: usage.windowStart,
      }),
    );
}

/** Stores the current level, and the total of the event's window if the counter still contains it. */
function keepLevel(
  book: UsageBook,
  { counter: counted }: EndedWindow,
  { counter: held }: HeldLevel,
  { units }: UsageCorrectionRow,
  level: bigint,
): void {
  if (counted !== null) book.counters.set(counted.id, { ...counted, total: counted.total + units });
  book.counters.set(held.id, { ...(book.counters.get(held.id) ?? held), level });
}

/** Corrected event of a level. */
type LevelCorrected = CorrectedEvent & { readonly levels: readonly LevelEventRow[] };

/** Level after a correction, with the replacement. */
type Corrected = {
  readonly own: EndedUsageRow;
  readonly recorded: UsageEventRow | null;
  readonly events: readonly LevelEventRow[];
  readonly opening: bigint;
  readonly level: bigint;
};

/** Calculates the level again, and adds the replacement to the book. */
function recount(
  book: UsageBook,
  ended: EndedWindow,
  { counter }: HeldLevel,
  corrected: LevelCorrected,
  request: CorrectionRequest,
): Corrected | Rejection {
  const { event, levels } = corrected;
  const own = chargedIn(ended.usage, corrected) ?? uncharged(event);
  const { before, after, opening, level } = levelBefore(levels, counter.level ?? 0n, event);
  const without = { ...endedCounter(ended.customer.id, own), level, total: highestLevel(opening, before) };
  const replacement =
    request.replacement === null
      ? null
      : replacedInEnded(book, ended, corrected, request.replacement, without, null);
  if (replacement !== null && 'code' in replacement) return replacement;
  const replay = replayLevel(replacement?.quantity.level?.after ?? level, after);
  if ('code' in replay) return replay;
  keepChanges(book, after, replay.events);
  const recorded =
    replacement === null
      ? null
      : eventIn(book, corrected, own, replacement, ended.account, request.sourceEventId ?? null);
  if (recorded !== null) book.events.push(recorded);
  // The replacement has no number yet. Its place is the place of the event.
  const placed = recorded === null ? [] : [{ ...recorded, seq: event.seq }];
  return { own, recorded, events: [...before, ...placed, ...replay.events], opening, level: replay.level };
}

/** Corrects an event of a level in an ended usage window. The caller must discard the book after a rejection. */
export function correctEndedLevel(
  book: UsageBook,
  ended: EndedWindow,
  held: HeldLevel,
  corrected: LevelCorrected,
  request: CorrectionRequest,
): EndedCorrection | { readonly rejection: Rejection } {
  const { customer, subscription, feature } = ended;
  const { event } = corrected;
  const recounted = recount(book, ended, held, corrected, request);
  if ('code' in recounted) return { rejection: recounted };
  const { own, recorded, events, opening, level } = recounted;
  const windows = changedWindows(ended, held, event, events, opening);
  if (
    recorded !== null &&
    windows.some(({ terms, after }) => !isTotalBillable(terms, after.total, after.covered))
  )
    return { rejection: notBillable };
  const ofEvent = windows.find(({ usage }) => usage.id === own.id);
  const terms = endedTerms(own, subscription.currency);
  const before = endedCounter(customer.id, own);
  const isCharged = held.windows.some(({ usage }) => usage.id === own.id);
  const correction = storeCorrection(book, { customer, subscription, feature, terms }, event, request, {
    before,
    after: ofEvent?.after ?? (isCharged ? before : { ...before, total: 0n }),
    replacement: recorded,
    amounts: ofEvent?.amounts ?? { price: null, cost: null },
    deducted: null,
    waived: null,
    amountMinor: windows.reduce((sum, { billed, price }) => sum + price - billed, 0n),
  });
  keepPrices(
    book,
    ended,
    event,
    windows.filter((one) => one !== ofEvent),
  );
  keepLevel(book, ended, held, correction, level);
  const usage = windows.map((one) => ({ ...one.usage, total: one.after.total, covered: one.after.covered }));
  return { correction, isRepetition: false, usage, pending: pendingOf(correction, feature, windows) };
}
