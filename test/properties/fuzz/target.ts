import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startChild } from '../../support/child.ts';
import { openStripe } from '../../support/stripe.ts';
import { Pool } from './pool.ts';
import type { Tenant } from './request.ts';
import { createTestData, remoteShops } from './shop.ts';

/** A running server to test with the fuzzer. */
export type Target = {
  readonly url: string;
  /** Sandbox key for the server's first organization. `null` if unknown. */
  readonly key: string | null;
  /** Memory of the process in bytes. `null` if the fuzzer didn't start the process. */
  readonly rss: () => number | null;
  readonly isAlive: () => boolean;
  /** Error output of the process. */
  readonly output: () => string;
  /** Stops the process, and kills it after a timeout. Returns `true` if the process stopped in time. */
  readonly close: () => Promise<boolean>;
};

/** Time limit for stopping a process, in milliseconds. */
const stopMs = 30_000;

/** A server that is already running. */
export const runningTarget = (url: string): Target => ({
  url,
  key: null,
  rss: () => null,
  isAlive: () => true,
  output: () => '',
  close: async () => true,
});

/** Returns the resident memory of a process in bytes. `null` if it can't be read. */
function rssOf(pid: number): number | null {
  try {
    return (
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) *
      1_024
    );
  } catch {
    return null;
  }
}

/** Creates a database on a server. Returns its URL and a function that drops it. */
async function freshDatabase(server: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `fuzz_${randomUUID().replaceAll('-', '')}`;
  const admin = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  await admin(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/**
 * Starts a server in a separate process, without rate limits and outbound connections. `database` is a PostgreSQL server's URL. If it's
 * `null`, the database is embedded.
 */
export async function startTarget(database: string | null): Promise<Target> {
  const directory = mkdtempSync(path.join(tmpdir(), 'fuzz-'));
  const key = `ck_sandbox_${randomUUID()}`;
  const stripe = await openStripe();
  const made = database === null ? null : await freshDatabase(database);
  const child = await startChild({
    DATA_DIR: directory,
    ...(made === null ? {} : { DATABASE_URL: made.url }),
    RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_INGESTION_PER_MINUTE: '0',
    PROVISIONING_PER_MINUTE: '0',
    SIGN_INS_PER_MINUTE: '0',
    STRIPE_URL: stripe.url,
    BOOTSTRAP_API_KEY: key,
    WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
  });
  let isAlive = true;
  void child.ended.then(() => {
    isAlive = false;
  });
  let closed: Promise<boolean> | null = null;
  const close = async (): Promise<boolean> => {
    await Promise.race([child.stop(), sleep(stopMs, undefined, { ref: false })]);
    const isStopped = !isAlive;
    await child.kill();
    await stripe.close();
    await made?.drop();
    rmSync(directory, { recursive: true, force: true });
    return isStopped;
  };
  return {
    url: child.url,
    key,
    rss: () => rssOf(child.pid),
    isAlive: () => isAlive,
    output: child.output,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Time limit for creating a tenant's test data, in milliseconds. */
const testDataTimeoutMs = 30_000;

/** Returns a tenant with the given keys and test data. */
async function tenantOf(url: string, sandboxKey: string, liveKey: string): Promise<Tenant> {
  const pool = new Pool();
  const openShop = remoteShops(url, sandboxKey, pool);
  await createTestData(openShop(AbortSignal.timeout(testDataTimeoutMs)));
  return { sandboxKey, liveKey, pool, openShop };
}

/** Returns the first organization on a server that the fuzzer started, or a new organization. */
export const firstTenant = ({ url, key }: Target): Promise<Tenant> =>
  key === null ? newTenant(url) : tenantOf(url, key, key);

/** Creates an organization through open provisioning. */
export async function newTenant(url: string): Promise<Tenant> {
  const response = await fetch(`${url}/api/v1/provision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ name: 'Fuzz', country: 'US', businessType: 'company' }),
  });
  const { sandboxApiKey, liveApiKey } = (await response.json()) as {
    sandboxApiKey?: string;
    liveApiKey?: string;
  };
  if (sandboxApiKey === undefined || liveApiKey === undefined)
    throw new Error(`No organization was provisioned: ${response.status}.`);
  return tenantOf(url, sandboxApiKey, liveApiKey);
}
