import { describe, expect, test } from 'vitest';
import { countEndings, type Ending, maxAttempts, nextAttemptAt } from '../../src/domain/events/webhooks.ts';

test('a webhook delivery has eight attempts at the documented times (PLT-44, PLT-E1)', () => {
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

describe('the count of consecutive failed events, which disables an endpoint after three failures (PLT-45)', () => {
  const fails: Ending = 'failed';
  const succeeds: Ending = 'succeeded';
  test.each<readonly [string, number, readonly Ending[], ReturnType<typeof countEndings>]>([
    ['no ended event', 2, [], { failedInRow: 2, isDisabled: false }],
    ['two failures', 0, [fails, fails], { failedInRow: 2, isDisabled: false }],
    ['the third failure', 2, [fails], { failedInRow: 3, isDisabled: true }],
    [
      'a success between them (PLT-E3)',
      0,
      [fails, fails, succeeds, fails],
      { failedInRow: 1, isDisabled: false },
    ],
    [
      'three failures after a success (PLT-E3)',
      0,
      [fails, fails, succeeds, fails, fails, fails],
      { failedInRow: 3, isDisabled: true },
    ],
    ['a late success', 2, [fails, succeeds], { failedInRow: 3, isDisabled: true }],
    ['a success', 2, [succeeds], { failedInRow: 0, isDisabled: false }],
  ])('is updated after %s', (_what, before, endings, expected) =>
    expect(countEndings(before, endings)).toEqual(expected),
  );
});
