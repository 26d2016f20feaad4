import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, callerOf } from '../support/caller.ts';
import { type Child, startChild } from '../support/child.ts';
import { type Cluster, noClusterBecause, startCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { serverUrl } from '../support/template.ts';

// Lists and metrics use a read replica while its data is recent. The replica is a real standby server.

const key = 'ck_sandbox_replica_0123456789abcdef01';

const reason = noClusterBecause();
if (reason !== null) console.warn(`Read replicas are not tested: ${reason}.`);

type Listed = { readonly data: readonly { readonly email: string }[] };

describe.skipIf(reason !== null || serverUrl() === undefined)('a read replica', { timeout: 120_000 }, () => {
  let primary: Cluster;
  let standby: Cluster;
  let child: Child;
  let writer: Caller;
  let reader: Caller;
  let watch: pg.Client;

  /** Returns the number of times that statements on the replica read the customers. */
  const readsOnReplica = async (): Promise<number> => {
    const { rows } = await watch.query<{ reads: string }>(
      `SELECT coalesce(sum(seq_scan + idx_scan), 0) AS reads FROM pg_stat_user_tables WHERE relname = 'Customer'`,
    );
    return Number(rows[0]?.reads ?? 0);
  };

  const emails = async (caller: Caller): Promise<readonly string[]> => {
    const { data } = (await caller.rest('GET', '/customers')) as unknown as Listed;
    return data.map(({ email }) => email).toSorted();
  };

  const add = (name: string) => writer.rest('POST', '/customers', { email: `${name}@example.com` });

  beforeAll(async () => {
    primary = await startCluster();
    standby = await primary.standby();
    watch = new pg.Client({ connectionString: standby.url });
    watch.on('error', () => undefined);
    await watch.connect();
    child = await startChild({
      BOOTSTRAP_API_KEY: key,
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URL: standby.url,
      DATABASE_REPLICA_LAG_MS: '2000',
    });
    writer = callerOf(child, key);
    const created = await writer.rest('POST', '/api-keys', { name: 'reader' });
    reader = callerOf(child, String(created['apiKey']));
  }, 120_000);
  afterAll(async () => {
    await watch.end();
    await child.stop();
    await standby.remove();
    await primary.remove();
  });

  test('serves lists to a caller that has written nothing', async () => {
    await add('a');
    await eventually(async () => {
      const before = await readsOnReplica();
      await emails(reader);
      return (await readsOnReplica()) > before;
    });
    expect(await emails(reader)).toEqual(['a@example.com']);
  });

  test("doesn't serve lists to a caller after its write", async () => {
    await watch.query('SELECT pg_wal_replay_pause()');
    await add('b');
    expect(await emails(writer)).toEqual(['a@example.com', 'b@example.com']);
  });

  test("isn't used when its data is older than the bound", async () => {
    await eventually(async () => (await emails(reader)).length === 2);
    const metrics = await (await fetch(`${child.url}/metrics`)).text();
    const [, lag] = /^quittance_replica_lag_seconds (\S+)$/m.exec(metrics) ?? [];
    expect(Number(lag)).toBeGreaterThan(2);
    await watch.query('SELECT pg_wal_replay_resume()');
  });

  test('can stop without a failed request', async () => {
    await eventually(async () => {
      const before = await readsOnReplica();
      await emails(reader);
      return (await readsOnReplica()) > before;
    });
    await standby.crashAndRestart();
    for (let attempt = 1; attempt <= 10; attempt++)
      expect(await emails(reader)).toEqual(['a@example.com', 'b@example.com']);
  });
});
