// Corrects a usage event in its open usage window (PRM-126, PRM-127). The total is recalculated as if the event had never
// been recorded, or as if the replacement had been recorded instead.
import { type Rejection, specificRejection } from '../errors/errors.ts';
import type { WindowState } from '../meters/measure.ts';
import { isAdditive, storesValues } from '../meters/meter.ts';
import { stateAfter } from '../meters/replay.ts';
import { maxOf, minOf } from '../money/money.ts';
import { modelOf, poolOfStored } from '../pricing/pools.ts';
import { exactDecimal } from '../rates/decimal.ts';
import { type Exact, exactText, minus, ratio } from '../rates/exact.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import { type ConsumptionAlert, type Meter, notBillable } from './admission.ts';
import { type Subject, type UsageBook, windowOf } from './book.ts';
import { type Settled, settle } from './correction-price.ts';
import {
  type Corrected,
  type CorrectedEvent,
  type CorrectionRequest,
  repeatedCorrection,
  tooOld,
} from './correction-request.ts';
import { isCountable, tooLarge } from './countable.ts';
import { levelAfter, levelPlaceOf, levelWithout } from './level-correction.ts';
import { measuredValue } from './measured-value.ts';
import {
  changeBetween,
  drawnPrice,
  isInUnits,
  type PriceAndCost,
  recordedAfter,
  withdrawn,
} from './price-and-cost.ts';
import type { UsageEventRow } from './record.ts';
import { recordReplacement, replaced } from './replacement.ts';
import { storeCorrection } from './store-correction.ts';
import { crossedPool, crossedUnits, unitLimit } from './system-limits.ts';
import type { PoolTerms } from './terms.ts';
import { isTotalBillable } from './window.ts';

/** Returns true if all events of the window are needed to correct one of them. */
export const needsSteps = ({ meter, covered }: Pick<UsageCounterRow, 'meter' | 'covered'>): boolean =>
  covered > 0n || !(isAdditive(meter) || (meter !== null && storesValues(meter)));

/** Window of a feature, and the covered units, without the corrected event. */
type Without = { readonly counter: UsageCounterRow; readonly isCovered: boolean };

/** Returns true if the total of the window was set after the event. */
const isBeforeSet = ({ event, lastSetSeq }: Pick<CorrectedEvent, 'event' | 'lastSetSeq'>): boolean =>
  lastSetSeq !== null && lastSetSeq > event.seq;

/** Returns the total without the event. */
export function stateWithout(
  { counter }: Meter,
  { event, lastSetSeq, steps }: CorrectedEvent,
  isLastOfValue: boolean,
): WindowState {
  const { meter, total, latestAt } = counter;
  if (meter !== null && storesValues(meter)) return { total: isLastOfValue ? total - 1n : total, latestAt };
  if (!isAdditive(meter))
    return stateAfter(
      meter,
      steps.filter(({ seq }) => seq !== event.seq),
    );
  return {
    total: isBeforeSet({ event, lastSetSeq }) ? total : total - (event.units ?? event.value),
    latestAt,
  };
}

/** Returns true if a plan grant covered the event (SUB-54). */
export function isEventCovered({ counter }: Meter, { event, steps }: CorrectedEvent): boolean {
  if (counter.covered === 0n) return false;
  const until = steps.filter(({ seq }) => seq <= event.seq);
  return stateAfter(counter.meter, until).total <= counter.covered;
}

/** Returns the exact price of an event whose price depends on a cost, in major units of the currency. */
const priceOfEvent = ({ price, deducted }: UsageEventRow, { scale }: PoolTerms): Exact =>
  price === null ? ratio(deducted ?? 0n, scale) : exactDecimal(price);

/**
 * Returns true if a plan change carried an invoiced event to the window of a plan with a pool, which paid for it (SUB-45). The event
 * is in the window of the plan, and older than the plan's terms.
 */
const isCarriedToPool = (
  { subscription: { termsFrom } }: Pick<Subject, 'subscription'>,
  event: UsageEventRow,
): boolean => poolOfStored(event) === null && termsFrom !== null && event.createdAt <= termsFrom;

function without(subject: Subject, meter: Meter, corrected: CorrectedEvent, isLastOfValue: boolean): Without {
  const { counter } = meter;
  if (corrected.levels !== null)
    return { counter: levelWithout(counter, corrected.levels, corrected.event), isCovered: false };
  const { pool, derived } = subject.terms;
  const state = stateWithout(meter, corrected, isLastOfValue);
  const price =
    pool === null || derived === null || isCarriedToPool(subject, corrected.event)
      ? counter.price
      : exactText(minus(exactDecimal(counter.price), priceOfEvent(corrected.event, pool)));
  return { counter: { ...counter, ...state, price }, isCovered: isEventCovered(meter, corrected) };
}

/** Returns the covered units after a correction. A replacement is covered if the replaced event was covered. */
export function coveredAfter(
  before: UsageCounterRow,
  { counter, isCovered }: Without,
  after: bigint,
): bigint {
  if (!isAdditive(before.meter)) return minOf(before.covered, after);
  return isCovered
    ? maxOf(0n, before.covered + after - before.total)
    : minOf(before.covered, maxOf(counter.total, after));
}

/** Removes the event from the number of events with its value. Returns true if no event has the value anymore. */
function uncountValue(book: UsageBook, subject: Subject, { properties }: UsageEventRow): boolean {
  const value = measuredValue(subject.terms, properties);
  if (value === null || book.valueOf(subject, value).count === 0n) return false;
  return book.countValue(subject, value, -1n) === 0n;
}

/** Returns the event's customer, feature, and terms. Rejects an event whose usage window has ended, or whose feature can't be used anymore. */
function openSubject(book: UsageBook, { event, featureCode }: CorrectedEvent): Subject | Rejection {
  const subject = book.subjectOf(event.customerId, featureCode);
  if ('code' in subject)
    return subject.code === 'customer_not_found'
      ? specificRejection('not_found', 'usage_event', { param: 'id' })
      : tooOld;
  const { subscription, terms } = subject;
  const pool = terms.pool?.pool ?? null;
  const isSettled =
    modelOf(pool) === event.consumptionModel && (event.asset === null || event.asset === pool);
  const isOpen =
    subscription.id === event.subscriptionId &&
    windowOf(subscription).getTime() === event.windowStart.getTime() &&
    (isSettled || isCarriedToPool(subject, event));
  return isOpen ? subject : tooOld;
}

/** Window after a correction, with its effect on the lots and the alert. */
type Outcome = {
  readonly after: Meter;
  readonly settled: Settled | null;
  readonly alert: ConsumptionAlert | null;
};

function outcomeOf(
  { terms }: Subject,
  before: Meter,
  { counter: changed, cells }: Pick<Meter, 'counter' | 'cells'>,
  corrected: CorrectedEvent,
): Outcome {
  const { total, consumed } = before.counter;
  const { pool } = terms;
  if (pool !== null) {
    const waivedBefore = before.counter.waived + corrected.waived;
    const settled = settle(terms, pool, before, { counter: changed, cells }, waivedBefore);
    const counter = { ...changed, consumed: consumed + settled.taken };
    const [account, event] = crossedPool(pool.pool, before.account, settled.movement.account);
    return { after: { account, counter, cells }, settled, alert: event };
  }
  const [counter, event] = crossedUnits(unitLimit(terms), changed, total);
  return { after: { ...before, counter, cells }, settled: null, alert: event };
}

/**
 * Returns the change of the window's price and cost without the event: the opposite of the event's amounts, or nothing if
 * the total was set after the event. If the total isn't a sum, the cost of the new total. On credits plans, the price is
 * the paid price of all returned and drawn credits.
 */
function amountsWithout(
  { terms }: Subject,
  { event }: CorrectedEvent,
  before: UsageCounterRow,
  removed: UsageCounterRow,
  settled: Settled | null,
): PriceAndCost {
  const isOfEvent = isAdditive(before.meter) && before.total !== removed.total;
  return {
    price: isInUnits(terms)
      ? drawnPrice(settled?.movement.entries ?? [], terms.currency)
      : isOfEvent || terms.derived !== null
        ? withdrawn(event.price)
        : null,
    cost: isOfEvent ? withdrawn(event.cost) : changeBetween(terms, before, removed).cost,
  };
}

/** Corrects an event in the open window. */
function correctOpen(
  book: UsageBook,
  subject: Subject,
  corrected: CorrectedEvent,
  request: CorrectionRequest,
): Corrected {
  const { event } = corrected;
  const { subscription, feature, terms } = subject;
  const before = book.meterOf(subject);
  const isLastOfValue = uncountValue(book, subject, event);
  // After a set total, the totals by dimension values contain only later events.
  if (!isBeforeSet(corrected)) book.cells.remove(subject, event);
  const removed = without(subject, before, corrected, isLastOfValue);
  book.counters.set(before.counter.id, removed.counter);
  const replacement =
    request.replacement === null
      ? null
      : replaced(book, subject, removed.counter, request.replacement, event);
  if (replacement !== null && 'code' in replacement) return { rejection: replacement };
  const changed = levelAfter(book, replacement?.counter ?? removed.counter, before.counter, corrected);
  if ('code' in changed) return { rejection: changed };
  const covered = coveredAfter(before.counter, removed, changed.total);
  const window = { counter: { ...changed, covered }, cells: book.cells.of(subject)?.totals() };
  const outcome = outcomeOf(subject, before, window, corrected);
  const { settled, alert } = outcome;
  const withdrawnAmounts = amountsWithout(subject, corrected, before.counter, removed.counter, settled);
  const recorded = recordedAfter(outcome.after.counter.recorded, withdrawnAmounts.price);
  const after = { ...outcome.after, counter: { ...outcome.after.counter, recorded } };
  if (replacement !== null && !isCountable(terms, after)) return { rejection: tooLarge };
  if (replacement !== null && !isTotalBillable(terms, after.counter.total, covered, after.cells))
    return { rejection: notBillable };
  book.keep(after, before);
  const links = {
    budgetId: event.budgetId,
    sourceEventId: request.sourceEventId ?? null,
    levelSeq: levelPlaceOf(corrected),
  };
  const replacing = recordReplacement(book, { subject, ...links }, replacement, after);
  book.limits?.correct(
    {
      subject,
      budgetId: event.budgetId,
      countedAt: event.createdAt,
      isSourced: event.sourceEventId !== null,
      removed: { properties: event.properties, units: event.units ?? event.value },
      added:
        replacement === null
          ? null
          : { properties: replacement.request.properties, units: replacement.quantity.units },
    },
    { before, after },
  );
  const cause = { featureId: feature.id, sourceId: event.id };
  if (settled !== null) book.enter(settled.movement, subscription, cause);
  const correction = storeCorrection(book, subject, event, request, {
    before: before.counter,
    after: after.counter,
    replacement: replacing,
    amounts: withdrawnAmounts,
    deducted: settled?.taken ?? null,
    waived: settled?.waived ?? null,
    amountMinor: null,
  });
  if (alert !== null) book.tell(subject, { alerts: [alert], meter: after });
  return { correction, isRepetition: false };
}

/**
 * Corrects an event on locked rows. A limit doesn't reject a correction. If the event was already voided, voiding it again
 * returns the first correction. Any other repeated correction is rejected with `duplicate`. The caller must discard the book
 * after a rejection.
 */
export function correct(book: UsageBook, corrected: CorrectedEvent, request: CorrectionRequest): Corrected {
  const repeated = repeatedCorrection(corrected, request);
  if (repeated !== null) return repeated;
  const subject = openSubject(book, corrected);
  return 'code' in subject ? { rejection: subject } : correctOpen(book, subject, corrected, request);
}
