import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Tests how many limits a customer and an environment can have.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Json = Readonly<Record<string, unknown>>;

const create = (scope: Json, body: Json = {}) =>
  shop.rest('POST', '/limits', {
    scope,
    measure: 'calls',
    window: { kind: 'day' },
    action: 'block',
    amount: 5,
    ...body,
  });

/** Creates a limit, and returns its ID. */
async function limit(scope: Json): Promise<string> {
  const { status, body } = await create(scope);
  expect(status, JSON.stringify(body)).toBe(201);
  return String(body['id']);
}

const setEnd = (id: string, validUntil: string | null) => shop.rest('PATCH', `/limits/${id}`, { validUntil });

const stored = () =>
  t.app.database.query('SELECT * FROM "Limit" WHERE "environmentId" = $1 ORDER BY seq', [t.sandboxId]);

const rejected = (param: string) => ({ status: 400, body: { error: { code: 'validation_error', param } } });

test('limits that have ended leave room for 8 other limits of a customer', async () => {
  const { id: customer } = await createCustomer(shop);
  const ids: string[] = [];
  for (let count = 0; count < 8; count += 1) ids.push(await limit({ customer }));
  const [first = ''] = ids;
  const before = await stored();
  expect(await create({ customer })).toMatchObject(rejected('scope'));
  expect(await stored()).toEqual(before);
  // A limit that ends later still applies, and counts.
  const hour = 3_600_000;
  expect((await setEnd(first, new Date(Date.now() + hour).toISOString())).status).toBe(200);
  expect(await create({ customer })).toMatchObject(rejected('scope'));
  expect((await setEnd(first, new Date().toISOString())).status).toBe(200);
  await limit({ customer });
  const full = await stored();
  expect(await create({ customer })).toMatchObject(rejected('scope'));
  expect(await setEnd(first, null)).toMatchObject(rejected('validUntil'));
  expect(await setEnd(first, new Date(Date.now() + hour).toISOString())).toMatchObject(
    rejected('validUntil'),
  );
  expect(await stored()).toEqual(full);
  expect((await shop.rest('DELETE', `/limits/${ids[1]}`)).status).toBe(200);
  expect((await setEnd(first, null)).status).toBe(200);
});

test('templates that have ended leave room for other templates of an environment', async () => {
  const template = { each: 'team', in: { organization: true } };
  const id = await limit(template);
  await t.app.database.query(
    `INSERT INTO "Limit" SELECT (jsonb_populate_record(l, jsonb_build_object('id', l.id || n, 'seq', 1000000 + n))).*
       FROM "Limit" l, generate_series(1, 999) n WHERE l."environmentId" = $1 AND l.id = $2`,
    [t.sandboxId, id],
  );
  const before = await stored();
  expect(await create(template)).toMatchObject(rejected('scope'));
  expect(await stored()).toEqual(before);
  expect((await setEnd(id, new Date().toISOString())).status).toBe(200);
  const other = await limit(template);
  expect(await create(template)).toMatchObject(rejected('scope'));
  expect(await setEnd(id, null)).toMatchObject(rejected('validUntil'));
  expect((await shop.rest('DELETE', `/limits/${other}`)).status).toBe(200);
  expect((await setEnd(id, null)).status).toBe(200);
});
