import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { openReceiver } from '../support/receiver.ts';
import { freshDatabase, serverUrl } from '../support/template.ts';

// Deliveries survive the end of their process between the answer of the receiver and its record (PLT-47): at least once, under the same id.

const key = 'ck_sandbox_webhook_kill_0123456789abcdef';
const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
});

/** Where a product that outlives its processes keeps its data. The time-out is short, so that a lease is too. */
async function storage(): Promise<Record<string, string>> {
  const common = { BOOTSTRAP_API_KEY: key, WORKER_POLL_MS: '50', WEBHOOK_TIMEOUT_MS: '5000' };
  if (serverUrl() === undefined) {
    const directory = await mkdtemp(path.join(tmpdir(), 'quittance-'));
    cleanups.push(() => rm(directory, { recursive: true, force: true }));
    return { ...common, DATA_DIR: directory };
  }
  const { database, url, drop } = await freshDatabase();
  await database.close();
  cleanups.push(drop);
  return { ...common, DATABASE_URL: url ?? '' };
}

async function call(child: Child, route: string, body: unknown): Promise<void> {
  const response = await fetch(`${child.url}/api/v1${route}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${route}: ${await response.text()}`);
}

/** How many deliveries are recorded as taken. */
async function succeeded(child: Child): Promise<number> {
  const response = await fetch(`${child.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ webhookDeliveries(status: succeeded) { edges { cursor } } }' }),
  });
  const { data } = (await response.json()) as { data: { webhookDeliveries: { edges: unknown[] } } };
  return data.webhookDeliveries.edges.length;
}

test('a process killed while a receiver holds its answer sends the event again after its restart, and no other twice', async () => {
  const env = await storage();
  const receiver = await openReceiver();
  cleanups.push(receiver.close);
  const first = await startChild(env);
  await call(first, '/webhooks', { url: receiver.url, events: ['customer.created'] });
  await call(first, '/customers', { email: 'a@shop.test', externalId: 'a' });
  await receiver.received(1);
  while ((await succeeded(first)) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  receiver.behave(() => undefined);
  await call(first, '/customers', { email: 'b@shop.test', externalId: 'b' });
  await receiver.received(2);
  await first.kill();
  receiver.behave(200);
  const second = await startChild(env);
  const messages = await receiver.received(3);
  expect(messages.map(({ envelope }) => envelope.data['externalId'])).toEqual(['a', 'b', 'b']);
  expect(messages[2]?.text).toBe(messages[1]?.text);
  expect(await second.stop()).toBe(0);
  expect(receiver.messages).toHaveLength(3);
});
