import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { cards, openPortal, payment } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { closeStory } from '../../../support/recompute.ts';
import { runStory, type Story, type Subscriber } from '../../../support/story.ts';

// Defects of automatic top-ups that other products reported. The names refer to the chapter about limits.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

type Json = Readonly<Record<string, unknown>>;

const start = '2027-05-08T10:00:00Z';
const path = '/customers/ada/auto-top-up';
/** Buys 5.00 at or below 2.00. */
const terms = {
  threshold: 20_000,
  refill: { amount: 500 },
  maxPerMonth: 100,
  maxAmountPerMonth: 100_000,
  minPause: 0,
  consentReference: 'contract-7',
};

/** Creates a subscriber with a balance of 5.00, of which a unit costs 0.005. */
async function open(story: Story, card: string = cards.pays): Promise<Subscriber> {
  await story.sell('pro', {
    plan: { consumptionModel: 'balance', blockOnExhaustion: true },
    price: { price: 1_000, includedBalance: 50_000 },
    features: { calls: { pricingMode: 'fixed', overage: { unitPrice: 50 } } },
  });
  const ada = await story.subscribe('ada', 'pro');
  const status = await story.pay(ada, card);
  if (status === 'requires_action') expect(await story.authenticate(ada, true)).toBe('paid');
  else expect(status).toBe('paid');
  return ada;
}

const set = (story: Story, changes: Json = {}) => story.do('PUT', path, { ...terms, ...changes });
const setting = (story: Story) => story.do('GET', path);

/** Waits until the worker has executed all due deadlines. */
async function settled(story: Story): Promise<void> {
  await eventually(async () => {
    const { now } = await story.do<{ now: string }>('GET', '/test-clock');
    const due = await t.app.database.query(
      'SELECT FROM "Deadline" WHERE "environmentId" = $1 AND "dueAt" <= $2 LIMIT 1',
      [story.shop.environmentId, new Date(now)],
    );
    return due.length === 0;
  });
}

/** Uses units if the balance covers them, and waits for the top-up. */
async function use(story: Story, value: number): Promise<number> {
  const usage = { customerId: 'ada', featureCode: 'calls', value };
  const { status } = await story.shop.rest('POST', '/usage/events', usage);
  await settled(story);
  return status;
}

/** Returns the attempts as "status reason time", from the oldest. */
const attempts = async (story: Story): Promise<string[]> =>
  (
    await t.app.database.query<{ text: string }>(
      `SELECT concat_ws(' ', status, reason, to_char("createdAt" AT TIME ZONE 'UTC', 'DD HH24:MI')) AS text
       FROM "AutoTopUpAttempt" WHERE "environmentId" = $1 ORDER BY seq`,
      [story.shop.environmentId],
    )
  ).map(({ text }) => text);

/** Returns the number of charges after the first invoice. */
const charges = async (story: Story): Promise<number> => {
  const rows = await t.app.database.query(
    `SELECT t.id FROM "Transaction" t JOIN "AutoTopUpAttempt" a ON a."environmentId" = $1 AND a."invoiceId" = t."invoiceId"
     WHERE t."environmentId" = $1`,
    [story.shop.environmentId],
  );
  return rows.length;
};

/** Returns the data of events of a type. */
const sent = async (story: Story, kind: string): Promise<Json[]> =>
  (
    await t.app.database.query<{ data: Json }>(
      'SELECT data FROM "Event" WHERE "environmentId" = $1 AND kind = $2 ORDER BY position',
      [story.shop.environmentId, kind],
    )
  ).map(({ data }) => data);

const minute = (count: number): string =>
  new Date(Date.parse(start) + count * 60_000).toISOString().replace('.000', '');

it('never buys twice within the pause, however fast the balance is used (claude-runaway)', () =>
  runStory(t, start, async (story) => {
    await open(story);
    await set(story, { minPause: 10 });
    for (let count = 0; count <= 30; count += 5) {
      if (count > 0) await story.on(minute(count));
      for (const value of [700, 300, 100, 100]) await use(story, value);
    }
    const purchases = (await attempts(story)).filter((text) => text.startsWith('succeeded'));
    expect(purchases).toEqual(
      ['08 10:00', '08 10:10', '08 10:20', '08 10:30'].map((time) => `succeeded ${time}`),
    );
    expect(await charges(story)).toBe(4);
  }));

it('tries a declined card three times, and then pauses (akash-dead-card)', () =>
  runStory(t, start, async (story) => {
    await open(story, cards.declinesLater);
    await set(story);
    await use(story, 700);
    await story.on('2027-05-20');
    for (const value of [50, 50, 50]) await use(story, value);
    expect(await attempts(story)).toEqual([
      'failed declined 08 10:00',
      'failed declined 08 11:00',
      'failed declined 09 11:00',
    ]);
    expect(await charges(story)).toBe(3);
    expect(await setting(story)).toMatchObject({ status: 'paused', pausedReason: 'declined' });
    expect(await sent(story, 'auto_topup.paused')).toHaveLength(1);
  }));

it('resumes with a new card after declines, and buys once (LIM-E27)', () =>
  runStory(t, start, async (story) => {
    await open(story, cards.declinesLater);
    await set(story);
    await use(story, 700);
    await story.on('2027-05-10T09:00:00Z');
    expect(await setting(story)).toMatchObject({ status: 'paused', usedThisMonth: { count: 0 } });
    const token = await openPortal(story.shop, 'ada');
    const operation =
      'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { status } }';
    const { card } = payment(token);
    type Stored = { portalPaymentMethodStore: { status: string } };
    const status = (data: Stored): string => data.portalPaymentMethodStore.status;
    expect(await story.page<Stored>(operation, { token, card }, status)).toBe('active');
    await settled(story);
    await story.on('2027-05-12');
    expect((await attempts(story)).slice(3)).toEqual(['succeeded 10 09:00']);
    expect(await setting(story)).toMatchObject({
      ...{ status: 'on', pausedReason: null, available: 15_000 + 50_000 },
      usedThisMonth: { count: 1, amount: 500 },
    });
    expect(await sent(story, 'auto_topup.resumed')).toHaveLength(1);
  }));

it('pauses immediately if the card requires authentication (akash-3ds)', () =>
  runStory(t, start, async (story) => {
    await open(story, '4000002760003184');
    await set(story);
    await use(story, 700);
    await story.on('2027-05-12');
    await use(story, 50);
    expect(await attempts(story)).toEqual(['failed action_required 08 10:00']);
    expect(await setting(story)).toMatchObject({ status: 'paused', pausedReason: 'action_required' });
    expect(await sent(story, 'auto_topup.paused')).toMatchObject([{ reason: 'action_required' }]);
  }));

it('reports a refill above the amount of the month once, and buys in the next month (lago-silent)', () =>
  runStory(t, start, async (story) => {
    await open(story);
    await set(story, { maxAmountPerMonth: 900 });
    await use(story, 700);
    await use(story, 900);
    await use(story, 10);
    const skipped = { reason: 'monthly_amount', nextAt: '2027-06-01T00:00:00.000Z' };
    expect(await sent(story, 'auto_topup.skipped')).toMatchObject([skipped]);
    expect(await setting(story)).toMatchObject(skipped);
    expect(await charges(story)).toBe(1);
    await story.on('2027-06-01T00:00:00Z');
    expect(await attempts(story)).toEqual([
      'succeeded 08 10:00',
      'skipped monthly_amount 08 10:00',
      'succeeded 01 00:00',
    ]);
    expect(await charges(story)).toBe(2);
  }));

it('buys immediately if the balance is below the threshold already, until it is above (codex-level)', () =>
  runStory(t, start, async (story) => {
    await open(story);
    await use(story, 900);
    expect(await attempts(story)).toEqual([]);
    await set(story, { threshold: 60_000, refill: { amount: 1_000 } });
    await settled(story);
    // 0.50 and one refill of 10.00.
    expect(await setting(story)).toMatchObject({ available: 5_000 + 100_000 });
    await set(story, { threshold: 60_000, refill: { target: 180_000 } });
    await use(story, 1_000);
    expect(await setting(story)).toMatchObject({ available: 180_000 });
    expect(await charges(story)).toBe(2);
  }));
