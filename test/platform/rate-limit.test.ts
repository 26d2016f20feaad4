import { afterEach, describe, expect, test, vi } from 'vitest';
import { openRateLimits, type RateLimits } from '../../src/platform/rate-limit.ts';

const opened: RateLimits[] = [];
const open = (settings: Partial<Parameters<typeof openRateLimits>[0]> = {}) => {
  const limits = openRateLimits({
    rateLimitPerMinute: 2,
    rateLimitIngestionPerMinute: 3,
    provisioningPerMinute: 0,
    purchasesPerMinute: 0,
    signInsPerMinute: 0,
    ...settings,
  });
  opened.push(limits);
  return limits;
};
afterEach(async () => {
  for (const limits of opened.splice(0)) await limits.close();
});

const counts = async (limits: RateLimits, caller: string, bucket: 'general' | 'ingestion', times: number) => {
  const seen: [number, boolean][] = [];
  for (let request = 0; request < times; request++) {
    const { remaining, isExceeded } = await limits.take(caller, bucket);
    seen.push([remaining, isExceeded]);
  }
  return seen;
};

describe('a rate limit window', () => {
  test('allows requests up to its limit and rejects the next request', async () => {
    expect(await counts(open(), 'a', 'general', 4)).toEqual([
      [1, false],
      [0, false],
      [0, true],
      [0, true],
    ]);
  });

  test('is separate for each caller, and separate for usage ingestion', async () => {
    const limits = open();
    await counts(limits, 'a', 'general', 3);
    expect(await counts(limits, 'b', 'general', 1)).toEqual([[1, false]]);
    expect(await counts(limits, 'a', 'ingestion', 1)).toEqual([[2, false]]);
  });

  test('ends within 60 seconds, counted in whole seconds', async () => {
    const { resetSeconds, limit } = await open().take('a', 'general');
    expect(limit).toBe(2);
    expect(resetSeconds).toBe(60);
  });

  test('never rejects requests if the limit is 0', async () => {
    const seen = await counts(open({ rateLimitPerMinute: 0 }), 'a', 'general', 5);
    expect(seen.every(([remaining, isExceeded]) => remaining > 0 && !isExceeded)).toBe(true);
  });
});

describe('a rate limit reservation', () => {
  /** Reserves and settles requests concurrently, as rejected key lookups do. Returns the number of allowed requests. */
  async function rejectedOf(limits: readonly RateLimits[], caller: string, times: number): Promise<number> {
    const allowed = await Promise.all(
      Array.from({ length: times }, async (_, index) => {
        const { allowance, settle } = await (limits[index % limits.length] as RateLimits).reserve(
          caller,
          'rejected',
        );
        await settle('kept');
        return !allowance.isExceeded;
      }),
    );
    return allowed.filter(Boolean).length;
  }

  test('counts toward the limit before the outcome is known', async () => {
    expect(await rejectedOf([open({ rateLimitPerMinute: 100 })], 'a', 150)).toBe(100);
  });

  test("frees its slot for the next waiting request when it's released", async () => {
    const limits = open();
    const [first, second] = [await limits.reserve('a', 'rejected'), await limits.reserve('a', 'rejected')];
    const waiting = [limits.reserve('a', 'rejected'), limits.reserve('a', 'rejected')];
    await first.settle('given back');
    const third = await Promise.race(waiting);
    expect(third.allowance.isExceeded).toBe(false);
    await second.settle('kept');
    await third.settle('kept');
    const allowances = await Promise.all(waiting);
    expect(allowances.map(({ allowance }) => allowance.isExceeded).toSorted()).toEqual([false, true]);
    expect((await limits.reserve('a', 'rejected')).allowance).toMatchObject({
      isExceeded: true,
      remaining: 0,
    });
    expect((await limits.reserve('b', 'rejected')).allowance.isExceeded).toBe(false);
  });

  test.runIf(process.env['TEST_REDIS_URL'] !== undefined)(
    'is shared by processes that use the same Redis server',
    async () => {
      const settings = { redisUrl: process.env['TEST_REDIS_URL'], rateLimitPerMinute: 100 };
      const [one, other] = [open(settings), open(settings)];
      await vi.waitFor(async () => {
        const caller = crypto.randomUUID();
        await one.take(caller, 'general');
        expect((await other.take(caller, 'general')).remaining).toBe(98);
      }, 30_000);
      expect(await rejectedOf([one, other], crypto.randomUUID(), 150)).toBe(100);
    },
  );
});

test("processes that can't reach Redis enforce rate limits separately", async () => {
  // Uses the discard port, on which no service listens.
  expect(await counts(open({ redisUrl: 'redis://127.0.0.1:9' }), 'a', 'general', 3)).toEqual([
    [1, false],
    [0, false],
    [0, true],
  ]);
});

test.runIf(process.env['TEST_REDIS_URL'] !== undefined)(
  'processes that use the same Redis server share their rate limit windows',
  async () => {
    const redisUrl = process.env['TEST_REDIS_URL'];
    const [one, other] = [open({ redisUrl }), open({ redisUrl })];
    // Waits until both processes are connected, because each process counts separately before then.
    await vi.waitFor(async () => {
      const caller = crypto.randomUUID();
      await one.take(caller, 'general');
      expect((await other.take(caller, 'general')).remaining).toBe(0);
    }, 30_000);
    const caller = crypto.randomUUID();
    expect(await counts(one, caller, 'general', 1)).toEqual([[1, false]]);
    expect(await counts(other, caller, 'general', 2)).toEqual([
      [0, false],
      [0, true],
    ]);
    expect(await counts(one, caller, 'general', 1)).toEqual([[0, true]]);
  },
);
