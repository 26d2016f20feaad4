import { afterAll, beforeAll, expect, test } from 'vitest';
import { declaredLists } from '../../src/graphql/reading/lists.ts';
import '../../src/schema.ts';
import {
  attachFeature,
  createActiveSubscription,
  createFeature,
  createPayment,
  createPromoCode,
  firstShop,
  latestTransaction,
  type MadeSubscription,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { listCases } from '../support/list-cases.ts';
import { makeListRows } from '../support/list-rows.ts';

// A search for an ID finds the row or the customer's rows with this ID.

let t: TestApp;
let shop: Shop;
let ada: MadeSubscription;

beforeAll(async () => {
  t = await startApp({ writesEvents: true });
  shop = firstShop(t);
  const { id: featureId, code: featureCode } = await createFeature(shop, 'usage');
  for (let round = 0; round < 2; round++) {
    ada = await createActiveSubscription(shop);
    await attachFeature(shop, ada.planId, featureId, { includedAmount: 100 });
    for (let use = 0; use < 2; use++)
      await shop.rest('POST', '/usage/events', { customerId: ada.customerId, featureCode, value: 1 });
    const transaction = await latestTransaction(shop, ada.id);
    expect((await shop.rest('POST', `/transactions/${transaction}/refund`)).status).toBe(200);
    await createPayment(shop, { customerId: ada.customerId });
    await createPromoCode(shop);
  }
  // Assigns IDs in the usual format to the emails that the test inserted as rows. This test sends no emails.
  await makeListRows(t.app.database.query, t.liveId, 12);
  await t.app.database.query(
    `UPDATE "EmailNotification" SET id = 'eml_' || lpad(seq::text, 22, '0') WHERE "environmentId" = $1`,
    [t.liveId],
  );
}, 60_000);
afterAll(() => t.close());

const searchable = declaredLists().filter(({ search }) => search !== undefined);
const fieldOf = (model: string): string => listCases.find(({ table }) => table === model)?.field ?? '';

async function find(field: string, args: string): Promise<string[]> {
  const data = await t.graphql<Record<string, { nodes: { id: string }[]; totalCount: { value: number } }>>(
    `{ ${field}(${args}) { nodes { id } totalCount { value } } }`,
    {},
    { key: field === 'emails' ? t.liveKey : shop.key },
  );
  const nodes = data[field]?.nodes ?? [];
  expect(data[field]?.totalCount.value).toBe(nodes.length);
  return nodes.map(({ id }) => id);
}

test('lists support search, except for the listed models', () => {
  const without = declaredLists().filter(({ search }) => search === undefined);
  expect(without.map(({ model }) => model).sort()).toEqual([
    'LedgerTransfer',
    'Mandate',
    'Payout',
    'Receipt',
    'WebhookDelivery',
  ]);
});

test.each(searchable.map(({ model, sort }) => [fieldOf(model), Object.keys(sort)] as const))(
  '%s finds a row by ID in every sort order, and respects the filter',
  async (field, sorts) => {
    const all = await find(field, 'first: 100');
    expect(all.length).toBeGreaterThan(1);
    const id = all[1] ?? '';
    expect(await find(field, `search: " ${id} "`)).toEqual([id]);
    for (const by of sorts) expect(await find(field, `search: "${id}", sort: { by: ${by} }`)).toEqual([id]);
    expect(await find(field, `search: "${id}", filter: { ids: ["${all[0]}", "${id}"] }`)).toEqual([id]);
    expect(await find(field, `search: "${id}", filter: { ids: ["${all[0]}"] }`)).toEqual([]);
    expect(await find(field, `search: "${id.slice(0, -1)}~"`)).toEqual([]);
  },
);

test.each(['subscriptions', 'invoices', 'transactions', 'refunds', 'payments', 'events', 'usageEvents'])(
  '%s finds the rows of a customer by customer ID',
  async (field) => {
    const own = await find(field, `first: 100, filter: { customerIds: ["${ada.customerId}"] }`);
    expect(own.length).toBeGreaterThan(0);
    expect(await find(field, `first: 100, search: "${ada.customerId}"`)).toEqual(own);
    expect((await find(field, 'first: 100')).length).toBeGreaterThan(own.length);
  },
);
