import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeExpiredPurchases } from '../../../src/modules/pricing-tables/worker.ts';
import { eventually } from '../../support/eventually.ts';
import {
  beginPurchase,
  createCustomer,
  createPricedPlan,
  createPricingTable,
  firstShop,
  pay,
  type Shop,
} from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';

// What is sent to an address that a visitor typed in (CAT-64).

let t: TestApp;
let shop: Shop;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({ env: { SMTP_URL: mail.url, PURCHASES_PER_MINUTE: '0' } });
  shop = firstShop(t);
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

/** The emails to an address once emails have been made of every event. */
async function emailsTo(email: string): Promise<string[]> {
  const [target] = await t.app.database.query<{ position: bigint }>(
    'SELECT "eventPosition" AS position FROM "EnvironmentCounter" WHERE "environmentId" = $1',
    [shop.environmentId],
  );
  await eventually(async () => {
    const [row] = await t.app.database.query<{ position: bigint }>(
      'SELECT position FROM "EmailCursor" WHERE "environmentId" = $1',
      [shop.environmentId],
    );
    return (row?.position ?? 0n) >= (target?.position ?? 0n);
  });
  const rows = await t.app.database.query<{ kind: string }>(
    'SELECT coalesce(kind::text, audience::text) AS kind FROM "EmailNotification" WHERE "environmentId" = $1 AND recipient = $2 ORDER BY seq',
    [shop.environmentId, email],
  );
  return rows.map(({ kind }) => kind);
}

async function begin(email: string): Promise<string> {
  const { id: planId } = await createPricedPlan(shop);
  const { token } = await createPricingTable(shop, { plans: [{ planId }] });
  return beginPurchase(shop, { token, planId, email });
}

it('nothing before it is paid, then what every customer gets', async () => {
  const email = 'typed-in@shop.test';
  const token = await begin(email);
  expect(await emailsTo(email)).toEqual([]);
  await pay(shop, token);
  expect(await emailsTo(email)).toEqual(['receipt']);
});

it('nothing when a purchase is given up', async () => {
  const email = 'given-up@shop.test';
  await begin(email);
  await t.app.database.query(
    `UPDATE "PricingTablePurchase" SET "expiresAt" = $2 WHERE "environmentId" = $1 AND "expiresAt" IS NOT NULL`,
    [shop.environmentId, new Date(Date.now() - 1)],
  );
  expect(await closeExpiredPurchases(t.app)).toBeGreaterThan(0);
  expect(await emailsTo(email)).toEqual([]);
});

it('a link to the portal for each of the organization’s own customer and the one of a purchase that was paid', async () => {
  const { id } = await createCustomer(shop);
  const { email } = (await shop.rest<{ email: string }>('GET', `/customers/${id}`)).body;
  const token = await begin(email);
  await t.graphql(
    'mutation { organizationUpdate(input: { slug: "priced-shop" }) { id } }',
    {},
    { key: shop.key },
  );
  const ask = () =>
    t.graphql(
      'mutation ($input: PortalSessionRequestInput!) { portalSessionRequest(input: $input) }',
      { input: { slug: 'priced-shop', email, livemode: false } },
      { key: null },
    );
  const links = async () => (await emailsTo(email)).filter((kind) => kind === 'portal').length;
  await ask();
  expect(await eventually(links, (count) => count > 0)).toBe(1);
  await pay(shop, token);
  await ask();
  expect(await eventually(links, (count) => count > 2)).toBe(3);
});
