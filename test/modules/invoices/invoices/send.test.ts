import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  createAdjustment,
  createCustomer,
  firstShop,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type MailServer, startMailServer, startSilentServer } from '../../../support/mail-server.ts';
import { textsOf } from '../../../support/pdf.ts';

let mail: MailServer;
let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({
    env: {
      SMTP_URL: mail.url,
      SANDBOX_EMAILS: 'all',
      MAIL_FROM: 'Quarry <billing@quarry.test>',
      PUBLIC_URL: 'https://bill.test',
    },
  });
});
afterAll(async () => {
  await t.close();
  await mail.close();
});
beforeEach(async () => {
  shop = await otherShop(t, 'Quarry & Söhne');
  // These tests don't cover automatic emails.
  await settings({ mutedEmailKinds: ['invoice'] });
  mail.notifications.length = 0;
  mail.manner = 'takes';
});

type Sent = {
  readonly sent: boolean;
  readonly sentAt: string;
  readonly object: string;
  readonly livemode: boolean;
};

const send = (id: string, headers: Record<string, string> = {}) =>
  shop.rest<Sent>('POST', `/invoices/${id}/send`, undefined, { headers });

const settings = (input: Record<string, unknown>) => t.settings(input, shop.environmentId);

describe('an invoice email', () => {
  test('contains the invoice with its PDF, as plain text and HTML', async () => {
    await settings({ issuerName: 'Quarry Inc.', accentColor: '#0a7f5c' });
    const customer = await createCustomer(shop);
    const { id } = await createAdjustment(shop, {
      customerId: customer.id,
      description: '<b>Help</b> & more',
    });
    const before = t.app.wall.now().getTime();
    const { status, body } = await send(id);
    expect({ status, body }).toEqual({
      status: 200,
      body: { sent: true, sentAt: expect.any(String), object: 'invoice_delivery', livemode: false },
    });
    expect(new Date(body.sentAt).getTime()).toBeGreaterThanOrEqual(before);
    expect(mail.notifications).toHaveLength(1);
    const [notification] = mail.notifications;
    expect(notification).toMatchObject({
      from: { name: 'Quarry', address: 'billing@quarry.test' },
      to: [{ address: `${customer.externalId}@shop.test` }],
      subject: '[Test] Invoice INV-0001 from Quarry & Söhne',
    });
    expect(notification?.text).toContain(`Hello Name of ${customer.externalId},`);
    expect(notification?.text).toContain('Invoice INV-0001 from Quarry & Söhne is attached.');
    expect(notification?.text).toContain("This invoice hasn't been paid yet.");
    expect(notification?.text).toContain('Total: $12.50');
    expect(notification?.text).toMatch(/https:\/\/bill\.test\/documents\/invoices\/\S+/);
    expect(notification?.html).toContain('Quarry &amp; Söhne');
    expect(notification?.html).toContain('#0a7f5c');
    const [pdf] = notification?.attachments ?? [];
    expect(pdf).toMatchObject({
      filename: 'INV-0001.pdf',
      mimeType: 'application/pdf',
      disposition: 'attachment',
    });
    const texts = textsOf(Buffer.from(pdf?.content as ArrayBuffer)).flat();
    expect(texts).toEqual(
      expect.arrayContaining(['Quarry Inc.', 'INV-0001', '<b>Help</b> & more', '$12.50']),
    );
  });

  test("is written in the organization's language by default", async () => {
    await settings({ language: 'es' });
    const { id } = await createAdjustment(shop, { amount: -1_250 });
    await send(id);
    expect(mail.notifications[0]).toMatchObject({ subject: '[Prueba] Factura INV-0001 de Quarry & Söhne' });
    expect(mail.notifications[0]?.text).toContain('Esta factura está pagada.');
    const pdf = Buffer.from(mail.notifications[0]?.attachments[0]?.content as ArrayBuffer);
    expect(textsOf(pdf).flat()).toContain('Nota de crédito');
  });

  test("is written in the customer's language, like the attached PDF", async () => {
    const { body } = await shop.rest<{ id: string }>('POST', '/customers', {
      email: 'ana@customer.test',
      metadata: { locale: 'es-MX' },
    });
    await send((await createAdjustment(shop, { customerId: body.id })).id);
    expect(mail.notifications[0]).toMatchObject({ subject: '[Prueba] Factura INV-0001 de Quarry & Söhne' });
    const pdf = Buffer.from(mail.notifications[0]?.attachments[0]?.content as ArrayBuffer);
    expect(textsOf(pdf).flat()).toContain('Factura');
  });

  test('escapes special characters in names, both in headers and in HTML', async () => {
    const fullName = 'Mallory <script>alert(1)</script> "x"';
    const { body } = await shop.rest<{ id: string }>('POST', '/customers', {
      email: 'a,b@shop.test',
      fullName,
    });
    await settings({ name: 'Evil Inc. <x@y.test> 🦊' });
    await send((await createAdjustment(shop, { customerId: body.id })).id);
    const [notification] = mail.notifications;
    expect(notification?.to).toEqual([{ address: '"a,b"@shop.test', name: '' }]);
    expect(notification?.subject).toBe('[Test] Invoice INV-0001 from Evil Inc. <x@y.test> 🦊');
    expect(notification?.html).not.toContain('<script>');
    expect(notification?.text).toContain(fullName);
  });
});

describe('invoiceSend', () => {
  test('sends nothing if the organization has turned off customer emails (PLT-9)', async () => {
    await settings({ customerEmails: false });
    expect((await send((await createAdjustment(shop)).id)).body).toMatchObject({ sent: false });
    expect(mail.notifications).toEqual([]);
  });

  test('sends one email per idempotency key', async () => {
    const { id } = await createAdjustment(shop);
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([send(id, headers), send(id, headers), send(id, headers)]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(mail.notifications).toHaveLength(1);
    await send(id);
    expect(mail.notifications).toHaveLength(2);
  });

  test('sends nothing and changes nothing if the mail server rejects the email, and can be retried', async () => {
    mail.manner = 'rejects';
    const { id } = await createAdjustment(shop);
    const changes = await watchChanges(t.app.database.query);
    const headers = { 'idempotency-key': randomUUID() };
    expect(await send(id, headers)).toMatchObject({ status: 200, body: { sent: false } });
    expect(await changes()).toEqual([]);
    mail.manner = 'takes';
    expect((await send(id, headers)).body.sent).toBe(false);
    expect(mail.notifications).toEqual([]);
    expect((await send(id)).body.sent).toBe(true);
    expect(mail.notifications).toHaveLength(1);
  });
});

test.each(['an unresponsive mail server', 'no mail server at the configured address'])(
  "invoiceSend with %s reports that the email wasn't sent, and doesn't block the database",
  async (which) => {
    const server = await startSilentServer();
    if (which.startsWith('no')) await server.close();
    const own = await startApp({ env: { SMTP_URL: server.url, SANDBOX_EMAILS: 'all' } });
    try {
      const stalled = firstShop(own);
      const { id } = await createAdjustment(stalled);
      const answer = stalled.rest<Sent>('POST', `/invoices/${id}/send`);
      // An email waiting for the mail server doesn't block writes, even if the database has only one connection.
      expect((await stalled.rest('PATCH', `/invoices/${id}/status`, { status: 'paid' })).status).toBe(200);
      expect(await answer).toMatchObject({ status: 200, body: { sent: false } });
    } finally {
      await own.close();
      if (!which.startsWith('no')) await server.close();
    }
  },
  30_000,
);
