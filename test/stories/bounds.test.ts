import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { closeStory } from '../support/recompute.ts';
import {
  advance,
  allEvents,
  expectLedgerBalanced,
  invoicesOf,
  pay,
  setClock,
  subscribe,
} from '../support/stories.ts';

// Requests with amounts above the maximum for an invoice are rejected (GLO-14a). Previously accepted usage makes only its own renewal fail
// (BIL-56a).

let shop: TestApp;
let mail: MailServer;

beforeAll(async () => {
  mail = await startMailServer();
  shop = await startApp({ env: { SMTP_URL: mail.url, PUBLIC_URL: 'https://bill.test' } });
  await setClock(shop, '2027-04-01T09:00:00Z');
});
afterAll(async () => {
  await closeStory(shop);
  await mail.close();
});

type Failure = { error?: { code: string; param?: string; message: string } };
const failure = ({ status, body }: { status: number; body: unknown }) => {
  const { error } = body as Failure;
  return [status, error?.code, error?.param];
};
const make = async (path: string, input: object): Promise<string> => {
  const { status, body } = await shop.rest<{ id: string }>('POST', path, input);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
};

/** A plan for 10.00, with overage at 2.00 per unit and seats at 5.00 each. */
async function sell(code: string): Promise<string> {
  const plan = await make('/plans', { name: code, code, consumptionModel: 'metered' });
  await make(`/plans/${plan}/prices`, { billingInterval: 'monthly', price: 1_000 });
  for (const [type, unitPrice] of [
    ['usage', 20_000],
    ['seats', 50_000],
  ] as const) {
    const featureId = await make('/features', { name: `${code} ${type}`, code: `${code}_${type}`, type });
    await make(`/plans/${plan}/features`, { featureId, overage: { enabled: true, unitPrice } });
  }
  return plan;
}

const usage = (customerId: string, value: number) =>
  shop.rest('POST', '/usage/events', { customerId, featureCode: 'cove_usage', value });
const maximum = Number.MAX_SAFE_INTEGER;

describe('an amount above the invoice maximum', () => {
  it('is rejected by each operation, but the maximum itself is accepted', async () => {
    await sell('cove');
    for (const id of ['ada', 'bob']) {
      const { token } = await subscribe(shop, id, 'cove');
      await pay(shop, token);
    }
    // 2.00 × 4,500,000,000,000 is 9·10¹⁴ cents.
    const half = 2_250_000_000_000;
    expect((await usage('ada', half)).status).toBe(200);
    expect(failure(await usage('ada', half + 1))).toEqual([400, 'validation_error', 'value']);
    const event = (value: number) => ({ customerId: 'ada', featureCode: 'cove_usage', value });
    const batch = await shop.rest<{ results: { code?: string; error?: { code: string } }[] }>(
      'POST',
      '/usage/events/batch',
      { events: [event(half), event(1)] },
    );
    expect(JSON.stringify(batch.body)).toContain('validation_error');
    const set = (value: number) =>
      shop.rest('PUT', '/usage', {
        customerId: 'ada',
        featureCode: 'cove_usage',
        value,
        reason: 'Wrong unit.',
      });
    expect(failure(await set(2 * half + 1))).toEqual([400, 'validation_error', 'value']);
    expect(failure(await set(maximum))).toEqual([400, 'validation_error', 'value']);
    expect((await set(10)).status).toBe(200);
    const seats = { customerId: 'ada', featureCode: 'cove_seats', count: maximum };
    expect(failure(await shop.rest('POST', '/seats', seats))).toEqual([400, 'validation_error', 'count']);
  });
});

const attention = async () => {
  const { attention: items } = await shop.graphql<{
    attention: { kind: string; sample: { id: string }[] }[];
  }>('{ attention { kind sample { id } } }');
  return items.filter(({ kind }) => kind === 'stuck_deadline');
};
const emails = () =>
  shop.app.database.query<{ subject: string; text: string }>(
    `SELECT subject, content->>'text' AS text FROM "EmailNotification" WHERE audience = 'organization' AND recipient = 'ops@example.com' ORDER BY seq`,
    [],
  );
const failed = async () => (await allEvents(shop)).filter(({ event }) => event === 'deadline.failed');

/** Inserts a usage adjustment whose total was accepted before the limit existed. */
async function accepted(subscriptionId: string, total: bigint): Promise<void> {
  await shop.app.database.query(
    `INSERT INTO "UsageAdjustment" ("environmentId", id, seq, "customerId", "subscriptionId", "featureId", "previousValue", value, reason, "windowStart", "createdAt")
     SELECT "environmentId", 'uad_before_' || total, 1000000, "customerId", "subscriptionId", "featureId", total, ${total}, NULL, "windowStart", "windowStart"
     FROM "UsageCounter" WHERE "subscriptionId" = $1`,
    [subscriptionId],
  );
  await shop.app.database.query(`UPDATE "UsageCounter" SET total = ${total} WHERE "subscriptionId" = $1`, [
    subscriptionId,
  ]);
}

describe('a renewal whose recorded usage exceeds the invoice maximum', () => {
  let ada = '';
  let bob = '';
  it('fails with one event, one email, and one attention item, without affecting other renewals', async () => {
    await shop.app.database.query(`UPDATE "Organization" SET "notificationEmail" = 'ops@example.com'`, []);
    const ids = async (customerId: string) =>
      (await shop.rest<{ data: { id: string }[] }>('GET', `/subscriptions?customerId=${customerId}`)).body
        .data[0]?.id ?? '';
    [ada, bob] = [await ids('ada'), await ids('bob')];
    await accepted(ada, 10n ** 17n);
    const forecast = await shop.graphql<{
      subscriptionForecast: { rejection: { code: string; message: string } | null };
    }>('query ($id: ID!) { subscriptionForecast(id: $id, months: 1) { rejection { code message } } }', {
      id: ada,
    });
    expect(forecast.subscriptionForecast.rejection).toEqual({
      code: 'validation_error',
      message:
        'The line item “cove usage: 100000000000000000 beyond 0 included” exceeds the maximum invoice total.',
    });
    await setClock(shop, '2027-05-02T09:00:00Z');
    await setClock(shop, '2027-05-03T09:00:00Z');
    expect((await invoicesOf(shop, bob)).map(({ total }) => total)).toEqual([1_000, 1_000]);
    expect((await invoicesOf(shop, ada)).map(({ total }) => total)).toEqual([1_000]);
    expect(await attention()).toEqual([{ kind: 'stuck_deadline', sample: [{ id: ada }] }]);
    expect(await failed()).toHaveLength(1);
    expect((await failed())[0]?.data).toMatchObject({
      customerId: 'ada',
      subscriptionId: ada,
      deadline: 'period_end',
      dueAt: '2027-05-01T00:00:00.000Z',
    });
    await expect.poll(async () => (await emails()).length, { timeout: 20_000 }).toBe(1);
    const [email] = await emails();
    expect(email?.subject).toBe('[Sandbox] A renewal or another scheduled action failed');
    expect(email?.text).toContain('exceeds the maximum invoice total');
  });

  it('succeeds after the usage is adjusted, which removes the attention item', async () => {
    const corrected = await shop.rest('PUT', '/usage', {
      customerId: 'ada',
      featureCode: 'cove_usage',
      value: 5,
      reason: 'Wrong unit.',
    });
    expect(corrected.status).toBe(200);
    await setClock(shop, '2027-05-04T09:00:00Z');
    expect((await invoicesOf(shop, ada)).map(({ total }) => total)).toEqual([1_000, 2_000]);
    expect(await attention()).toEqual([]);
  });

  it("is prevented by a cancellation, which waives the usage that can't be billed (SUB-25a)", async () => {
    expect((await usage('ada', 3)).status).toBe(200);
    await accepted(ada, 10n ** 17n);
    await setClock(shop, '2027-06-02T09:00:00Z');
    expect(await attention()).toHaveLength(1);
    const change = await shop.rest('POST', `/subscriptions/${ada}/change-plan`, {
      newPlanId: await sell('ridge'),
    });
    expect(change.status).toBeLessThan(500);
    expect((await shop.rest('POST', `/subscriptions/${ada}/cancel`, {})).status).toBe(200);
    await advance(shop, { frozenTime: '2027-06-03T09:00:00Z' });
    const { body } = await shop.rest<{ status: string }>('GET', `/subscriptions/${ada}`);
    expect(body.status).toBe('canceled');
    expect(await attention()).toEqual([]);
    expect((await invoicesOf(shop, ada)).map(({ total }) => total)).toEqual([1_000, 2_000]);
    const waived = (await allEvents(shop)).filter(({ event }) => event === 'subscription.charges_waived');
    expect(waived.map(({ data }) => data['charges'])).toEqual([
      [{ description: 'cove usage', amount: '20000000000000000000' }],
    ]);
  });
});

describe('a total above 2⁵³', () => {
  it('is returned as the nearest double-precision number', async () => {
    const customerId = (
      await shop.rest<{ id: string }>('POST', '/customers', { email: 'eve@example.com', fullName: 'Eve' })
    ).body.id;
    const amount = 900_000_000_000_000;
    for (let count = 0; count < 11; count++)
      expect(
        (await shop.rest('POST', '/invoices', { customerId, amount, description: 'Large.' })).status,
      ).toBe(201);
    const { customer } = await shop.graphql<{ customer: { totals: { open: { amount: number }[] } } }>(
      'query ($id: ID!) { customer(id: $id) { totals { open { amount } } } }',
      { id: customerId },
    );
    expect(customer.totals.open).toEqual([{ amount: 11 * amount }]);
    expect(await shop.rest('GET', '/metrics/receivables?day=2027-06-03')).toMatchObject({
      status: 200,
      body: expect.anything(),
    });
    await shop.graphql('{ ledgerAccounts { name } }');
  });

  it('leaves the ledger balanced', () => expectLedgerBalanced(shop));
});
