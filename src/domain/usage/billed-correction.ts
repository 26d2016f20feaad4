// Corrections of usage events that an unpaid plan change billed (PRM-127).
import { changeOf } from '../meters/level-history.ts';
import { isAdditive } from '../meters/meter.ts';
import { isEvent, totalAfter, type WindowStep } from '../meters/replay.ts';
import { poolOfStored } from '../pricing/pools.ts';
import {
  type BilledCorrection,
  type BilledWindow,
  correctedWindow,
  type FeatureAmounts,
} from '../rows/change-rows.ts';
import type { UsageCorrectionRow } from '../rows/usage-rows.ts';
import type { UsageBook } from './book.ts';
import { counterId } from './counter.ts';
import type { UsageEventRow } from './record.ts';

/** Invoice of a plan change that awaits its payment, and the window that it billed. */
export type OpenChange = {
  readonly id: string;
  readonly seq: bigint;
  readonly createdAt: Date;
  readonly window: BilledWindow;
};

/** Returns true if an invoice billed the event with a number, or the event that it replaces. */
export const isBilledBy = ({ seq, window }: OpenChange, number: bigint): boolean =>
  number <= seq || window.corrected?.some(({ replacement }) => replacement === String(number)) === true;

/** Returns the changes of the totals by the combinations of dimension values. */
function cellChanges({ cells, details }: UsageBook, counter: string, windowStart: Date): FeatureAmounts {
  const before = new Map(
    (details.cells.get(counter) ?? [])
      .filter((row) => row.windowStart.getTime() === windowStart.getTime())
      .map(({ id, total }) => [id, total]),
  );
  return Object.fromEntries(
    cells.changed().map(({ id, total }) => [id, String(total - (before.get(id) ?? 0n))]),
  );
}

/** Returns the change of the amounts that end with the window. */
function endingChange({ entries, lots }: UsageBook, eventId: string): bigint {
  return entries.reduce((sum, { sourceId, lotId, amount }) => {
    const lot = lots.get(lotId);
    const isEnding = lot !== undefined && (lot.endsWithWindow || lot.source === 'overdraft');
    return isEnding && sourceId === eventId ? sum + amount : sum;
  }, 0n);
}

/** Returns the level at the start of the window with the events. 0 if the feature holds no level. */
const openingOf = (level: bigint | null, steps: readonly WindowStep[]): bigint =>
  level === null ? 0n : level - changeOf(steps.filter(isEvent));

/** Event that was corrected, with the events of its window after the correction. */
export type BilledEvent = {
  readonly event: UsageEventRow;
  readonly correction: UsageCorrectionRow;
  /** Number of the replacement. `null` if the event was voided. */
  readonly replacementSeq: bigint | null;
  /** Events and adjustments of the window after the correction. Not used by meters that add up. */
  readonly steps: readonly WindowStep[];
};

/**
 * Returns the billed window after the correction of an event that it contains. The book must contain only the correction. The
 * next invoice after the plan change contains the difference.
 */
export function correctBilled(
  change: OpenChange,
  book: UsageBook,
  { event, correction, replacementSeq, steps }: BilledEvent,
): BilledWindow {
  const { window, createdAt } = change;
  const { subscriptionId, featureId, windowStart } = event;
  const counter = counterId(subscriptionId, featureId);
  const { meter = null, level = null } = book.counters.get(counter) ?? {};
  const own = steps.filter(({ seq }) => seq === replacementSeq || isBilledBy(change, seq));
  const known = BigInt(correctedWindow(window).totals[featureId] ?? 0);
  const difference = isAdditive(meter)
    ? correction.units
    : totalAfter(meter, own, { start: windowStart, end: createdAt }, openingOf(level, steps)) - known;
  const pool = poolOfStored(event);
  const corrected: BilledCorrection = {
    id: correction.id,
    featureId,
    totals: { [featureId]: String(difference), ...cellChanges(book, counter, windowStart) },
    pools: pool === null ? {} : { [pool]: String(endingChange(book, event.id)) },
    drawn: pool === null ? {} : { [featureId]: String(correction.deducted ?? 0n) },
    replacement: replacementSeq === null ? null : String(replacementSeq),
  };
  return { ...window, corrected: [...(window.corrected ?? []), corrected] };
}
