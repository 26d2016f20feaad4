import { describe, expect, test } from 'vitest';
import { guarded } from '../../src/platform/guard.ts';

/** Opens a log that keeps its lines for assertions. */
function openMemoryLog() {
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
  ])('logs the error and runs the cleanup if the listener %s', async (_what, listener) => {
    const { lines, log } = openMemoryLog();
    const cleaned = Promise.withResolvers<number>();
    guarded(log, 'It failed.', listener as (value: number) => unknown, cleaned.resolve)(7);
    expect(await cleaned.promise).toBe(7);
    expect(lines).toEqual([[error, 'It failed.']]);
  });

  test("doesn't throw if the cleanup throws", () => {
    const { lines, log } = openMemoryLog();
    const fail = (): never => {
      throw error;
    };
    expect(guarded(log, 'It failed.', fail, fail)).not.toThrow();
    expect(lines).toEqual([[error, 'It failed.']]);
  });
});
