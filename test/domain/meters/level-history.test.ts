import { describe, expect, it } from 'vitest';
import type { LevelKind } from '../../../src/domain/meters/level.ts';
import {
  type LevelEvent,
  levelBefore,
  placeOf,
  replayLevel,
} from '../../../src/domain/meters/level-history.ts';
import type { MeterDocument } from '../../../src/domain/meters/meter.ts';
import { totalOf, type WindowEvent } from '../../../src/domain/meters/total.ts';

const start = new Date('2027-06-01T00:00:00Z');
const window = { start, end: new Date('2027-07-01T00:00:00Z') };
const at = (hour: number): Date => new Date(start.getTime() + hour * 3_600_000);

type Given = readonly [hour: number, kind: LevelKind, quantity: number];

type Recorded = LevelEvent & WindowEvent;

/** Returns the events of a level that begins at 0, as they are recorded. */
function recorded(given: readonly Given[]): Recorded[] {
  let level = 0n;
  return given.map(([hour, kind, quantity], index) => {
    const value = BigInt(quantity);
    const after = kind === 'set' ? value : kind === 'add' ? level + value : level - value;
    const levelChange = after - level;
    level = after;
    const id = `evt_${index}`;
    const seq = BigInt(index + 1);
    return {
      id,
      seq,
      levelSeq: null,
      levelKind: kind,
      levelChange,
      level,
      value,
      quantity: null,
      properties: [],
      ts: at(hour),
    };
  });
}

/** Returns the totals and the level after a correction. `null` if the correction is rejected. */
function corrected(given: readonly Given[], place: number, replacement: Given | null) {
  const events = recorded(given);
  const current = events.at(-1)?.level ?? 0n;
  const { before, after, level } = levelBefore(events, current, { id: `evt_${place}` });
  const placed = recorded([...given.slice(0, place), ...(replacement === null ? [] : [replacement])])
    .slice(place)
    .map((event) => ({ ...event, seq: 100n, levelSeq: BigInt(place + 1) }));
  const replay = replayLevel(placed[0]?.level ?? level, after);
  if ('code' in replay) return null;
  const all = [...before, ...placed, ...replay.events];
  const total = (aggregation: MeterDocument['aggregation'], decimals: number): bigint =>
    totalOf({ aggregation, decimals, persists: true }, all, window);
  const millions = all.map((event) => ({ ...event, levelChange: (event.levelChange ?? 0n) * 1_000_000n }));
  return [
    totalOf({ aggregation: 'time_weighted', decimals: 6, persists: true }, millions, window),
    total('max', 0),
    replay.level,
  ];
}

// PRM-E29: 10 GB, 50 GB from hour 240, and 20 GB from hour 600 of 720 hours.
const added: readonly Given[] = [
  [0, 'add', 10],
  [240, 'add', 40],
  [600, 'remove', 30],
];
const set: readonly Given[] = [
  [0, 'set', 10],
  [240, 'set', 50],
  [600, 'set', 20],
];

describe('a correction of a level (PRM-127)', () => {
  it.each<readonly [name: string, Given[], number, Given | null, readonly bigint[] | null]>([
    ['nothing', [...added], 1, [240, 'add', 40], [31_666_667n, 50n, 20n]],
    ['the first quantity', [...added], 0, null, [21_666_667n, 40n, 10n]],
    ['a lower quantity', [...added], 1, [240, 'add', 30], [25_000_000n, 40n, 10n]],
    ['a higher quantity at another time', [...added], 1, [480, 'add', 60], [25_000_000n, 70n, 40n]],
    ['an added quantity instead of a removed one', [...added], 2, [600, 'add', 30], [41_666_667n, 80n, 80n]],
    ['a level that is needed later', [...added], 1, null, null],
    ['a set level between two others', [...set], 1, null, [11_666_667n, 20n, 20n]],
    ['the last set level', [...set], 2, null, [36_666_667n, 50n, 50n]],
    ['the first set level', [...set], 0, null, [28_333_333n, 50n, 20n]],
    ['a set level by an addition', [...set], 1, [240, 'add', 5], [14_166_667n, 20n, 20n]],
    [
      'a late event',
      [
        [600, 'add', 8],
        [240, 'set', 5],
      ],
      0,
      null,
      [3_333_333n, 5n, 5n],
    ],
  ])('replaces or voids %s', (_name, given, place, replacement, expected) => {
    expect(corrected(given, place, replacement)).toEqual(expected);
  });

  it('keeps the place of the corrected event', () => {
    expect(placeOf({ seq: 9n, levelSeq: 2n })).toBe(2n);
    expect(placeOf({ seq: 9n })).toBe(9n);
  });
});
