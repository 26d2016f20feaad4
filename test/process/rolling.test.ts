import { setTimeout as rest } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerOf } from '../support/caller.ts';
import { type Child, startChild } from '../support/child.ts';
import { type ChildStorage, childStorage } from '../support/storage.ts';
import { serverUrl } from '../support/template.ts';

// Processes are replaced one after another under load. A client that checks readiness first loses no requests.

const key = 'ck_sandbox_rolling_0123456789abcdef0';
let storage: ChildStorage;
const children: Child[] = [];

const started = async (): Promise<Child> => {
  const child = await startChild(storage.env);
  children.push(child);
  return child;
};
const readiness = async ({ url }: Child): Promise<number> => (await fetch(`${url}/readyz`)).status;

beforeAll(async () => {
  storage = await childStorage({
    BOOTSTRAP_API_KEY: key,
    SHUTDOWN_DELAY_MS: '2000',
    WORKER_LEASE_MS: '1000',
  });
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.stop()));
  await storage.remove();
});

test("a process that is stopping reports that it isn't ready, completes its requests, and then exits", async () => {
  const child = await started();
  expect(await readiness(child)).toBe(200);
  const stopped = child.stop();
  await rest(200);
  expect(await readiness(child)).toBe(503);
  const customer = await callerOf(child, key).rest('POST', '/customers', { email: 'late@example.com' });
  expect(customer['email']).toBe('late@example.com');
  expect(await stopped).toBe(0);
  await expect(fetch(`${child.url}/readyz`)).rejects.toThrow('fetch failed');
});

test.skipIf(serverUrl() === undefined)(
  'two processes are replaced under load without losing a request',
  async () => {
    let serving = [await started(), await started()];
    let isOver = false;
    let made = 0;
    /** Sends requests to ready processes one after another, like a load balancer that checks readiness ten times per second. */
    const client = async (name: string): Promise<void> => {
      for (let count = 0; !isOver; count++) {
        const ready: Child[] = [];
        for (const child of serving) if ((await readiness(child).catch(() => 0)) === 200) ready.push(child);
        const child = ready[count % ready.length];
        expect(child).toBeDefined();
        await rest(100);
        const email = `${name}-${count}@rolling.example`;
        await callerOf(child as Child, key).rest('POST', '/customers', { email, externalId: email });
        made++;
      }
    };
    const clients = Promise.all(['a', 'b', 'c'].map(client));
    for (const old of [...serving]) {
      serving = [...serving, await started()];
      const stopped = old.stop();
      expect(await stopped).toBe(0);
      serving = serving.filter((child) => child !== old);
    }
    isOver = true;
    await clients;
    expect(made).toBeGreaterThan(20);
    const { customers } = await callerOf(serving[0] as Child, key).graphql<{
      customers: { totalCount: { value: number } };
    }>('{ customers(search: "rolling.example") { totalCount { value } } }');
    expect(customers.totalCount.value).toBe(made);
  },
);
