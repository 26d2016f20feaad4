import { describe, expect, test } from 'vitest';
import { guarded } from '../../src/platform/guard.ts';

/** A log that keeps what it is told. */
function keeping() {
  const lines: [unknown, string][] = [];
  return {
    lines,
    log: {
      error: (fields: { err: unknown }, message: string) => void lines.push([fields.err, message]),
    } as never,
  };
}

describe('a guarded listener', () => {
  const error = new Error('broken');

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw error;
      },
    ],
    ['rejects', () => Promise.reject(error)],
  ])('that %s is logged, and what it was called with is cleaned up', async (_what, listener) => {
    const { lines, log } = keeping();
    const cleaned = Promise.withResolvers<number>();
    guarded(log, 'It failed.', listener as (value: number) => unknown, cleaned.resolve)(7);
    expect(await cleaned.promise).toBe(7);
    expect(lines).toEqual([[error, 'It failed.']]);
  });

  test('does not throw when cleaning up does', () => {
    const { lines, log } = keeping();
    const fail = (): never => {
      throw error;
    };
    expect(guarded(log, 'It failed.', fail, fail)).not.toThrow();
    expect(lines).toEqual([[error, 'It failed.']]);
  });
});
