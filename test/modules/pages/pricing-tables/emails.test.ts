import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeExpiredPurchases } from '../../../../src/modules/pages/pricing-tables/worker.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  beginPurchase,
  createCustomer,
  createPricedPlan,
  createPricingTable,
  firstShop,
  pay,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';

// Emails to an address that a visitor entered on a pricing page (CAT-64).

let t: TestApp;
let shop: Shop;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({ env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', PURCHASES_PER_MINUTE: '0' } });
  shop = firstShop(t);
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

/** Returns the types of the emails to an address, after the worker has read all events. */
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

it('a pricing table purchase sends no email before payment, and the usual customer emails after payment', async () => {
  const email = 'typed-in@shop.test';
  const token = await begin(email);
  expect(await emailsTo(email)).toEqual([]);
  await pay(shop, token);
  expect(await emailsTo(email)).toEqual(['receipt']);
});

it("a pricing table purchase sends no email if it's abandoned", async () => {
  const email = 'given-up@shop.test';
  await begin(email);
  await t.app.database.query(
    `UPDATE "PricingTablePurchase" SET "expiresAt" = $2 WHERE "environmentId" = $1 AND "expiresAt" IS NOT NULL`,
    [shop.environmentId, new Date(Date.now() - 1)],
  );
  expect(await closeExpiredPurchases(t.app)).toBeGreaterThan(0);
  expect(await emailsTo(email)).toEqual([]);
});

it('a request for a portal session emails a link to a customer that the organization created, and to a pricing table customer only after payment', async () => {
  const { id } = await createCustomer(shop);
  const { email } = (await shop.rest<{ email: string }>('GET', `/customers/${id}`)).body;
  const token = await begin(email);
  await t.settings({ slug: 'priced-shop' }, shop.environmentId);
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
