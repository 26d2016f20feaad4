import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { history, type Step, slowTrials } from '../support/laws.ts';
import { openHistoryShop, runSteps, stories, type Way, ways } from './history-shop.ts';

// Random histories executed through the API and the database. Each history runs twice: first without variations, then with a variation that
// must not change the result.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

let count = 0;

/** Variations to run: the next variation for each history, or all if PROPERTY_RUNS is set. */
const others = (): readonly Way[] =>
  process.env['PROPERTY_RUNS'] === undefined ? [ways[count++ % ways.length] ?? 'daily'] : ways;

test('a customer history has the same result over GraphQL, with daily advances, several workers, killed workers, retried requests, and previews (BIL-50, BIL-54, BIL-58, PLT-40)', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(history(14), async (steps: readonly Step[]) => {
      const plain = await runSteps(await openHistoryShop(t, 'plain'), steps);
      for (const way of others()) {
        const other = await runSteps(await openHistoryShop(t, way), steps);
        expect({ way, ...other }).toEqual({ way, ...plain });
      }
    }),
    slowTrials(stories),
  );
});
