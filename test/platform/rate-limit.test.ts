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

describe('a window', () => {
  test('allows its limit and rejects the next request', async () => {
    expect(await counts(open(), 'a', 'general', 4)).toEqual([
      [1, false],
      [0, false],
      [0, true],
      [0, true],
    ]);
  });

  test('belongs to one caller, and ingestion has one of its own', async () => {
    const limits = open();
    await counts(limits, 'a', 'general', 3);
    expect(await counts(limits, 'b', 'general', 1)).toEqual([[1, false]]);
    expect(await counts(limits, 'a', 'ingestion', 1)).toEqual([[2, false]]);
  });

  test('ends within 60 whole seconds', async () => {
    const { resetSeconds, limit } = await open().take('a', 'general');
    expect(limit).toBe(2);
    expect(resetSeconds).toBe(60);
  });

  test('of 0 never rejects', async () => {
    const seen = await counts(open({ rateLimitPerMinute: 0 }), 'a', 'general', 5);
    expect(seen.every(([remaining, isExceeded]) => remaining > 0 && !isExceeded)).toBe(true);
  });
});

test('without a reachable Redis each process counts alone', async () => {
  // Nothing listens on the discard port of this machine.
  expect(await counts(open({ redisUrl: 'redis://127.0.0.1:9' }), 'a', 'general', 3)).toEqual([
    [1, false],
    [0, false],
    [0, true],
  ]);
});

test.runIf(process.env['TEST_REDIS_URL'] !== undefined)(
  'processes on one Redis share their windows',
  async () => {
    const redisUrl = process.env['TEST_REDIS_URL'];
    const [one, other] = [open({ redisUrl }), open({ redisUrl })];
    // Until both are connected, each counts alone.
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
