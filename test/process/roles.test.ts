import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { collect, liveClient } from '../support/live.ts';
import { freshDatabase, serverUrl } from '../support/template.ts';

// Processes with different roles share a database server and communicate only through the server's notifications.

const key = 'ck_sandbox_roles_test_0123456789abcdef';

describe.skipIf(serverUrl() === undefined)(
  'a deployment of one API process and two workers on PostgreSQL',
  () => {
    let children: Child[] = [];
    let drop = async (): Promise<void> => undefined;

    beforeAll(async () => {
      const fresh = await freshDatabase();
      drop = fresh.drop;
      await fresh.database.close();
      const env = { DATABASE_URL: fresh.url ?? '', BOOTSTRAP_API_KEY: key, RATE_LIMIT_PER_MINUTE: '0' };
      children = [
        await startChild({ ...env, ROLE: 'api' }),
        ...(await Promise.all([1, 2].map(() => startChild({ ...env, ROLE: 'worker' })))),
      ];
    });
    afterAll(async () => {
      for (const child of children) await child.stop();
      await drop();
    });

    it('records a clock run in one process, executes it once in another, and streams its progress', async () => {
      const [api] = children;
      if (api === undefined) throw new Error('No API was started.');
      const call = async (method: string, path: string, body?: unknown) => {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        const response = await fetch(`${api.url}/api/v1${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return (await response.json()) as Record<string, string>;
      };
      await call('POST', '/plans', { name: 'Free', code: 'free', isFree: true });
      for (const externalId of ['a', 'b', 'c']) {
        await call('POST', '/customers', { email: `${externalId}@example.com`, externalId });
        expect(
          (await call('POST', '/subscriptions', { customerId: externalId, planCode: 'free' }))['status'],
        ).toBe('active');
      }
      const run = await call('POST', '/test-clock', { advanceDays: 100 });
      const client = liveClient(api.url, { apiKey: key });
      type Progress = {
        testClockRunProgress: { status: string; completedDeadlineCount: number; failedDeadlineCount: number };
      };
      const states = await collect<Progress>(
        client,
        'subscription ($id: ID!) { testClockRunProgress(id: $id) { status completedDeadlineCount failedDeadlineCount } }',
        { id: run['id'] },
      );
      await client.dispose();
      // The run processes three usage windows for each of the three free plans within 100 days.
      expect(states.at(-1)?.testClockRunProgress).toEqual({
        status: 'completed',
        completedDeadlineCount: 9,
        failedDeadlineCount: 0,
      });
    });
  },
);
