import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiKey, type Product, startProduct } from './children.ts';
import { createDatabase, dropDatabase, onDatabase } from './database.ts';
import { insertYear, readMarker, readYear, type YearOfRows } from './raw-inserts.ts';
import { seededDatabase } from './world.ts';

/** Resident memory in MiB before the simulated year, at its peak, and one second after the year ends. */
export type Memory = { readonly start: number; readonly peak: number; readonly end: number };

/** Result of a simulation of up to a year. Measured from the request that advances the clock until the clock run ends. */
export type Year = { readonly seconds: number; readonly renewals: number; readonly memory: Memory };

type RunState = { readonly status: string; readonly completed: number };

const readRun = (databaseUrl: string): Promise<RunState | undefined> =>
  onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<RunState>(
      `SELECT status, "completedDeadlineCount" AS completed FROM "TestClockRun"`,
    );
    return rows[0];
  });

async function runYear(product: Product, databaseUrl: string, days: number): Promise<Year> {
  const start = await product.residentMb();
  let peak = start;
  const began = performance.now();
  const response = await fetch(`${product.url}/api/v1/test-clock`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ advanceDays: days }),
  });
  if (response.status !== 202)
    throw new Error(`The clock wasn't advanced: ${response.status} ${await response.text()}`);
  for (let look = 1; ; look++) {
    const run = await readRun(databaseUrl);
    if (run?.status === 'failed') throw new Error('The clock run of the benchmark failed.');
    if (run?.status === 'completed') {
      const seconds = (performance.now() - began) / 1_000;
      await sleep(1_000);
      const end = await product.residentMb();
      return { seconds, renewals: run.completed, memory: { start, peak: Math.max(peak, end), end } };
    }
    if (look % 10 === 0) peak = Math.max(peak, await product.residentMb());
    await sleep(25);
  }
}

/** Simulates up to a year on a copy of a seeded database, which isn't dropped. `flags` are passed to Node. */
export async function yearOn(
  seeded: string,
  flags: readonly string[] = [],
  days = 365,
): Promise<Year & { readonly databaseUrl: string }> {
  const databaseUrl = await createDatabase(seeded);
  const product = await startProduct(databaseUrl, flags);
  try {
    return { ...(await runYear(product, databaseUrl, days)), databaseUrl };
  } finally {
    await product.stop();
  }
}

/** Renewals per second for Quittance and for the bare inserts, one value per round. */
export type RenewalRates = {
  readonly product: readonly number[];
  readonly baseline: readonly number[];
  readonly rowsPerRenewal: number;
  readonly memory: Memory;
};

/** Number of renewals per transaction in the bare inserts. */
export const renewalsPerBatch = 500;

/** Measures Quittance and the baseline alternately, so that other load on the machine affects both equally. */
export async function measureRenewals(seeded: string, rounds: number): Promise<RenewalRates> {
  const product: number[] = [];
  const baseline: number[] = [];
  let rows: YearOfRows | null = null;
  let memory: Memory = { start: 0, peak: 0, end: 0 };
  let renewals = 0;
  const marker = await onDatabase(seeded, readMarker);
  for (let round = 0; round < rounds; round++) {
    const year = await yearOn(seeded);
    renewals = year.renewals;
    if (year.memory.peak > memory.peak) memory = year.memory;
    product.push(year.renewals / year.seconds);
    rows ??= await onDatabase(year.databaseUrl, (client) => readYear(client, marker));
    await dropDatabase(year.databaseUrl);
    const bare = await createDatabase(seeded);
    baseline.push(renewals / (await insertYear(bare, rows, Math.ceil(renewals / renewalsPerBatch))));
    await dropDatabase(bare);
  }
  return { product, baseline, rowsPerRenewal: (rows?.rowCount ?? 0) / renewals, memory };
}

/** Simulates `days` days for `subscriptions` subscriptions. Returns the seconds per renewal and the server's memory. */
export async function secondsPerRenewal(
  subscriptions: number,
  days: number,
): Promise<{ seconds: number; memory: Memory }> {
  const seeded = await seededDatabase(subscriptions);
  const { databaseUrl, seconds, renewals, memory } = await yearOn(seeded, [], days);
  await dropDatabase(databaseUrl);
  await dropDatabase(seeded);
  return { seconds: seconds / renewals, memory };
}
