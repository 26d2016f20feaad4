import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { history, type Step, slowTrials } from '../support/laws.ts';
import { sharedHistories } from '../support/sample.ts';
import { live, openStall, stories, type Way, ways } from './stall.ts';

// Random histories through the doors and the database, each told twice: as plainly as can be, and in another way that must not matter.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

let count = 0;

/** The other ways a history is told in: by turns, and all of them where many are tried. */
const others = (): readonly Way[] =>
  process.env['PROPERTY_RUNS'] === undefined ? [ways[count++ % ways.length] ?? 'daily'] : ways;

test('a history is the same at both doors, day by day, by many workers, killed and resumed, said twice and previewed (BIL-50, BIL-54, BIL-58, PLT-40)', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(history(14), async (steps: readonly Step[]) => {
      const plain = await live(await openStall(t, 'plain'), steps);
      for (const way of others()) {
        const other = await live(await openStall(t, way), steps);
        expect({ way, ...other }).toEqual({ way, ...plain });
      }
    }),
    slowTrials(sharedHistories(stories)),
  );
});
