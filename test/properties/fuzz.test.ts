import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzz, type Report } from './fuzz/run.ts';
import { startTarget, type Target } from './fuzz/target.ts';

// A short run of the fuzzer. `npm run test:fuzz` starts a longer one. fuzz/README.md describes the requests and the assertions.

let target: Target;
beforeAll(async () => {
  target = await startTarget(process.env['TEST_DATABASE_URL'] ?? null);
}, 180_000);
afterAll(async () => void (await target?.close()), 120_000);

/** Time limit for a response. It's generous because other tests run at the same time. */
const slowMs = 15_000;

let report: Report;

test('the server returns documented responses to 750 requests of all types, without internal errors or internal details', async () => {
  report = await fuzz(target, { requests: 750, seed: 20_260_827, concurrency: 4, slowMs, only: null });
  expect(report.findings).toEqual([]);
  expect(report.sent).toBe(750);
}, 300_000);

test('the fuzz run covers every operation, and enough requests pass input validation', () => {
  expect(report.operations.rest).toBeGreaterThanOrEqual(131);
  const answered = (status: string): number => report.statuses.get(status) ?? 0;
  expect(answered('200') + answered('201')).toBeGreaterThan(150);
  expect(answered('400')).toBeGreaterThan(150);
  expect(answered('404')).toBeGreaterThan(20);
  expect(answered('401')).toBeGreaterThan(20);
});

test('the server process stays alive, logs no errors, and stops on request', async () => {
  expect(report.isAlive).toBe(true);
  expect(target.output()).not.toMatch(/"level":(?:50|60)/);
  expect(await target.close()).toBe(true);
}, 60_000);
