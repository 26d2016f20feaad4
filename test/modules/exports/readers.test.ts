import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { heldBytes } from '../../support/young.ts';

// Readers that stop reading, and files that are written side by side (DAT-34).

const count = 24_000;

let t: TestApp;
beforeAll(async () => {
  t = await startApp({ own: true });
  await t.app.database.query(
    `INSERT INTO "Customer" ("environmentId", id, seq, email, "fullName", timezone, metadata, "createdAt", "updatedAt")
     SELECT $1, 'cus_' || n, 0, 'many@example.com', repeat('x', 1000), 'UTC', '{}', '2026-01-01Z'::timestamptz + n * interval '1 ms', now()
     FROM generate_series(1, $2::int) n`,
    [t.sandboxId, count],
  );
});
afterAll(() => t.close());

const address = (): string => `${t.url}/api/v1/exports/stream?kind=customers&format=ndjson`;

/** A reader that has the beginning of a stream and reads no further. */
async function stall(): Promise<{ readonly sent: ClientRequest; readonly incoming: IncomingMessage }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(address(), { headers: { 'x-api-key': t.sandboxKey } }, resolve);
  sent.on('error', reject);
  sent.end();
  const incoming = await promise;
  await new Promise((done) => incoming.once('readable', done));
  return { sent, incoming };
}

/** How a reader ends that goes on: bytes, and whether the answer was whole. */
async function readOn(incoming: IncomingMessage): Promise<{ bytes: number; isWhole: boolean }> {
  let bytes = 0;
  try {
    for await (const piece of incoming as AsyncIterable<Buffer>) bytes += piece.length;
  } catch {
    return { bytes, isWhole: false };
  }
  return { bytes, isWhole: incoming.complete };
}

test('a reader that stops is waited for with a chunk in memory, and has all once it goes on', async () => {
  const before = heldBytes();
  const { incoming } = await stall();
  await setTimeout(1_000);
  expect(heldBytes() - before).toBeLessThan(24 * 1_024 ** 2);
  const { bytes, isWhole } = await readOn(incoming);
  expect(isWhole).toBe(true);
  expect(bytes).toBeGreaterThan(count * 1_000);
}, 60_000);

test('a reader that stops for so long that another one has its turn is ended, and the other is not disturbed', async () => {
  const { incoming } = await stall();
  const again = await fetch(address(), { headers: { 'x-api-key': t.sandboxKey } });
  expect([again.status, await again.json()]).toMatchObject([429, { error: { code: 'rate_limited' } }]);
  // As it is once a minute has passed without a chunk; until the buffers on the way are full, there are some.
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
  // Its turn is over, too.
  expect((await fetch(`${address()}&search=nobody`, { headers: { 'x-api-key': t.sandboxKey } })).status).toBe(
    200,
  );
}, 60_000);

test('files that are written at once are each whole, and the fifth waits for its turn', async () => {
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
