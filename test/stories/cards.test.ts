import { type GraphQLObjectType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';
import {
  advanceDays,
  cards,
  createActiveSubscription,
  createPayment,
  createSubscription,
  createWebhook,
  openPortal,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';

// The full card number is never returned, sent, or stored (PAY-33).

let mail: MailServer;
let t: TestApp;
beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({ env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', PUBLIC_URL: 'https://bill.test' } });
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

const numbers = Object.values({ ...cards, lacksFunds: '4000000000009995' });
/** The digits between the stored BIN (first eight digits) and the last four digits. */
const secret = new RegExp(numbers.map((number) => `${number.slice(0, 9)}|${number.slice(3)}`).join('|'));
const typed = (number: string) => ({
  number: number.replace(/(.{4})(?=.)/g, '$1 '),
  expMonth: 11,
  expYear: 2098,
  cvc: '737',
});

/** All rows in all tables as text, including idempotent responses, jobs, and deliveries. */
async function everything(): Promise<string[]> {
  const tables = await t.app.database.query<{ name: string }>(
    `SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await t.app.database.query<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM ${name} t`,
    );
    rows.push(...found.map(({ row }) => `${name} ${row}`));
  }
  return rows;
}

describe('the full card number (PAY-33)', () => {
  const answers: string[] = [];
  let shop: Shop;

  /** Sends a request as a hosted page does, and records the response. */
  async function page(
    field: string,
    input: Record<string, unknown>,
    selection: string,
    key: string,
  ): Promise<void> {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`;
    const response = await fetch(`${t.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ query, variables: { input } }),
    });
    answers.push(await response.text());
  }

  beforeAll(async () => {
    shop = await otherShop(t);
    await createWebhook(shop);
    const { id, customerId, token } = await createSubscription(shop);
    const keys = Array.from({ length: 9 }, () => crypto.randomUUID());
    const key = (index: number): string => keys[index] ?? '';
    await page('checkoutPay', { token, card: typed(cards.declines) }, 'status', key(0));
    await page(
      'checkoutPay',
      { token, card: { ...typed(cards.pays), number: '4242 4242 4242 4241' } },
      'status',
      key(1),
    );
    await page('checkoutPay', { token, card: typed(cards.pays) }, 'status', key(2));
    const portal = await openPortal(shop, customerId);
    await page(
      'portalPaymentMethodStore',
      { token: portal, card: typed(cards.declinesLater) },
      'status paymentMethod { brand last4 }',
      key(3),
    );
    await advanceDays(shop, 31);
    await page('portalPaymentRetry', { token: portal, card: typed('4000000000009995') }, 'status', key(4));
    const { body } = await shop.rest('POST', `/subscriptions/${id}/recovery-links`, {});
    const recovery = String(body['recoveryUrl'] ?? body['url'])
      .split('/')
      .at(-1);
    await page('recoveryPay', { token: recovery, card: typed(cards.pays) }, 'status', key(5));
    const link = await createPayment(shop);
    await page(
      'paymentLinkPay',
      { token: link.token, card: typed(cards.authenticates), email: 'eve@shop.test' },
      'status',
      key(6),
    );
    await page(
      'paymentLinkPay',
      { token: link.token, card: typed(cards.pays), email: 'eve@shop.test' },
      'status',
      key(7),
    );
    await createActiveSubscription(shop);
    const lists = ['customers', 'subscriptions', 'invoices', 'transactions', 'payments', 'events'];
    for (const path of lists)
      answers.push(JSON.stringify((await shop.rest('GET', `/${path}?limit=100`)).body));
    answers.push(JSON.stringify((await shop.rest('GET', `/subscriptions/${id}`)).body));
    answers.push(JSON.stringify((await shop.rest('GET', `/customers/${customerId}`)).body));
    await mail.received(4);
  }, 120_000);

  it('never appears in a response, which contains only the last four digits', () => {
    expect(answers.filter((answer) => secret.test(answer))).toEqual([]);
    expect(answers[2]).toBe('{"data":{"checkoutPay":{"status":"paid"}}}');
    expect(answers[3]).toBe(
      '{"data":{"portalPaymentMethodStore":{"status":"active","paymentMethod":{"brand":"visa","last4":"0341"}}}}',
    );
    expect(answers[5]).toBe('{"data":{"recoveryPay":{"status":"paid"}}}');
    expect(answers[7]).toBe('{"data":{"paymentLinkPay":{"status":"paid"}}}');
  });

  it('never appears in an email', () => {
    const notifications = mail.notifications.map(({ subject, text, html }) =>
      [subject, text, html].join('\n'),
    );
    expect(notifications.length).toBeGreaterThanOrEqual(4);
    expect(notifications.filter((notification) => secret.test(notification))).toEqual([]);
  });

  it("isn't stored, and neither is the security code", async () => {
    const rows = await everything();
    expect(
      rows.some((row) => row.startsWith('public."PaymentMethod"') && row.includes('"last4": "0341"')),
    ).toBe(true);
    expect(rows.filter((row) => secret.test(row) || /"cvc\w*"/i.test(row))).toEqual([]);
  });

  it("isn't a field of any schema type; a card has a brand, its last four digits, and an expiration date", () => {
    const cardTypes = Object.values(schema.getTypeMap()).filter(
      (type): type is GraphQLObjectType =>
        isObjectType(type) && 'brand' in type.getFields() && 'last4' in type.getFields(),
    );
    const card = ['brand', 'expMonth', 'expYear', 'last4'];
    const chosen = ['createdAt', 'isDefault', 'paymentMethodId'];
    const mandates = ['instrument', 'mandate'];
    const stored = [
      'createdAt',
      'customer',
      'id',
      'instrument',
      'isDefault',
      'livemode',
      'mandates',
      'provider',
    ];
    expect(
      Object.fromEntries(cardTypes.map((type) => [type.name, Object.keys(type.getFields()).toSorted()])),
    ).toEqual({
      EventCard: card,
      PaymentMethod: [...card, ...stored].toSorted(),
      PortalPaymentMethod: [...card, ...chosen, ...mandates].toSorted(),
      SavedMethod: [...card, 'codesLeft', 'paymentMethodId', 'publishableKey'].toSorted(),
    });
  });

  it('never appears in an event; payment method events contain the brand, the last four digits, and the expiration date', async () => {
    const events = await t.app.database.query<{ kind: string; card: object }>(
      `SELECT kind, data->'card' AS card FROM "Event" WHERE "environmentId" = $1 AND kind LIKE 'payment_method.%' ORDER BY position`,
      [shop.environmentId],
    );
    const card = (last4: string) => ({ brand: 'visa', last4, expMonth: 11, expYear: 2098 });
    expect(events).toEqual([
      { kind: 'payment_method.attached', card: card('4242') },
      { kind: 'payment_method.updated', card: card('0341') },
      { kind: 'payment_method.updated', card: card('4242') },
      { kind: 'payment_method.attached', card: { ...card('4242'), expMonth: 12, expYear: 2099 } },
    ]);
  });
});
