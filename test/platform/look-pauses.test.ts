import { expect, test } from 'vitest';
import { LookPauses, type LookScope } from '../../src/platform/queue/look-pauses.ts';

/** Returns the pauses after this number of consecutive searches without a result. */
const quietPauses = (pollMs: number, scope: LookScope, searches: number): number[] => {
  const pauses = new LookPauses(pollMs);
  return Array.from({ length: searches }, () => pauses.after(scope, true));
};

test.each([
  [1_000, 'server', [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]],
  [1_000, 'cluster', [15_000, 30_000, 60_000, 120_000, 120_000, 120_000, 120_000]],
  [20, 'server', [20, 40, 80, 160, 320, 600, 600]],
  [20, 'cluster', [300, 600, 1_200, 2_400, 2_400, 2_400, 2_400]],
  [60_000, 'server', Array(7).fill(60_000)],
  [60_000, 'cluster', [60_000, 120_000, 120_000, 120_000, 120_000, 120_000, 120_000]],
] as const)(
  'a pause that starts at %i ms doubles after each search of a quiet %s',
  (pollMs, scope, expected) => {
    expect(quietPauses(pollMs, scope, 7)).toEqual(expected);
  },
);

test('a search with a result and a write both end the growth of the pauses', () => {
  const pauses = new LookPauses(1_000);
  expect([pauses.after('server', true), pauses.after('server', true), pauses.after('server', false)]).toEqual(
    [1_000, 2_000, 1_000],
  );
  expect([pauses.after('server', true), pauses.stir(), pauses.after('server', true)]).toEqual([
    1_000,
    false,
    1_000,
  ]);
  expect([pauses.after('server', true), pauses.stir(), pauses.stir(), pauses.after('server', true)]).toEqual([
    2_000,
    true,
    false,
    1_000,
  ]);
});
