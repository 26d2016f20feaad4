import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emailLoop } from '../../../../src/modules/messages/emails/worker/worker.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import { eventually } from '../../../support/eventually.ts';
import { createAdjustment, createCustomer, type Shop, shopOf } from '../../../support/factories.ts';
import { newTenant, startApp, type TestApp } from '../../../support/harness.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';
import { rejection } from '../../../support/refusals.ts';
import { Story } from '../../../support/story.ts';

let mail: MailServer;
let t: TestApp;
let shop: Shop;
let liveKey: string;
let wall: MovableClock;

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
  const tenant = await newTenant(t.app, 'Quarry & Söhne');
  shop = shopOf(t, tenant.sandboxKey, tenant.sandboxId);
  liveKey = tenant.liveKey;
  mail.notifications.length = 0;
  mail.manner = 'takes';
});

type Listed = {
  kind: string;
  status: string;
  subject: string | null;
  recipient: string;
  attempts: number;
  error: string | null;
};

const settings = (input: Record<string, unknown>) =>
  t.graphql<{ organizationUpdate: Record<string, unknown> }>(
    'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { mutedEmailKinds logoUrl replyTo updatedAt } }',
    { input },
    { key: liveKey },
  );

const list = async (filter: Record<string, unknown> = {}): Promise<Listed[]> => {
  const { emails } = await t.graphql<{ emails: { edges: { node: Listed }[] } }>(
    `query ($customerId: String, $kind: EmailKind, $status: EmailStatus) { emails(customerId: $customerId, kind: $kind, status: $status, first: 100) {
       edges { node { kind status subject recipient attempts error } } } }`,
    filter,
    { key: shop.key },
  );
  return emails.edges.map(({ node }) => node).toReversed();
};

/** Waits until the emails have the expected statuses, from oldest to newest, and returns the emails. */
const settled = (statuses: readonly string[]): Promise<Listed[]> =>
  eventually(
    list,
    (notifications) => JSON.stringify(notifications.map(({ status }) => status)) === JSON.stringify(statuses),
  );

describe('a successful charge', () => {
  test("sends a receipt with the organization's name, colors, and email address (PAY-20, PLT-9)", async () => {
    await settings({
      accentColor: '#0a7f5c',
      logoUrl: 'https://quarry.test/l.png',
      replyTo: 'help@quarry.test',
    });
    const story = new Story(shop);
    await story.sell('pro', { price: { billingInterval: 'monthly', price: 3_400 } });
    const ada = await story.subscribe('ada', 'pro');
    await settled(['sent']);
    expect(await story.pay(ada)).toBe('paid');
    const sent = await settled(['sent', 'sent']);
    expect(
      sent.map(({ kind, subject, recipient, attempts }) => [kind, subject, recipient, attempts]),
    ).toEqual([
      ['checkout', '[Test] Complete your subscription to Quarry & Söhne', 'ada@story.test', 1],
      ['receipt', '[Test] Receipt from Quarry & Söhne', 'ada@story.test', 1],
    ]);
    const receipt = mail.notifications.find(({ subject }) => subject?.includes('Receipt'));
    expect(receipt).toMatchObject({
      to: [{ address: 'ada@story.test' }],
      replyTo: [{ address: 'help@quarry.test' }],
    });
    expect(receipt?.text).toContain('Amount: $34.00');
    expect(receipt?.html).toContain('#0a7f5c');
    expect(receipt?.html).toContain('https://quarry.test/l.png');
    const url = /https:\/\/bill\.test(\/invoice\/\S+)/.exec(receipt?.text ?? '')?.[1] ?? '';
    const document = await fetch(`${t.url}${url}`);
    expect([document.status, document.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });
});

describe('an email about a refund or a plan change checkout', () => {
  test('is sent once per event', async () => {
    const story = new Story(shop);
    const { id: planGroupId } = await story.do<{ id: string }>('POST', '/plan-groups', { name: 'All' });
    await story.sell('free', { plan: { isFree: true, planGroupId } });
    const pro = await story.sell('pro', {
      plan: { planGroupId },
      price: { billingInterval: 'monthly', price: 3_400 },
    });
    const ada = await story.active('ada', 'free');
    const changed = await story.do<{ checkoutUrl: string }>('POST', `/subscriptions/${ada.id}/change-plan`, {
      newPlanId: pro.id,
    });
    await settled(['sent']);
    expect(mail.notifications[0]?.text).toContain(changed.checkoutUrl);
    expect(await story.pay({ ...ada, token: changed.checkoutUrl.split('/').at(-1) ?? null })).toBe('paid');
    await settled(['sent', 'sent']);
    const { data } = await story.do<{ data: { id: string }[] }>('GET', '/transactions');
    await story.do('POST', `/transactions/${data[0]?.id}/refund`, {});
    // A full refund ends the refunded subscription and has a separate document (DAT-13).
    const sent = await settled(['sent', 'sent', 'sent', 'sent', 'sent']);
    expect(sent.map(({ kind }) => kind)).toEqual([
      'checkout',
      'receipt',
      'refund',
      'credit_note',
      'subscription_canceled',
    ]);
    expect(mail.notifications.find(({ subject }) => subject?.includes('Refund'))?.text).toContain(
      'Amount: $34.00',
    );
  });
});

describe('an issued invoice', () => {
  test("is announced in the customer's language if its total is positive", async () => {
    const { body } = await shop.rest<{ id: string }>('POST', '/customers', {
      email: 'a@shop.test',
      metadata: { language: 'es' },
    });
    await createAdjustment(shop, { customerId: body.id, amount: -500 });
    await createAdjustment(shop, { customerId: body.id, amount: 1_250 });
    expect(await settled(['sent'])).toMatchObject([
      { kind: 'invoice', subject: '[Prueba] Factura INV-0002 de Quarry & Söhne' },
    ]);
    expect(await list({ customerId: body.id, kind: 'invoice', status: 'sent' })).toHaveLength(1);
    expect(await list({ kind: 'receipt' })).toEqual([]);
    expect(await list({ customerId: (await createCustomer(shop)).id })).toEqual([]);
  });
});

describe('an organization with email settings', () => {
  test('never sends emails about events that occurred while all emails, or emails of that type, were turned off (PAY-20, PLT-9)', async () => {
    await settings({ customerEmails: false });
    await createAdjustment(shop);
    await settings({ customerEmails: true, mutedEmailKinds: ['invoice'] });
    await createAdjustment(shop);
    // The worker must read the events before the settings change.
    const position = `SELECT k.position < c."eventPosition" AS behind FROM "EmailCursor" k JOIN "EnvironmentCounter" c USING ("environmentId") WHERE k."environmentId" = $1`;
    const look = () => t.app.database.query<{ behind: boolean }>(position, [shop.environmentId]);
    await eventually(look, ([row]) => row?.behind === false);
    await settings({ mutedEmailKinds: [] });
    await createAdjustment(shop);
    expect(await settled(['sent'])).toMatchObject([
      { subject: '[Test] Invoice INV-0003 from Quarry & Söhne' },
    ]);
  });

  test('stores muted email types without duplicates, and rejects invalid email addresses and logo URLs', async () => {
    const { organizationUpdate } = await settings({ mutedEmailKinds: ['refund', 'invoice', 'refund'] });
    expect(organizationUpdate).toMatchObject({
      mutedEmailKinds: ['invoice', 'refund'],
      logoUrl: null,
      replyTo: null,
    });
    wall.set(new Date(wall.now().getTime() + 1_000).toISOString());
    expect((await settings({ mutedEmailKinds: ['invoice', 'refund'] })).organizationUpdate).toEqual(
      organizationUpdate,
    );
    const update = 'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { id } }';
    for (const input of [
      { logoUrl: 'http://quarry.test/l.png' },
      { logoUrl: 'https://q"onerror=x' },
      { replyTo: 'nobody' },
    ]) {
      expect(await rejection(t, update, { input }, { key: liveKey })).toMatchObject({
        code: 'validation_error',
      });
    }
    expect((await settings({})).organizationUpdate).toEqual(organizationUpdate);
  });
});

describe('email delivery', () => {
  test("fails immediately if the mailbox doesn't exist", async () => {
    mail.manner = 'rejects';
    await createAdjustment(shop);
    expect(await settled(['failed'])).toMatchObject([
      { attempts: 1, error: expect.stringContaining('No such mailbox') },
    ]);
    expect(mail.notifications).toEqual([]);
  });

  test('succeeds once if the mail server first rejects the email temporarily', async () => {
    mail.manner = 'postpones';
    await createAdjustment(shop);
    await eventually(
      () => list({ status: 'pending' }),
      ([notification]) => notification?.attempts === 1,
    );
    mail.manner = 'takes';
    wall.set(new Date(wall.now().getTime() + 60_000).toISOString());
    expect(await settled(['sent'])).toMatchObject([{ attempts: 2, error: null }]);
    expect(mail.notifications).toHaveLength(1);
  });

  test('fails after eight temporary rejections, and the service metrics include the failure', async () => {
    mail.manner = 'postpones';
    await createAdjustment(shop);
    for (let attempts = 1; attempts < 8; attempts++) {
      await eventually(
        list,
        ([notification]) => notification?.status === 'pending' && notification.attempts === attempts,
      );
      wall.set(new Date(wall.now().getTime() + 24 * 3_600_000).toISOString());
    }
    await settled(['failed']);
    expect(await list()).toMatchObject([
      { status: 'failed', attempts: 8, error: expect.stringContaining('Come again') },
    ]);
    expect(await (await fetch(`${t.url}/metrics`)).text()).toMatch(
      /quittance_emails_total\{outcome="failed"\} [1-9]/,
    );
  });

  test('is canceled if the invoice has already been paid', async () => {
    mail.manner = 'postpones';
    const { id } = await createAdjustment(shop);
    await settled(['pending']);
    expect((await shop.rest('PATCH', `/invoices/${id}/status`, { status: 'paid' })).status).toBe(200);
    mail.manner = 'takes';
    wall.set(new Date(wall.now().getTime() + 3_600_000).toISOString());
    expect(await settled(['canceled'])).toMatchObject([
      { error: 'The invoice was paid before the email was sent.' },
    ]);
    expect(mail.notifications).toEqual([]);
  });

  test('happens exactly once, regardless of the number of workers', async () => {
    const others = [emailLoop.start(t.app), emailLoop.start(t.app)];
    try {
      for (let count = 0; count < 30; count++) await createAdjustment(shop);
      await settled(Array.from({ length: 30 }, () => 'sent'));
      expect(new Set(mail.notifications.map(({ subject }) => subject)).size).toBe(30);
      expect(mail.notifications).toHaveLength(30);
    } finally {
      await Promise.all(others.map((other) => other.stop()));
    }
  });
});
