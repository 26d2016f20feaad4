// Level of a feature after the correction of one of its events, in open usage windows (PRM-127).
import type { Rejection } from '../errors/errors.ts';
import { highestLevel, levelBefore, placeOf, replayLevel } from '../meters/level-history.ts';
import { maxOf } from '../money/money.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import type { UsageBook } from './book.ts';
import type { CorrectedEvent, LevelEventRow } from './correction-request.ts';
import type { UsageEventRow } from './record.ts';

/** Returns the counter directly before an event of a level took effect. Its total is the highest level until then. */
export function levelWithout(
  counter: UsageCounterRow,
  events: readonly LevelEventRow[],
  event: Pick<UsageEventRow, 'id'>,
): UsageCounterRow {
  const { before, opening, level } = levelBefore(events, counter.level ?? 0n, event);
  return { ...counter, level, total: highestLevel(opening, before) };
}

/**
 * Returns the counter after the later events of a level took effect again. `changed` is the counter without the corrected event, or with its
 * replacement. Stores the changes of later events that set the level. Rejects a correction that would make the level negative. Returns
 * `changed` if the event changes no level.
 */
export function levelAfter(
  book: Pick<UsageBook, 'levelChanges'>,
  changed: UsageCounterRow,
  before: UsageCounterRow,
  { levels, event }: Pick<CorrectedEvent, 'levels' | 'event'>,
): UsageCounterRow | Rejection {
  if (levels === null) return changed;
  const { after } = levelBefore(levels, before.level ?? 0n, event);
  const opening = changed.level ?? 0n;
  const replay = replayLevel(opening, after);
  if ('code' in replay) return replay;
  keepChanges(book, after, replay.events);
  return {
    ...changed,
    level: replay.level,
    total: maxOf(changed.total, highestLevel(opening, replay.events)),
  };
}

/** Stores the changed differences of events that set a level. */
export function keepChanges(
  { levelChanges }: Pick<UsageBook, 'levelChanges'>,
  before: readonly LevelEventRow[],
  after: readonly LevelEventRow[],
): void {
  for (const [index, { id, levelChange }] of after.entries())
    if (levelChange !== null && levelChange !== before[index]?.levelChange) levelChanges.set(id, levelChange);
}

/** Returns the number of the event in whose place a replacement changes the level. `null` if the event changes no level. */
export const levelPlaceOf = ({ levels, event }: Pick<CorrectedEvent, 'levels' | 'event'>): bigint | null =>
  levels === null ? null : placeOf(event);
