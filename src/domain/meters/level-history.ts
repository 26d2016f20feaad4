// Events of a level in the order in which they take effect, for corrections (PRM-127).
import type { Rejection } from '../errors/errors.ts';
import { rateRejection } from '../rates/rejections.ts';
import type { LevelKind } from './level.ts';

/** Recorded event of a level. Amounts are in counted units. */
export type LevelEvent = {
  readonly id: string;
  readonly seq: bigint;
  /** Number of the corrected event in whose place the event changes the level. `null` if the event has its own place. */
  readonly levelSeq: bigint | null;
  readonly levelKind: LevelKind | null;
  /** Change of the level. */
  readonly levelChange: bigint | null;
  /** Level after the event at its recording. An event of the kind `set` sets the level to it. */
  readonly level: bigint | null;
};

/** Returns the number that determines the place of an event among the events of a level. */
export const placeOf = ({
  seq,
  levelSeq = null,
}: {
  readonly seq: bigint;
  readonly levelSeq?: bigint | null;
}): bigint => levelSeq ?? seq;

/** Returns events in the order in which they take effect. */
export const inPlace = <E extends Pick<LevelEvent, 'seq' | 'levelSeq'>>(events: readonly E[]): E[] =>
  events.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));

/** Returns the sum of the changes of events. */
export const changeOf = (events: readonly { readonly levelChange?: bigint | null }[]): bigint =>
  events.reduce((sum, { levelChange }) => sum + (levelChange ?? 0n), 0n);

/** Events with their changes after a correction, and the level after the last event. */
export type LevelReplay<E> = { readonly events: readonly E[]; readonly level: bigint };

/** Returns the highest level after one of the events, at least 0. */
export function highestLevel(opening: bigint, events: readonly Pick<LevelEvent, 'levelChange'>[]): bigint {
  let level = opening;
  let highest = 0n;
  for (const { levelChange } of events) {
    level += levelChange ?? 0n;
    if (level > highest) highest = level;
  }
  return highest;
}

const negative: Rejection = rateRejection('bad_quantity', [
  {
    field: 'id',
    message:
      "can't be corrected because a later event would make the level negative. Correct the later event first",
  },
]);

/**
 * Returns the changes of events that follow a level. An event that adds to the level or removes from it keeps its change, and an event that sets the
 * level keeps the level. Rejects events that make the level negative.
 */
export function replayLevel<E extends LevelEvent>(
  opening: bigint,
  later: readonly E[],
): LevelReplay<E> | Rejection {
  let level = opening;
  const events: E[] = [];
  for (const event of later) {
    const levelChange = event.levelKind === 'set' ? (event.level ?? 0n) - level : (event.levelChange ?? 0n);
    level += levelChange;
    if (level < 0n) return negative;
    events.push(levelChange === event.levelChange ? event : { ...event, levelChange });
  }
  return { events, level };
}

/** Level directly before a corrected event, with the events before and after it. */
export type LevelPlace<E> = {
  readonly before: readonly E[];
  readonly after: readonly E[];
  /** Level before the first event. */
  readonly opening: bigint;
  readonly level: bigint;
};

/** Returns the level directly before an event. `current` is the level after all events, which must be in the order in which they take effect. */
export function levelBefore<E extends LevelEvent>(
  events: readonly E[],
  current: bigint,
  { id }: Pick<LevelEvent, 'id'>,
): LevelPlace<E> {
  const place = events.findIndex((event) => event.id === id);
  if (place < 0) throw new Error(`The event ${id} isn't an event of the level.`);
  const before = events.slice(0, place);
  const opening = current - changeOf(events);
  return { before, after: events.slice(place + 1), opening, level: opening + changeOf(before) };
}
