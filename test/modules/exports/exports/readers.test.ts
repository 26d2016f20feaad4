import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { heldBytes } from '../../../support/garbage-collection.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Export streams with stalled readers, and concurrent export files (DAT-34).

const count = 12_000;

let t: TestApp;
beforeAll(async () => {
  t = await startApp({ own: true });
  await t.app.database.query(
    `INSERT INTO "Customer" ("environmentId", id, seq, email, "emailKey", "fullName", "searchText", timezone, "requireBudget", "hasMoneyOnAccount", "sortMrr", "sortOutstanding", "sortPaid", "sortStatus", "sortPlan", metadata, "createdAt", "updatedAt")
     SELECT $1, 'cus_' || n, 0, 'many@example.com', 'many@example.com', repeat('x', 2000), 'many', 'UTC', false, false, 0, 0, 0, 0, '', '{}', '2026-01-01Z'::timestamptz + n * interval '1 ms', now()
     FROM generate_series(1, $2::int) n`,
    [t.sandboxId, count],
  );
});
afterAll(() => t.close());

const address = (): string => `${t.url}/api/v1/exports/stream?kind=customers&format=ndjson`;

/** Returns a reader that has read the start of a stream and then stalls. */
async function stall(): Promise<{ readonly sent: ClientRequest; readonly incoming: IncomingMessage }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(address(), { headers: { 'x-api-key': t.sandboxKey } }, resolve);
  sent.on('error', reject);
  sent.end();
  const incoming = await promise;
  await new Promise((done) => incoming.once('readable', done));
  return { sent, incoming };
}

/** Reads the rest of a stream. Returns the number of bytes and whether the response was complete. */
async function readOn(incoming: IncomingMessage): Promise<{ bytes: number; isWhole: boolean }> {
  let bytes = 0;
  try {
    for await (const piece of incoming as AsyncIterable<Buffer>) bytes += piece.length;
  } catch {
    return { bytes, isWhole: false };
  }
  return { bytes, isWhole: incoming.complete };
}

test('an export stream keeps one chunk in memory for a stalled reader, and sends all rows after the reader resumes', async () => {
  const before = heldBytes();
  const { incoming } = await stall();
  await setTimeout(1_000);
  expect(heldBytes() - before).toBeLessThan(24 * 1_024 ** 2);
  const { bytes, isWhole } = await readOn(incoming);
  expect(isWhole).toBe(true);
  expect(bytes).toBeGreaterThan(count * 2_000);
}, 60_000);

test('an export stream whose reader stalls for a minute ends when another reader starts, without affecting that reader', async () => {
  const { incoming } = await stall();
  const again = await fetch(address(), { headers: { 'x-api-key': t.sandboxKey } });
  expect([again.status, await again.json()]).toMatchObject([429, { error: { code: 'rate_limited' } }]);
  // Simulates a minute in which the reader takes no chunk. The buffers between the server and the reader must be full first.
  const other = await eventually(
    async () => {
      await t.app.database.query(
        `UPDATE "ExportStream" SET "leaseUntil" = 'epoch' WHERE "environmentId" = $1`,
        [t.sandboxId],
      );
      return fetch(address(), { headers: { 'x-api-key': t.sandboxKey } });
    },
    ({ status }) => status === 200,
  );
  const [left, whole] = await Promise.all([readOn(incoming), other.text()]);
  expect(left.isWhole).toBe(false);
  expect(whole.split('\n').length - 1).toBe(count);
  // The finished stream no longer blocks another reader.
  expect((await fetch(`${address()}&search=nobody`, { headers: { 'x-api-key': t.sandboxKey } })).status).toBe(
    200,
  );
}, 60_000);

test('the export worker writes concurrent files completely, and starts the fifth file when another file is finished', async () => {
  type Export = { id: string; status: string; rows: number; files: { url: string; bytes: number }[] };
  const sent = { kind: 'customers', format: 'csv', columns: ['id', 'email'] };
  const made = await Promise.all(Array.from({ length: 5 }, () => t.rest<Export>('POST', '/exports', sent)));
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(5);
  const texts: string[] = [];
  for (const { body } of made) {
    const { body: ended } = await eventually(
      () => t.rest<Export>('GET', `/exports/${body.id}`),
      ({ body: { status } }) => status !== 'queued' && status !== 'running',
    );
    expect([ended.status, ended.rows]).toEqual(['completed', count]);
    texts.push(await (await fetch(ended.files[0]?.url ?? '')).text());
  }
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]?.split('\r\n').length).toBe(count + 2);
}, 90_000);
