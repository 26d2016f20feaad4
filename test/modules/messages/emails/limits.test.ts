import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { eventually } from '../../../support/eventually.ts';
import { openPortal } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';
import { memberOf } from '../../../support/people.ts';

let mail: MailServer;
let t: TestApp;
let limits: LimitRequests;
let wall: MovableClock;

beforeAll(async () => {
  mail = await startMailServer();
  wall = new MovableClock('2027-01-01T00:00:00Z');
  t = await startApp({
    wall,
    env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', PUBLIC_URL: 'https://bill.test' },
  });
  limits = new LimitRequests(t);
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

type Stored = { recipient: string; subject: string | null; status: string; nextAttemptAt: Date | null };

/** Waits for a number of emails about limits, and returns them. */
const stored = (count: number): Promise<Stored[]> =>
  eventually(
    () =>
      t.app.database.query<Stored>(
        `SELECT recipient, subject, status, "nextAttemptAt" FROM "EmailNotification" WHERE "environmentId" = $1 AND "combineKey" IS NOT NULL ORDER BY seq`,
        [t.sandboxId],
      ),
    (rows) => rows.length === count && rows.every(({ status }) => status === 'sent' || status === 'pending'),
  );

const overage = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };

const cap = (consumer: Consumer, body: Json) =>
  limits.limit({
    name: 'Spend cap',
    scope: { customer: consumer.customerId },
    measure: 'spend',
    currency: 'usd',
    amount: 2_500,
    ...body,
  });

describe('emails about limits', () => {
  test('are sent to the customer, and combined within 10 minutes', async () => {
    const consumer = await createConsumer(limits.shop, { terms: overage });
    await cap(consumer, {
      channels: ['customer_email'],
      thresholds: [{ bps: 5_000 }, { bps: 8_000 }, { bps: 9_000 }],
    });
    await limits.track(consumer, { value: 13 });
    const [first] = await eventually(
      () => stored(1),
      ([row]) => row?.status === 'sent',
    );
    expect(first?.subject).toContain('Your usage at');
    expect(first?.subject).toContain('is $13.00');
    await limits.track(consumer, { value: 7 });
    const [, waiting] = await stored(2);
    expect(waiting).toMatchObject({ status: 'pending', nextAttemptAt: new Date('2027-01-01T00:10:00Z') });
    await limits.track(consumer, { value: 3 });
    await limits.track(consumer, { value: 2 });
    await eventually(
      async () => {
        const [row] = await t.app.database.query<{ kind: string }>(
          `SELECT e.kind FROM "EmailNotification" n JOIN "Event" e ON e."environmentId" = $1 AND e.id = n."eventId"
           WHERE n."environmentId" = $1 AND n."combineKey" IS NOT NULL AND n.status = 'pending'`,
          [t.sandboxId],
        );
        return row?.kind;
      },
      (kind) => kind === 'limit.reached',
    );
    wall.set('2027-01-01T00:10:00Z');
    const rows = await eventually(
      () => stored(2),
      (all) => all.every(({ status }) => status === 'sent'),
    );
    expect(rows[1]?.subject).toContain('You reached a usage limit at');
    const text = mail.notifications.findLast(({ subject }) => subject?.includes('You reached'))?.text ?? '';
    expect(text.replaceAll('\u00a0', ' ')).toContain('You reached the limit Spend cap: $25.00 of $25.00.');
    expect(text).toContain('The limit resets on');
  });

  test('tell the customer and the organization about a settlement that exceeds the amount (LIM-63)', async () => {
    const consumer = await createConsumer(limits.shop, { terms: overage });
    await cap(consumer, {
      name: 'Exceeded cap',
      channels: ['customer_email', 'merchant_email'],
      recipients: [(await memberOf(t, t.organizationId, 'admin')).email],
    });
    const held = await limits.shop.rest('POST', '/usage/holds', {
      ...of(consumer),
      estimate: { value: 10 },
      onExcess: 'accept',
    });
    expect(held.status).toBe(201);
    const settled = await limits.shop.rest('POST', `/usage/holds/${String(held.body['id'])}/settle`, {
      value: 27,
    });
    expect(settled.status).toBe(200);
    const sent = await eventually(
      async () => mail.notifications.filter(({ text }) => text?.includes('Exceeded cap')),
      (all) => all.length === 2,
    );
    const texts = sent
      .map(({ subject, text }) => `${subject}: ${text?.replaceAll('\u00a0', ' ')}`)
      .toSorted();
    expect(texts[0]).toMatch(/^The limit Exceeded cap was exceeded by 2 USD\./);
    expect(texts[1]).toMatch(/^\[Test\] You exceeded a usage limit at /);
    expect(texts[1]).toContain('You exceeded the limit Exceeded cap: $27.00 of $25.00.');
  });

  test('name the API key whose operations reached the amount of a limit', async () => {
    const key = await limits.shop.rest<{ id: string; apiKey: string }>('POST', '/api-keys', {
      name: 'Importer',
    });
    const session = await memberOf(t, t.organizationId, 'admin');
    const asMember = {
      key: null,
      headers: { ...session.headers, 'x-organization': t.organizationId, 'x-environment': 'sandbox' },
    };
    const limit = {
      name: 'Imports',
      scope: { apiKey: key.body.id },
      measure: 'calls',
      filter: { operations: ['customerCreate'] },
      window: { kind: 'day' },
      amount: 1,
      action: 'block',
      channels: ['merchant_email'],
      recipients: [session.email],
    };
    expect((await t.rest('POST', '/limits', limit, asMember)).status).toBe(201);
    const created = await t.rest('POST', '/customers', { email: 'a@example.com' }, { key: key.body.apiKey });
    expect(created.status).toBe(201);
    const [sent] = await eventually(
      async () => mail.notifications.filter(({ subject }) => subject?.includes('Imports')),
      (all) => all.length > 0,
    );
    expect(sent?.subject).toContain('The limit Imports was reached');
    expect(sent?.text).toContain('API key: Importer');
    expect(sent?.text).toContain('/dashboard/sandbox/usage/limits');
    expect(sent?.text).not.toContain('Budget');
  });

  test("are sent to a customer who sets a cap in the portal, with the reset time in the customer's time zone", async () => {
    const consumer = await createConsumer(limits.shop, { terms: overage });
    const { customerId } = consumer;
    const changed = await limits.shop.rest('PATCH', `/customers/${customerId}`, {
      timezone: 'America/New_York',
    });
    expect([changed.status, changed.body]).toMatchObject([200, { timezone: 'America/New_York' }]);
    const token = await openPortal(limits.shop, customerId);
    const bearer = { key: null, headers: { authorization: `Bearer ${token}` } };
    const setCap = 'mutation ($input: PortalLimitSetInput!) { portalLimitSet(input: $input) { __typename } }';
    await t.graphql(setCap, { input: { measure: 'spend', window: 'day', amount: 1_000 } }, bearer);
    const [own] = (await limits.shop.rest<{ data: Json[] }>('GET', `/limits?customerId=${customerId}`)).body
      .data;
    expect(own).toMatchObject({ setBy: 'customer', channels: ['webhook', 'customer_email'] });
    const { email } = (await limits.shop.rest<{ email: string }>('GET', `/customers/${customerId}`)).body;
    const received = () => mail.notifications.filter(({ to }) => JSON.stringify(to).includes(`"${email}"`));
    await limits.track(consumer, { value: 10 });
    const [sent] = await eventually(
      async () => received().filter(({ subject }) => subject?.includes('You reached a usage limit')),
      (all) => all.length === 1,
    );
    expect(sent?.text).toMatch(/The limit resets on [A-Z][a-z]+ \d+, \d{4}, 00:00 EST\./);
  });

  test('are sent to members, but not after they leave the organization', async () => {
    const { organizationId } = await t.app.database.prisma.environment.findUniqueOrThrow({
      where: { id: t.sandboxId },
    });
    const [member, former] = [
      await memberOf(t, organizationId, 'admin'),
      await memberOf(t, organizationId, 'member'),
    ];
    const consumer = await createConsumer(limits.shop, { terms: overage });
    const created = await cap(consumer, {
      channels: ['merchant_email'],
      recipients: [member.email, former.email],
      thresholds: [{ bps: 5_000 }],
    });
    expect(created).toMatchObject({ channels: ['merchant_email'], recipients: [member.email, former.email] });
    await t.app.database.prisma.member.delete({ where: { id: former.memberId } });
    await limits.track(consumer, { value: 20 });
    const sent = await eventually(
      async () => mail.notifications.filter(({ subject }) => subject?.includes('Spend cap')),
      (all) => all.length > 0,
    );
    expect(sent.map(({ to }) => to)).toMatchObject([[{ address: member.email }]]);
    expect(sent[0]?.subject).toContain('The limit Spend cap reached');
    const { customerId } = consumer;
    const deliveries = await t.app.database.query(
      `SELECT id FROM "WebhookDelivery" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind LIKE 'limit.%'`,
      [t.sandboxId, customerId],
    );
    expect(deliveries).toEqual([]);
  });

  test('are rejected for addresses of strangers', async () => {
    const consumer = await createConsumer(limits.shop, { terms: overage });
    const rejected = async (body: Json) => {
      const error = await limits.failure('POST', '/limits', {
        scope: { customer: consumer.customerId },
        measure: 'calls',
        amount: 5,
        window: { kind: 'day' },
        ...body,
      });
      expect(error.code).toBe('validation_error');
      return (error.details as unknown as readonly Json[])[0]?.['field'];
    };
    const channels = ['merchant_email'];
    expect(await rejected({ channels, recipients: ['eve@example.com'] })).toBe('recipients.0');
    expect(await rejected({ recipients: ['eve@example.com'] })).toBe('recipients');
    expect(await rejected({ channels: ['portal', 'portal'] })).toBe('channels');
    expect(await rejected({ channels, recipients: Array.from({ length: 6 }, () => 'a@b.test') })).toBe(
      'recipients',
    );
  });
});
