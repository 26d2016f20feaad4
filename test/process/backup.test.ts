import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, callerOf, payCheckout } from '../support/caller.ts';
import { type Child, startChild } from '../support/child.ts';
import { type Cluster, noClusterBecause, startCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { serverUrl } from '../support/template.ts';

// A backup is created during a clock run and restored elsewhere. The restored run must continue and produce the same invoices. A server that
// archives its logs is restored to an instant.

const key = 'ck_sandbox_backup_0123456789abcdef01';
const settings = {
  BOOTSTRAP_API_KEY: key,
  APP_SECRET: 'a secret of the backup test, long',
  WORKER_LEASE_MS: '1000',
  WORKER_POLL_MS: '50',
};
const customers = 6;

const reason = noClusterBecause();
if (reason !== null) console.warn(`Backups are not tested: ${reason}.`);

type Invoices = { invoices: { edges: { node: { invoiceNumber: string; total: number } }[] } };

const invoicesOf = async (shop: Caller) => {
  const fields = 'invoiceNumber total status issueDate customer { externalId }';
  const { invoices } = await shop.graphql<Invoices>(
    `{ invoices(first: 100) { edges { node { ${fields} } } } }`,
  );
  return invoices.edges
    .map(({ node }) => node)
    .toSorted((a, b) => a.invoiceNumber.localeCompare(b.invoiceNumber));
};

/** Waits until the clock run ends, and returns the invoices. */
async function settled(child: Child) {
  const shop = callerOf(child, key);
  await eventually(async () => {
    const { testClock } = await shop.graphql<{ testClock: { latestRun: { status: string } } }>(
      '{ testClock { latestRun { status } } }',
    );
    return testClock.latestRun.status === 'completed';
  });
  const { ledgerVerify } = await shop.graphql<{ ledgerVerify: { ok: boolean } }>('{ ledgerVerify { ok } }');
  expect(ledgerVerify.ok).toBe(true);
  return invoicesOf(shop);
}

// The test starts its own servers, so it runs only once, with the tests that use a database server.
describe.skipIf(reason !== null || serverUrl() === undefined)(
  'a backup created during a clock run',
  { timeout: 120_000 },
  () => {
    const clusters: Cluster[] = [];
    const children: Child[] = [];
    const started = async (url: string): Promise<Child> => {
      const child = await startChild({ ...settings, DATABASE_URL: url });
      children.push(child);
      return child;
    };
    /** Set by `beforeAll`: the original run's result, and the backups to restore. */
    let original: Awaited<ReturnType<typeof settled>>;
    let dump: string;
    let copy: Cluster;

    beforeAll(async () => {
      const cluster = await startCluster();
      clusters.push(cluster);
      const child = await started(cluster.url);
      const shop = callerOf(child, key);
      const plan = await shop.rest('POST', '/plans', { name: 'Pro', code: 'pro' });
      await shop.rest('POST', `/plans/${String(plan['id'])}/prices`, {
        billingInterval: 'weekly',
        price: 1_900,
      });
      for (let index = 0; index < customers; index++) {
        const externalId = `customer-${index}`;
        await shop.rest('POST', '/customers', { email: `${externalId}@example.com`, externalId });
        const { checkoutUrl } = await shop.rest('POST', '/subscriptions', {
          customerId: externalId,
          planCode: 'pro',
        });
        await payCheckout(child, checkoutUrl, { number: '4242424242424242' });
      }
      await shop.rest('POST', '/test-clock', { advanceDays: 70 });
      [dump, copy] = await Promise.all([cluster.restoreDump(), cluster.restoreBaseBackup()]);
      clusters.push(copy);
      original = await settled(child);
    }, 120_000);
    afterAll(async () => {
      await Promise.all(children.map((child) => child.stop()));
      await Promise.all(clusters.map((cluster) => cluster.remove()));
    });

    test("doesn't disturb the original run, which bills every customer for ten weeks", () => {
      expect(original).toHaveLength(customers * 11);
    });

    test('continues the run with the same invoices if it was created with pg_dump', async () => {
      expect(await settled(await started(dump))).toEqual(original);
    });

    test("continues the run with the same invoices if it's a copy of the database server's files", async () => {
      expect(await settled(await started(copy.url))).toEqual(original);
    });
  },
);

describe.skipIf(reason !== null || serverUrl() === undefined)(
  'a server whose logs are archived',
  { timeout: 120_000 },
  () => {
    test('is restored with exactly the requests before an instant', async () => {
      const cluster = await startCluster({ archives: true });
      const opened: { readonly children: Child[]; readonly clusters: Cluster[] } = {
        children: [],
        clusters: [cluster],
      };
      const client = new pg.Client({ connectionString: cluster.url });
      const ask = async (text: string): Promise<string> =>
        String(Object.values((await client.query<Record<string, unknown>>(text)).rows[0] ?? {})[0]);
      try {
        await client.connect();
        const child = await startChild({ ...settings, DATABASE_URL: cluster.url });
        opened.children.push(child);
        const shop = callerOf(child, key);
        const add = (name: string) => shop.rest('POST', '/customers', { email: `${name}@example.com` });
        await add('before-backup');
        const restoreUntil = await cluster.baseBackup();
        for (const name of ['a', 'b', 'c']) await add(name);
        const until = await ask('SELECT clock_timestamp()::text');
        for (const name of ['d', 'e']) await add(name);
        // The log of the later requests is archived before the restoration.
        const log = await ask('SELECT pg_walfile_name(pg_current_wal_lsn())');
        await ask('SELECT pg_switch_wal()');
        await eventually(async () => (await ask('SELECT last_archived_wal FROM pg_stat_archiver')) >= log);

        const restored = await restoreUntil(until);
        opened.clusters.push(restored);
        const copy = await startChild({ ...settings, DATABASE_URL: restored.url });
        opened.children.push(copy);
        const { customers } = await callerOf(copy, key).graphql<{
          customers: { edges: { node: { email: string } }[] };
        }>('{ customers(first: 100) { edges { node { email } } } }');
        expect(customers.edges.map(({ node }) => node.email).toSorted()).toEqual(
          ['a', 'b', 'before-backup', 'c'].map((name) => `${name}@example.com`),
        );
        await expect(
          callerOf(copy, key).rest('POST', '/customers', { email: 'f@example.com' }),
        ).resolves.toMatchObject({
          email: 'f@example.com',
        });
      } finally {
        await client.end();
        await Promise.all(opened.children.map((child) => child.stop()));
        await Promise.all(opened.clusters.map((each) => each.remove()));
      }
    });
  },
);
