import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, callerOf, payCheckout } from '../support/caller.ts';
import { type Child, startChild } from '../support/child.ts';
import { type Cluster, noClusterBecause, startCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { serverUrl } from '../support/template.ts';

// A backup is taken during a clock run and restored elsewhere. The restored run must continue and produce the same invoices.

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
