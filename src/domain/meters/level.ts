// Levels that last across usage windows (PRM-14).
import type { Rejection } from '../errors/errors.ts';
import { divideRounded, maxOf } from '../money/money.ts';
import { rateRejection } from '../rates/rejections.ts';
import type { MeterBucket, MeterDocument } from './meter.ts';

/** Effect of an event on a level: adds its quantity, removes it, or sets the level to it. */
export const levelKinds = ['add', 'remove', 'set'] as const;

export type LevelKind = (typeof levelKinds)[number];

/** Effect of an event on a level, in counted units. */
export type LevelChange = { readonly kind: LevelKind; readonly change: bigint; readonly after: bigint };

/** Returns the effect of an event on a level. Rejects an event that would make the level negative. */
export function changeLevel(kind: LevelKind, level: bigint, units: bigint): LevelChange | Rejection {
  const after = kind === 'set' ? units : kind === 'add' ? level + units : level - units;
  return after < 0n
    ? rateRejection('bad_quantity', [
        { field: 'quantity', message: "can't be greater than the current level" },
      ])
    : { kind, change: after - level, after };
}

/** Level from a time in milliseconds until the next step. */
type LevelStep = { readonly atMs: number; readonly level: bigint };

/** Time range of a window in milliseconds: the start, inclusive, and the end, exclusive. */
type Range = { readonly startMs: number; readonly endMs: number };

/** Change of a level at a time inside the window. */
export type TimedChange = { readonly atMs: number; readonly change: bigint };

/** Returns the levels of a window in order of time, starting with the level at its start. */
function stepsOf(opening: bigint, changes: readonly TimedChange[], { startMs }: Range): LevelStep[] {
  let level = opening;
  const steps: LevelStep[] = [{ atMs: startMs, level: maxOf(0n, opening) }];
  for (const { atMs, change } of changes) {
    level += change;
    steps.push({ atMs, level: maxOf(0n, level) });
  }
  return steps;
}

/** Returns the sum of level × time held, divided by the length of the window. */
function weighted(steps: readonly LevelStep[], { startMs, endMs }: Range): bigint {
  const length = BigInt(endMs - startMs);
  if (length <= 0n) return steps.at(-1)?.level ?? 0n;
  const sum = steps.reduce(
    (total, { atMs, level }, index) => total + level * BigInt((steps[index + 1]?.atMs ?? endMs) - atMs),
    0n,
  );
  return divideRounded(sum, length);
}

const largest = (steps: readonly LevelStep[]): bigint =>
  steps.reduce((most, { level }) => maxOf(most, level), 0n);

/** Returns the total of each bucket of a window. A bucket begins with the last level of the previous bucket. */
function bucketTotals(
  steps: readonly LevelStep[],
  { startMs, endMs }: Range,
  { aggregation }: MeterBucket,
  size: number,
): bigint[] {
  const totals: bigint[] = [];
  let place = 0;
  let level = steps[0]?.level ?? 0n;
  const last = Math.max(Math.floor(startMs / size) + 1, Math.ceil(endMs / size));
  for (let bucket = Math.floor(startMs / size); bucket < last; bucket++) {
    const inside = [{ atMs: bucket * size, level }];
    for (
      let step = steps[place];
      step !== undefined && step.atMs < (bucket + 1) * size;
      step = steps[++place]
    )
      inside.push(step);
    level = inside.at(-1)?.level ?? level;
    totals.push(aggregation === 'max' ? largest(inside) : level);
  }
  return totals;
}

/**
 * Returns the total of a window with a level: the total of each bucket, or the only total. `changes` is in order of time, and `size` is the
 * length of a bucket in milliseconds.
 */
export function levelTotals(
  { aggregation, bucket }: MeterDocument,
  opening: bigint,
  changes: readonly TimedChange[],
  range: Range,
  size: number,
): readonly bigint[] {
  const steps = stepsOf(opening, changes, range);
  if (bucket !== undefined) return bucketTotals(steps, range, bucket, size);
  return [aggregation === 'time_weighted' ? weighted(steps, range) : largest(steps)];
}
