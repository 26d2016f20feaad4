import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { eventually } from '../../../support/eventually.ts';
import { createCustomer, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';

// Customers without a portal link request one using their email address.

let mail: MailServer;
let t: TestApp;
let shop: Shop;
let wall: MovableClock;
let slug: string;
let count = 0;

beforeAll(async () => {
  mail = await startMailServer();
  wall = new MovableClock('2027-01-01T00:00:00Z');
  t = await startApp({
    wall,
    env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', PUBLIC_URL: 'https://bill.test' },
  });
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

const change = (input: object): Promise<unknown> => t.settings(input, shop.environmentId);

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

it("a request for a portal session sends an email in the customer's language, with a link that is valid for one hour", async () => {
  const { id, externalId } = await createCustomer(shop);
  await shop.rest('PATCH', `/customers/${id}`, { metadata: { language: 'es' } });
  const address = `${externalId}@shop.test`;
  expect(await request(address.toUpperCase())).toEqual({ portalSessionRequest: true });
  const [email] = await eventually(stored, (rows) => rows.some(({ status }) => status === 'sent'));
  // The portal link isn't stored with the email.
  expect(email).toMatchObject({
    recipient: address,
    subject: '[Prueba] Tu enlace de acceso a Quarry',
    content: null,
  });
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

it('a request for a portal session returns the same response but sends no email if the address or organization is unknown or customer emails are turned off', async () => {
  const { externalId } = await createCustomer(shop);
  const address = `${externalId}@shop.test`;
  expect(await request('nobody@shop.test')).toEqual({ portalSessionRequest: true });
  expect(await request(address, { slug: 'no-such-shop' })).toEqual({ portalSessionRequest: true });
  // The customer belongs to the sandbox, so a request in the live environment sends no email.
  expect(await request(address, { livemode: true })).toEqual({ portalSessionRequest: true });
  await change({ customerEmails: false });
  expect(await request(address)).toEqual({ portalSessionRequest: true });
  await change({ customerEmails: true });
  await request(address);
  // Only the last request sends an email.
  expect(await eventually(stored, (rows) => rows.length > 0)).toHaveLength(1);
});

it('requests for a portal session send a customer up to 5 links per hour', async () => {
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
  // The limit counts the links of the last hour of each customer, in real time.
  const own = (rows: Awaited<ReturnType<typeof stored>>) =>
    rows.filter(({ recipient }) => recipient.startsWith(`${externalId}@`));
  wall.set('2027-01-01T01:02:00Z');
  await request(`${externalId}@shop.test`);
  expect(await eventually(stored, (rows) => own(rows).length === 6)).toBeDefined();
  expect(own(await stored())).toHaveLength(6);
  wall.set('2027-01-01T00:00:00Z');
});

it("a request for a portal session can be made on the page with the organization's slug in its URL", async () => {
  const login = 'query ($slug: String!) { portalLogin(slug: $slug) { locale branding { name } } }';
  expect(await t.graphql(login, { slug }, { key: null })).toEqual({
    portalLogin: { locale: 'en', branding: { name: 'Quarry' } },
  });
  expect(await t.graphql(login, { slug: 'no-such-shop' }, { key: null })).toEqual({ portalLogin: null });
  const page = await (await fetch(`${t.url}/portal/${slug}`)).text();
  expect(page).toContain('<title>Your subscription – Quarry</title>');
  expect(await (await fetch(`${t.url}/portal/a.b.c`)).text()).toMatch(/\/assets\/portal-[\w-]+\.js/);
});
