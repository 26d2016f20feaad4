import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { type Consumer, createConsumer } from '../../../support/consumers.ts';
import { eventually } from '../../../support/eventually.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';

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
});
