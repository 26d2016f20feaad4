import { describe, expect, test } from 'vitest';
import { countEndings, type Ending, maxAttempts, nextAttemptAt } from '../../src/domain/webhooks.ts';

test('eight attempts are made at the instants of the worked example (PLT-44, PLT-E1)', () => {
  const instants = [new Date('2027-05-04T13:00:00.000Z')];
  for (let attempts = 1; ; attempts++) {
    const next = nextAttemptAt(attempts, instants.at(-1) ?? new Date(Number.NaN));
    if (next === null) break;
    instants.push(next);
  }
  expect(instants.map((instant) => instant.toISOString().slice(11, 16))).toEqual([
    '13:00',
    '13:01',
    '13:06',
    '13:21',
    '13:51',
    '14:51',
    '16:51',
    '20:51',
  ]);
  expect(instants).toHaveLength(maxAttempts);
});

describe('an endpoint is disabled by the third event in a row that failed permanently (PLT-45)', () => {
  const fails: Ending = 'failed';
  const succeeds: Ending = 'succeeded';
  test.each<readonly [string, number, readonly Ending[], ReturnType<typeof countEndings>]>([
    ['nothing ended', 2, [], { failedInRow: 2, isDisabled: false }],
    ['two failed', 0, [fails, fails], { failedInRow: 2, isDisabled: false }],
    ['the third failed', 2, [fails], { failedInRow: 3, isDisabled: true }],
    [
      'a success came in between (PLT-E3)',
      0,
      [fails, fails, succeeds, fails],
      { failedInRow: 1, isDisabled: false },
    ],
    [
      'three failed after a success (PLT-E3)',
      0,
      [fails, fails, succeeds, fails, fails, fails],
      { failedInRow: 3, isDisabled: true },
    ],
    ['a success came too late', 2, [fails, succeeds], { failedInRow: 3, isDisabled: true }],
    ['a success came', 2, [succeeds], { failedInRow: 0, isDisabled: false }],
  ])('when %s', (_what, before, endings, expected) =>
    expect(countEndings(before, endings)).toEqual(expected),
  );
});
