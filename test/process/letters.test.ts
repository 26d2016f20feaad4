import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { startMailServer } from '../support/mail-server.ts';
import { freshDatabase, serverUrl } from '../support/template.ts';

// A letter whose process ends before the mail server said that it took it is not sent a second time (PAY-20).

const key = 'ck_sandbox_letter_kill_0123456789abcdef';
const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
});

/** Where a product that outlives its processes keeps its data. */
async function storage(): Promise<Record<string, string>> {
  if (serverUrl() === undefined) {
    const directory = await mkdtemp(path.join(tmpdir(), 'quittance-'));
    cleanups.push(() => rm(directory, { recursive: true, force: true }));
    return { DATA_DIR: directory };
  }
  const { database, url, drop } = await freshDatabase();
  await database.close();
  cleanups.push(drop);
  return { DATABASE_URL: url ?? '' };
}

async function call<T>(child: Child, route: string, body: unknown): Promise<T> {
  const response = await fetch(`${child.url}${route}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${route}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function statuses(child: Child): Promise<string[]> {
  type Answer = { data: { letters: { edges: { node: { status: string } }[] } } };
  const { data } = await call<Answer>(child, '/graphql', { query: '{ letters(first: 50) { edges { node { status } } } }' });
  return data.letters.edges.map(({ node }) => node.status).toReversed();
}

test('a process killed while the mail server holds its answer sends no letter again, and those that waited once', async () => {
  const mail = await startMailServer();
  const env = { ...(await storage()), BOOTSTRAP_API_KEY: key, WORKER_POLL_MS: '50', SMTP_URL: mail.url };
  const first = await startChild(env);
  const { id: customerId } = await call<{ id: string }>(first, '/api/v1/customers', { email: 'a@shop.test' });
  const invoice = { customerId, amount: 1_250, description: 'Help' };
  mail.manner = 'holds';
  await call(first, '/api/v1/invoices', invoice);
  await mail.received(1);
  await call(first, '/api/v1/invoices', invoice);
  await first.kill();
  mail.manner = 'takes';
  const second = await startChild(env);
  cleanups.push(mail.close);
  await mail.received(2);
  while ((await statuses(second)).some((status) => status === 'pending' || status === 'sending'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await statuses(second)).toEqual(['unconfirmed', 'sent']);
  expect(await second.stop()).toBe(0);
  expect(mail.letters).toHaveLength(2);
  expect(new Set(mail.letters.map(({ subject }) => subject)).size).toBe(2);
}, 90_000);
