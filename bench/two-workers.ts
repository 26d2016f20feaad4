import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintKey } from '../src/modules/organization/api-keys/mint.ts';
import { createOrganization } from '../src/modules/organization/organizations/create.ts';
import { systemContext } from '../src/request/context.ts';
import { apiKey, startProduct } from './children.ts';
import { createDatabase, dropDatabase, onDatabase } from './database.ts';
import { insertYear, readMarker, readYear } from './raw-inserts.ts';
import { renewalsPerBatch, yearOn } from './renewals.ts';
import { addSubscriptions, closeWorld, openWorld, sandboxOf } from './world.ts';

/**
 * Renewals per second for two environments at the same time: with two processes on one database, and as bare inserts over two connections.
 */
export type TwoWorkersRates = { readonly product: readonly number[]; readonly baseline: readonly number[] };

/** Creates a database with two sandboxes that have the same number of subscriptions. Returns the sandboxes' API keys. */
async function seedTwo(subscriptions: number): Promise<{ url: string; keys: readonly string[] }> {
  const url = await createDatabase();
  const app = await openWorld(url);
  try {
    const first = await sandboxOf(url);
    const { sandbox } = await createOrganization(app, { name: 'Second' });
    const minted = await app.database.transaction((transaction) =>
      mintKey(transaction, sandbox, { name: 'Benchmark' }, app.wall.now()),
    );
    for (const [index, id] of [first, sandbox.id].entries())
      await addSubscriptions(await systemContext(app, id), `c${index}`, subscriptions);
    await app.database.script('UPDATE "Organization" SET "customerEmails" = false');
    await app.database.script('VACUUM ANALYZE');
    return { url, keys: [apiKey, minted?.secret ?? ''] };
  } finally {
    await closeWorld(app);
  }
}

/** Returns the number of renewals after all clock runs have ended. Returns `null` if a run is in progress. */
const completed = (url: string): Promise<number | null> =>
  onDatabase(url, async (client) => {
    const { rows } = await client.query<{ status: string; renewals: number }>(
      'SELECT status, "completedDeadlineCount" AS renewals FROM "TestClockRun"',
    );
    if (rows.some(({ status }) => status === 'failed'))
      throw new Error('A clock run of the benchmark failed.');
    const isOver = rows.length === 2 && rows.every(({ status }) => status === 'completed');
    return isOver ? rows.reduce((sum, { renewals }) => sum + renewals, 0) : null;
  });

/** Simulates a year in both sandboxes with two processes. Returns the renewals per second, measured until the last clock run ended. */
async function yearOfTwo(seeded: string, keys: readonly string[]): Promise<number> {
  const url = await createDatabase(seeded);
  const products = await Promise.all(keys.map(() => startProduct(url)));
  try {
    const began = performance.now();
    await Promise.all(
      products.map(async (product, index) => {
        const headers = { 'x-api-key': keys[index] ?? '', 'content-type': 'application/json' };
        const response = await fetch(`${product.url}/api/v1/test-clock`, {
          method: 'POST',
          headers: { ...headers, 'idempotency-key': randomUUID() },
          body: JSON.stringify({ advanceDays: 365 }),
        });
        if (response.status !== 202) throw new Error(`A clock wasn't advanced: ${response.status}`);
      }),
    );
    for (;;) {
      const renewals = await completed(url);
      if (renewals !== null) return renewals / ((performance.now() - began) / 1_000);
      await sleep(25);
    }
  } finally {
    await Promise.all(products.map((product) => product.stop()));
    await dropDatabase(url);
  }
}

/**
 * Measures two processes and two connections alternately. The database `seeded` has one sandbox. The rows from its simulated year are
 * inserted twice.
 */
export async function measureTwoWorkers(
  seeded: string,
  subscriptions: number,
  rounds: number,
): Promise<TwoWorkersRates> {
  const two = await seedTwo(subscriptions);
  const marker = await onDatabase(seeded, readMarker);
  const { databaseUrl, renewals } = await yearOn(seeded);
  const rows = await onDatabase(databaseUrl, (client) => readYear(client, marker));
  await dropDatabase(databaseUrl);
  const product: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < rounds; round++) {
    product.push(await yearOfTwo(two.url, two.keys));
    const bare = [await createDatabase(seeded), await createDatabase(seeded)];
    const batches = Math.ceil(renewals / renewalsPerBatch);
    const seconds = await Promise.all(bare.map((url) => insertYear(url, rows, batches)));
    baseline.push((2 * renewals) / Math.max(...seconds));
    await Promise.all(bare.map(dropDatabase));
  }
  await dropDatabase(two.url);
  return { product, baseline };
}
