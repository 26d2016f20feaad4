import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../src/request/context.ts';
import {
  advanceDays,
  attachFeature,
  createActiveSubscription,
  createCustomer,
  createDelivery,
  createFeature,
  firstShop,
  type MadeSubscription,
  openPortal,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { multiplyRows } from '../support/multiply.ts';
import { statementsOf } from '../support/statements.ts';

// Each dashboard and portal page as one operation. An operation must use the same number of statements for 4 rows and for 40 rows.

const folder = path.join(import.meta.dirname, 'pages');

/** Expected number of SQL statements per page. */
const statements = {
  activity: 4,
  catalog: 6,
  customer: 16,
  customers: 4,
  home: 9,
  invoices: 5,
  payments: 6,
  payouts: 2,
  'portal-add-ons': 4,
  'portal-details': 2,
  'portal-invoices': 5,
  'portal-overview': 7,
  'portal-plan-options': 4,
  'portal-usage': 13,
  subscription: 12,
  'test-clock': 2,
  usage: 4,
  webhooks: 4,
} as const;

let t: TestApp;
let shop: Shop;
let ada: MadeSubscription;
let portal: Caller;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  ada = await createActiveSubscription(shop);
  const { id: featureId, code } = await createFeature(shop, 'usage');
  await attachFeature(shop, ada.planId, featureId, { includedAmount: 100 });
  const used = { customerId: ada.customerId, featureCode: code, value: 1 };
  expect((await shop.rest('POST', '/usage/events', used)).status).toBe(200);
  await createDelivery(shop);
  await advanceDays(shop, 40);
  const token = await openPortal(shop, ada.customerId);
  const details = await t.app.secrets.readPage(token);
  if (details === null) throw new Error('The portal has no session.');
  portal = { kind: 'page', page: 'portal', subjectId: details.subjectId, token };
  // The subscription's latest events were caused by an API client and by the customer. The environment's latest events were caused by an
  // API client.
  expect((await shop.rest('POST', `/subscriptions/${ada.id}/cancel`, {})).status).toBe(200);
  expect((await shop.rest('POST', `/subscriptions/${ada.id}/uncancel`, {})).status).toBe(200);
  await t.graphql(
    'mutation ($input: PortalSubscriptionCancelInput!) { portalSubscriptionCancel(input: $input) { status } }',
    { input: {} },
    { key: null, headers: { authorization: `Bearer ${token}` } },
  );
  for (let count = 0; count < 42; count++) await createCustomer(shop);
  await multiplyRows(t.app.database.query, shop.environmentId, 60);
}, 120_000);
afterAll(() => t.close());

const pages = readdirSync(folder)
  .map((file) => file.replace('.graphql', ''))
  .sort();

/** Returns the number of rows in a response's longest list. */
function mostRows(shown: unknown): number {
  if (Array.isArray(shown)) return Math.max(shown.length, ...shown.map(mostRows));
  return typeof shown === 'object' && shown !== null ? Math.max(0, ...Object.values(shown).map(mostRows)) : 0;
}

async function read(page: string, first: number) {
  const operation = readFileSync(path.join(folder, `${page}.graphql`), 'utf8');
  const variables = {
    ...(operation.includes('$first') ? { first } : {}),
    ...(operation.includes('$customerId') ? { customerId: ada.customerId } : {}),
    ...(operation.includes('$subscriptionId') ? { subscriptionId: ada.id } : {}),
  };
  const { data, statements: texts } = await statementsOf(
    t,
    operation,
    variables,
    page.startsWith('portal-') ? portal : null,
  );
  return { rows: mostRows(data), taken: texts.length };
}

describe("a page's operation", () => {
  test.each(pages)('%s runs the same statements for 4 rows and for 40 rows', async (page) => {
    const [few, many] = [await read(page, 4), await read(page, 40)];
    expect(many.taken).toBe(few.taken);
    expect({ [page]: few.taken }).toEqual({ [page]: (statements as Record<string, number>)[page] });
  });

  test('returns the requested number of rows in every list', async () => {
    for (const page of ['customers', 'invoices', 'activity', 'portal-invoices'])
      expect([page, (await read(page, 4)).rows, (await read(page, 40)).rows]).toEqual([page, 4, 40]);
  });
});
