import { randomUUID } from 'node:crypto';
import { setTimeout as rest } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/pool.ts';
import { callerOf } from '../support/caller.ts';
import { type Child, startChild } from '../support/child.ts';
import { type EnvironmentProxy, type Outage, openEnvironmentProxy } from '../support/environment-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { freshDatabase, serverUrl } from '../support/template.ts';

// One environment's part of the database stops responding, like a node of a cluster that froze or crashed. Other environments aren't affected,
// requests of the environment fail fast, and it recovers on its own.

type Shop = { readonly key: string; readonly environmentId: string };
type Answer = { readonly status: number; readonly retryAfter: string | null; readonly tookMs: number };

/** Maximum time in milliseconds until requests of an unavailable environment are rejected immediately, and until it recovers. */
const detectedWithinMs = 12_000;
const recoveredWithinMs = 5_000;

/** Maximum duration in milliseconds of a request that is rejected immediately. */
const immediateMs = 1_000;

/** Runs `work` and checks its duration. */
async function within(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  expect(performance.now() - began).toBeLessThan(milliseconds);
}

describe.skipIf(serverUrl() === undefined)('an environment whose database is unavailable', () => {
  let database: Database;
  let drop: () => Promise<void>;
  let proxy: EnvironmentProxy;
  let child: Child;
  let healthy: Shop;
  let lost: Shop;

  async function provision(name: string): Promise<Shop> {
    const about = { name, country: 'NL', businessType: 'software' };
    const { sandboxApiKey } = await callerOf(child, null).rest<{ sandboxApiKey: string }>(
      'POST',
      '/provision',
      about,
    );
    const [row] = await database.query<{ id: string }>(
      `SELECT e.id FROM "Environment" e JOIN "Organization" o ON o.id = e."organizationId" WHERE o.name = $1 AND e.mode = 'sandbox'`,
      [name],
    );
    return { key: sandboxApiKey, environmentId: row?.id ?? '' };
  }

  async function ask({ key }: Shop, method: 'GET' | 'POST' = 'GET'): Promise<Answer> {
    const began = performance.now();
    const id = randomUUID();
    const response = await fetch(`${child.url}/api/v1/customers${method === 'GET' ? '?limit=5' : ''}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': id },
      ...(method === 'GET' ? {} : { body: JSON.stringify({ email: `${id}@example.com`, externalId: id }) }),
    });
    await response.text();
    const tookMs = performance.now() - began;
    return { status: response.status, retryAfter: response.headers.get('retry-after'), tookMs };
  }

  /** Repeats requests of a shop until `isOver` returns true. Returns the responses. */
  async function repeat(shop: Shop, isOver: () => boolean): Promise<Answer[]> {
    const answers: Answer[] = [];
    while (!isOver()) answers.push(await ask(shop, answers.length % 2 === 0 ? 'GET' : 'POST'));
    return answers;
  }

  beforeAll(async () => {
    const fresh = await freshDatabase();
    [database, drop] = [fresh.database, fresh.drop];
    proxy = await openEnvironmentProxy(fresh.url ?? '');
    child = await startChild({
      DATABASE_URL: proxy.url,
      ROLE: 'api',
      RATE_LIMIT_PER_MINUTE: '0',
      PROVISIONING_PER_MINUTE: '0',
      LOG_LEVEL: 'silent',
    });
    [healthy, lost] = [await provision('healthy'), await provision('lost')];
    for (const shop of [healthy, lost]) expect(await ask(shop, 'POST')).toMatchObject({ status: 201 });
  });
  afterAll(async () => {
    await child?.kill();
    await proxy?.close();
    await database?.close();
    await drop?.();
  });

  test.each<Outage>(['frozen', 'refused'])(
    'is %s: only its own requests fail, immediately, until it is back',
    async (outage) => {
      let isOver = false;
      proxy.cutOff(lost.environmentId, outage);
      // Many clients of the lost environment, and one client of the healthy environment.
      const blocked = Promise.all(Array.from({ length: 20 }, () => repeat(lost, () => isOver)));
      const served = repeat(healthy, () => isOver);
      await within(detectedWithinMs, () =>
        eventually(
          () => ask(lost),
          ({ status, tookMs }) => status === 503 && tookMs < immediateMs,
        ),
      );
      const ready = await fetch(`${child.url}/readyz`);
      await rest(2_000);
      const rejected = await ask(lost);
      isOver = true;
      const [answers, failures] = [await served, (await blocked).flat()];
      expect(ready.status).toBe(200);
      expect(rejected).toMatchObject({ status: 503, retryAfter: '1' });
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
      expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([503]));
      expect(failures.length).toBeGreaterThan(20);

      proxy.restore();
      await within(recoveredWithinMs, () =>
        eventually(
          () => ask(lost, 'POST'),
          ({ status }) => status === 201,
        ),
      );
    },
  );
});
