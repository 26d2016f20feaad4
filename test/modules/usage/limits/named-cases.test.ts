import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { advanceDays, attachFeature, createFeature } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

// Defects of limits that other products reported.

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp({ own: true });
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const cap = ({ customerId }: Consumer, amount: number) =>
  limits.limit({ scope: { customer: customerId }, measure: 'spend', currency: 'usd', amount });

/** Lets the statements that read limits of usage fail as after a timeout. Returns a function that ends the failures, and their number. */
function failingLimits(): () => number {
  const { database } = t.app;
  const { query, transaction } = database;
  let failures = 0;
  const checked =
    (read: typeof query): typeof query =>
    (text, ...rest) => {
      if (!text.includes('RECURSIVE budget AS')) return read(text, ...rest);
      failures++;
      const error = new Error('canceling statement due to statement timeout');
      return Promise.reject(Object.assign(error, { code: '57014' }));
    };
  const spies = [
    vi.spyOn(database, 'query').mockImplementation(checked(query)),
    vi
      .spyOn(database, 'transaction')
      .mockImplementation((work, bounds) =>
        transaction((open) => work({ ...open, query: checked(open.query) }), bounds),
      ),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
    return failures;
  };
}

test.each([
  ['an event', '/usage/events', (consumer: Consumer, value: number): Json => ({ ...of(consumer), value })],
  [
    'a hold',
    '/usage/holds',
    (consumer: Consumer, value: number): Json => ({ ...of(consumer), estimate: { value } }),
  ],
])(
  'rejects %s with 503 and records nothing if the limits of the customer cannot be read (autumn-fail-open)',
  async (_name, path, bodyOf) => {
    const consumer = await createConsumer(limits.shop, {
      terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } },
    });
    await cap(consumer, 1_000);
    const send = (value: number) => limits.shop.rest('POST', path, bodyOf(consumer, value));
    const changes = await watchChanges(t.app.database.query);
    const restore = failingLimits();
    // The first usage fits, and the second doesn't.
    const answers = [await send(1), await send(11)];
    const { errors } = await t.graphqlFailure(
      'mutation ($input: UsageTrackInput!) { usageTrack(input: $input) { __typename } }',
      { input: of(consumer) },
    );
    expect(restore()).toBeGreaterThanOrEqual(3);
    expect(errors[0]?.extensions).toMatchObject({ code: 'internal_error', status: 503, retryAfter: 1 });
    for (const { status, headers, body } of answers)
      expect([status, headers.get('Retry-After'), body]).toMatchObject([
        503,
        '1',
        { error: { code: 'idempotency_unavailable' } },
      ]);
    expect(await changes()).toEqual([]);
    expect(await limits.states(consumer)).toMatchObject([{ used: '0', remaining: '10' }]);
    expect((await send(1)).status).toBeLessThan(300);
    expect((await send(11)).status).toBe(400);
  },
);

test('invoices exactly the amount that a spend cap shows, after usage up to the cap and a rejection (claude-cap)', async () => {
  const { shop } = limits;
  const first = await createFeature(shop, 'usage');
  const consumer = await createConsumer(shop, {
    terms: { includedAmount: 10, overage: { enabled: true, unitPrice: 2_500 } },
  });
  await attachFeature(shop, consumer.planId, first.id, {
    includedAmount: 0,
    overage: { enabled: true, unitPrice: 500 },
  });
  const limit = await cap(consumer, 1_000);
  await limits.track(consumer, { value: 30 });
  await limits.track({ ...consumer, feature: first }, { value: 99 });
  expect(await limits.rejected(consumer, { value: 1 })).toMatchObject({
    code: 'included_limit_reached',
    details: { limits: [{ limitId: limit.id, used: '9.95', asked: '0.25', remaining: '0.05' }] },
  });
  await limits.track({ ...consumer, feature: first }, { value: 1 });
  await limits.rejected({ ...consumer, feature: first }, { value: 1 });
  const [state] = await limits.states(consumer);
  expect(state).toMatchObject({ limitId: limit.id, used: '10', remaining: '0' });
  expect(await advanceDays(shop, 32)).toBe('completed');
  const { body } = await shop.rest<{ data: { id: string }[] }>(
    'GET',
    `/invoices?customerId=${consumer.customerId}&limit=1`,
  );
  const invoice = await shop.rest<{ lineItems: { lineType: string; amount: number }[] }>(
    'GET',
    `/invoices/${body.data[0]?.id}`,
  );
  const usage = invoice.body.lineItems.filter(({ lineType }) => lineType === 'feature_overage');
  expect(usage.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([500, 500]);
  expect(usage.reduce((sum, { amount }) => sum + amount, 0)).toBe(Number(state?.['used']) * 100);
  expect(await limits.states(consumer)).toMatchObject([{ used: '0', remaining: '10' }]);
});

test('rejects usage and reports the limit with the usage that reaches it, without a job (neon-delay)', async () => {
  const consumer = await createConsumer(limits.shop, {
    terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } },
  });
  await cap(consumer, 1_000);
  await limits.track(consumer, { value: 10 });
  const [reached] = await limits.events(consumer, 'limit.reached');
  expect(reached?.data).toMatchObject({ value: '10', amount: '10', cause: 'amount' });
  const [written] = await t.app.database.query(
    `SELECT count(DISTINCT xmin::text)::int AS transactions, count(*)::int AS rows FROM (
       SELECT xmin FROM "UsageEvent" WHERE "environmentId" = $1 AND "customerId" = $2
       UNION ALL SELECT xmin FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind = 'limit.reached'
       UNION ALL SELECT xmin FROM "LimitCrossing" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind = 'reached') written`,
    [t.sandboxId, consumer.customerId],
  );
  expect(written).toEqual({ transactions: 1, rows: 3 });
  expect(await limits.rejected(consumer, { value: 1 })).toMatchObject({ code: 'included_limit_reached' });
});
