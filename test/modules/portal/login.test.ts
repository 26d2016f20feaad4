import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MovableClock } from '../../support/billing-world.ts';
import { eventually } from '../../support/eventually.ts';
import { createCustomer, otherShop, type Shop } from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';

// Customers who have no link to the portal ask for one by their address.

let mail: MailServer;
let t: TestApp;
let shop: Shop;
let wall: MovableClock;
let slug: string;
let count = 0;

beforeAll(async () => {
  mail = await startMailServer();
  wall = new MovableClock('2027-01-01T00:00:00Z');
  t = await startApp({ wall, env: { SMTP_URL: mail.url, PUBLIC_URL: 'https://bill.test' } });
});
afterAll(async () => {
  await t.close();
  await mail.close();
});
beforeEach(async () => {
  shop = await otherShop(t, 'Quarry');
  slug = `quarry-${++count}`;
  await change({ slug });
  mail.notifications.length = 0;
});

const change = (input: object): Promise<unknown> =>
  t.graphql(
    'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { id } }',
    { input },
    { key: shop.key },
  );

const request = (email: string, input: object = {}): Promise<unknown> =>
  t.graphql(
    'mutation ($input: PortalSessionRequestInput!) { portalSessionRequest(input: $input) }',
    { input: { slug, email, livemode: false, ...input } },
    { key: null },
  );

const stored = (): Promise<{ recipient: string; status: string; subject: string; content: unknown }[]> =>
  t.app.database.query(
    `SELECT recipient, status::text, subject, content FROM "EmailNotification" WHERE "environmentId" = $1 AND audience = 'portal' ORDER BY seq`,
    [shop.environmentId],
  );

it('sends the customer a link that opens the portal for an hour, in the language of the customer', async () => {
  const { id, externalId } = await createCustomer(shop);
  await shop.rest('PATCH', `/customers/${id}`, { metadata: { language: 'es' } });
  const address = `${externalId}@shop.test`;
  expect(await request(address.toUpperCase())).toEqual({ portalSessionRequest: true });
  const [email] = await eventually(stored, (rows) => rows.some(({ status }) => status === 'sent'));
  // No table keeps the link.
  expect(email).toMatchObject({ recipient: address, subject: '[Prueba] Tu enlace a Quarry', content: null });
  const [received] = mail.notifications;
  const [, path = ''] = /https:\/\/bill\.test(\/manage\/\S+)/.exec(received?.text ?? '') ?? [];
  const open = () => fetch(`${t.url}${path}`, { redirect: 'manual' });
  const opened = await open();
  expect([opened.status, opened.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^https:\/\/bill\.test\/portal\/[\w.-]+$/),
  ]);
  wall.set('2027-01-01T01:00:01Z');
  expect((await open()).status).toBe(410);
  wall.set('2027-01-01T00:00:00Z');
});

it('says the same and sends nothing for an unknown address or organization, and where nobody is written to', async () => {
  const { externalId } = await createCustomer(shop);
  const address = `${externalId}@shop.test`;
  expect(await request('nobody@shop.test')).toEqual({ portalSessionRequest: true });
  expect(await request(address, { slug: 'no-such-shop' })).toEqual({ portalSessionRequest: true });
  // The customer is one of the sandbox.
  expect(await request(address, { livemode: true })).toEqual({ portalSessionRequest: true });
  await change({ customerEmails: false });
  expect(await request(address)).toEqual({ portalSessionRequest: true });
  await change({ customerEmails: true });
  await request(address);
  // The last one is the only one.
  expect(await eventually(stored, (rows) => rows.length > 0)).toHaveLength(1);
});

it('sends one customer five links within an hour at most', async () => {
  const { externalId } = await createCustomer(shop);
  for (let sent = 1; sent <= 5; sent++) {
    await request(`${externalId}@shop.test`);
    await eventually(stored, (rows) => rows.length === sent);
  }
  await request(`${externalId}@shop.test`);
  const { externalId: other } = await createCustomer(shop);
  await request(`${other}@shop.test`);
  const recipients = (
    await eventually(stored, (rows) => rows.some(({ recipient }) => recipient.startsWith(other)))
  ).map(({ recipient }) => recipient);
  expect(recipients.filter((recipient) => recipient.startsWith(`${externalId}@`))).toHaveLength(5);
});

it('is asked for on a page at the slug of the organization', async () => {
  const login = 'query ($slug: String!) { portalLogin(slug: $slug) { locale branding { name } } }';
  expect(await t.graphql(login, { slug }, { key: null })).toEqual({
    portalLogin: { locale: 'en', branding: { name: 'Quarry' } },
  });
  expect(await t.graphql(login, { slug: 'no-such-shop' }, { key: null })).toEqual({ portalLogin: null });
  const page = await (await fetch(`${t.url}/portal/${slug}`)).text();
  expect(page).toContain('<title>Your subscription – Quarry</title>');
  expect(await (await fetch(`${t.url}/portal/a.b.c`)).text()).toMatch(/\/assets\/portal-[\w-]+\.js/);
});
