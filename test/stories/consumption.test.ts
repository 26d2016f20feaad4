import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, type ConsumerOptions, createConsumer, of } from '../support/consumers.ts';
import {
  clockSettled,
  createCustomer,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { allEvents, expectLedgerBalanced, word } from '../support/stories.ts';

// Usage in several usage windows, and the resulting invoices with their exact line items and events. Each story has a separate sandbox and
// clock.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

const declinesLater = '4000000000000341';

/** Creates a sandbox whose clock is at the given time. */
async function story(at: string) {
  const shop = await otherShop(t, 'Story');
  const api: TestApp = {
    ...t,
    rest: shop.rest,
    graphql: (query, variables, options = {}) => t.graphql(query, variables, { key: shop.key, ...options }),
  };
  const until = async (frozenTime: string): Promise<void> => {
    expect((await shop.rest('POST', '/test-clock', { frozenTime })).status).toBe(202);
    expect(await clockSettled(shop)).toBe('completed');
  };
  await until(at);
  let seen = 0;
  /** Returns the events since the last call. */
  const news = async (): Promise<string[]> => {
    const words = (await allEvents(api)).map(word);
    const fresh = words.slice(seen);
    seen = words.length;
    return fresh;
  };
  return { shop, until, news, api };
}

/** Creates a consumer. Returns functions that record and check its usage, and that read its subscription status and invoices. */
async function consumerOf(shop: Shop, options: ConsumerOptions) {
  const consumer = await createConsumer(shop, options);
  return { ...consumer, ...operationsOf(shop, consumer) };
}

function operationsOf(shop: Shop, consumer: Consumer) {
  type Answer = { readonly error?: { readonly code: string } };
  const use = async (value: number): Promise<string> => {
    const { status, body } = await shop.rest<Answer>('POST', '/usage/events', { ...of(consumer), value });
    return status === 200 ? 'recorded' : (body.error?.code ?? String(status));
  };
  const check = async () => (await shop.rest('POST', '/usage/check', of(consumer))).body;
  const status = async () =>
    (await shop.rest<{ status: string }>('GET', `/subscriptions/${consumer.subscriptionId}`)).body.status;
  return { use, check, status, bills: () => bills(shop, consumer) };
}

type Bill = {
  readonly invoiceType: string;
  readonly status: string;
  readonly total: number;
  readonly periodStart: string;
  readonly lineItems: readonly {
    readonly lineType: string;
    readonly quantity: number;
    readonly amount: number;
  }[];
};

/** Returns the type, status, period start, and line items of each of a subscription's invoices, from oldest to newest. */
async function bills(shop: Shop, { subscriptionId }: Consumer) {
  const { subscription } = await shop.t.graphql<{ subscription: { invoices: { edges: { node: Bill }[] } } }>(
    `query ($id: ID!) { subscription(id: $id) { invoices(first: 50) { edges { node {
       invoiceType status total periodStart lineItems { lineType quantity amount } } } } } }`,
    { id: subscriptionId },
    { key: shop.key },
  );
  return subscription.invoices.edges.toReversed().map(({ node }) => {
    expect(node.lineItems.reduce((sum, { amount }) => sum + amount, 0)).toBe(node.total);
    return [
      node.invoiceType,
      node.status,
      node.periodStart.slice(0, 10),
      ...node.lineItems.map((line) => [line.lineType, line.quantity, line.amount]),
    ];
  });
}

const overage = { includedAmount: 4_200, overage: { enabled: true, unitPrice: 85 } };

describe('a yearly metered plan', () => {
  test("bills each usage window's overage separately, and the last window's overage with the renewal (BIL-9, CON-16, CON-E1)", async () => {
    const { shop, until, news, api } = await story('2027-01-15T10:00:00Z');
    const { use, bills } = await consumerOf(shop, {
      price: { billingInterval: 'yearly', price: 60_000 },
      terms: overage,
    });
    await news();
    expect(await use(3_359)).toBe('recorded');
    expect(await news()).toEqual(['usage.recorded']);
    await use(1);
    expect(await news()).toEqual(['usage.recorded', 'quota.threshold_reached']);
    await use(840);
    expect(await news()).toEqual(['usage.recorded']);
    await use(1_837);
    expect(await news()).toEqual(['usage.recorded', 'quota.exceeded']);

    await until('2027-02-15T10:00:00Z');
    expect(await news()).toEqual(['invoice.created', 'payment.received']);
    // 1,837 × 85 gives a rate of 156,145.
    const first = ['recurring', 'paid', '2027-01-15', ['plan_base', 1, 60_000]];
    const window1 = ['overage', 'paid', '2027-01-15', ['feature_overage', 1_837, 1_561]];
    expect(await bills()).toEqual([first, window1]);

    await use(4_300);
    await until('2027-03-15T10:00:00Z');
    // 10 × 85 gives a rate of 850, or 0.09. This amount is below the minimum charge and is carried over to the renewal (BIL-35).
    await use(4_210);
    await news();
    await until('2027-04-15T10:00:00Z');
    expect(await news()).toEqual(['invoice.created', 'invoice.voided']);
    await use(4_200);
    await until('2027-12-15T10:00:00Z');
    expect(await news()).toEqual(['usage.recorded', 'quota.threshold_reached']);
    await use(4_400);
    await news();
    await until('2028-01-15T10:00:00Z');
    expect(await bills()).toEqual([
      first,
      window1,
      ['overage', 'paid', '2027-02-15', ['feature_overage', 100, 85]],
      ['overage', 'void', '2027-03-15', ['feature_overage', 10, 9]],
      [
        'recurring',
        'paid',
        '2028-01-15',
        ['plan_base', 1, 60_000],
        ['feature_overage', 200, 170],
        ['one_time', 1, 9],
      ],
    ]);
    expect(await news()).toEqual(['invoice.upcoming', 'invoice.created', 'payment.received']);
    await expectLedgerBalanced(api);
  });

  test("becomes past due after a usage window's charge is declined, and is canceled when dunning ends (BIL-11, BIL-40)", async () => {
    const { shop, until, news, api } = await story('2027-01-15T10:00:00Z');
    const { use, bills, status } = await consumerOf(shop, {
      price: { billingInterval: 'yearly', price: 60_000 },
      terms: overage,
      card: declinesLater,
    });
    await use(6_037);
    await news();
    await until('2027-02-15T10:00:00Z');
    expect(await news()).toEqual([
      'invoice.created',
      'payment.failed',
      'subscription.past_due',
      'customer.state_changed:past_due',
    ]);
    expect(await status()).toBe('past_due');
    expect(await use(1)).toBe('recorded');
    await until('2027-03-15T10:00:00Z');
    expect(await bills()).toEqual([
      ['recurring', 'paid', '2027-01-15', ['plan_base', 1, 60_000]],
      ['overage', 'uncollectible', '2027-01-15', ['feature_overage', 1_837, 1_561]],
    ]);
    expect(await status()).toBe('canceled');
    expect(await use(1)).toBe('no_active_subscription');
    await expectLedgerBalanced(api);
  });

  test('records usage while the subscription is past due, and bills it at the end of the usage window (BIL-11)', async () => {
    const { shop, until, api } = await story('2027-01-15T10:00:00Z');
    const consumer = await consumerOf(shop, {
      price: { billingInterval: 'yearly', price: 60_000 },
      terms: overage,
      card: declinesLater,
    });
    await consumer.use(6_037);
    await until('2027-02-15T10:00:00Z');
    await consumer.use(5_200);
    const { body } = await shop.rest<{ data: { id: string }[] }>(
      'GET',
      `/invoices?subscriptionId=${consumer.subscriptionId}`,
    );
    expect(
      (await shop.rest('PATCH', `/invoices/${body.data[0]?.id}/status`, { status: 'paid' })).status,
    ).toBe(200);
    expect(await consumer.status()).toBe('active');
    await until('2027-03-15T10:00:00Z');
    expect(await consumer.status()).toBe('past_due');
    expect((await consumer.bills()).slice(1)).toEqual([
      ['overage', 'paid', '2027-01-15', ['feature_overage', 1_837, 1_561]],
      ['overage', 'outstanding', '2027-02-15', ['feature_overage', 1_000, 850]],
    ]);
    await expectLedgerBalanced(api);
  });
});

describe('a monthly credits plan', () => {
  test('discards remaining credits and grants new credits each month, with events (CON-18, CON-19, CON-E4)', async () => {
    const { shop, until, news, api } = await story('2027-01-31T10:00:00Z');
    const { use, check, bills } = await consumerOf(shop, {
      plan: { consumptionModel: 'credits' },
      price: { includedCredits: 640 },
      terms: { creditsPerUnit: 6 },
    });
    await use(87);
    expect(await check()).toMatchObject({ planCredits: 118, purchasedCredits: 0, totalCredits: 118 });
    await news();
    await until('2027-02-28T10:00:00Z');
    expect(await news()).toEqual([
      'invoice.upcoming',
      'credits.expired',
      'credits.granted',
      'invoice.created',
      'payment.received',
    ]);
    expect(await check()).toMatchObject({ planCredits: 640, totalCredits: 640 });

    await use(95);
    expect(await news()).toEqual(['usage.recorded']);
    await use(1);
    expect(await news()).toEqual(['usage.recorded', 'credits.low']);
    await use(10);
    expect(await news()).toEqual(['usage.recorded']);
    expect(await use(1)).toBe('insufficient_credits');
    expect(await news()).toEqual([]);
    await until('2027-03-31T10:00:00Z');
    expect(await check()).toMatchObject({ totalCredits: 640 });
    expect(await bills()).toEqual(
      ['2027-01-31', '2027-02-28', '2027-03-31'].map((start) => [
        'recurring',
        'paid',
        start,
        ['plan_base', 1, 4_900],
      ]),
    );
    await expectLedgerBalanced(api);
  });

  test('adds an increase in included credits immediately, and applies a reduction in the next usage window (CAT-49)', async () => {
    const { shop, until } = await story('2027-01-15T10:00:00Z');
    const consumer = await consumerOf(shop, {
      plan: { consumptionModel: 'credits' },
      price: { includedCredits: 640 },
      terms: { creditsPerUnit: 1 },
    });
    const { body } = await shop.rest<{ prices: { id: string }[] }>('GET', `/plans/${consumer.planId}`);
    const include = (includedCredits: number) =>
      shop.rest('PATCH', `/plans/${consumer.planId}/prices/${body.prices[0]?.id}`, { includedCredits });
    await consumer.use(100);
    await include(900);
    expect(await consumer.check()).toMatchObject({ totalCredits: 800 });
    expect(await consumer.use(800)).toBe('recorded');
    expect(await consumer.use(1)).toBe('insufficient_credits');
    await include(500);
    expect(await consumer.check()).toMatchObject({ totalCredits: 0 });
    await until('2027-02-15T10:00:00Z');
    expect(await consumer.check()).toMatchObject({ totalCredits: 500 });
  });
});

describe('a monthly balance plan', () => {
  test("resets the balance, and bills a negative balance if usage isn't blocked at 0 (CON-24, CON-27, CON-E7)", async () => {
    const { shop, until, news, api } = await story('2027-01-15T10:00:00Z');
    const { use, check, bills } = await consumerOf(shop, {
      plan: { consumptionModel: 'balance', blockOnExhaustion: false },
      price: { includedBalance: 420_000 },
      terms: { pricingMode: 'fixed', overage: { unitPrice: 50 } },
    });
    await news();
    await use(7_559);
    expect(await news()).toEqual(['usage.recorded']);
    // 42,000 of 420,000 remain.
    await use(1);
    expect(await news()).toEqual(['usage.recorded', 'balance.low']);
    await use(1_589);
    expect(await news()).toEqual([
      'usage.recorded',
      'balance.depleted',
      'customer.state_changed:balance_depleted',
    ]);
    expect(await check()).toMatchObject({ currentBalance: -37_450, allowed: true });
    await until('2027-02-15T10:00:00Z');
    expect(await news()).toEqual(['invoice.upcoming', 'invoice.created', 'payment.received']);
    expect(await check()).toMatchObject({ currentBalance: 420_000 });
    await use(1);
    await until('2027-03-15T10:00:00Z');
    expect(await check()).toMatchObject({ currentBalance: 420_000 });
    expect(await bills()).toEqual([
      ['recurring', 'paid', '2027-01-15', ['plan_base', 1, 4_900]],
      ['recurring', 'paid', '2027-02-15', ['plan_base', 1, 4_900], ['balance_overage', 1, 375]],
      ['recurring', 'paid', '2027-03-15', ['plan_base', 1, 4_900]],
    ]);
    await expectLedgerBalanced(api);
  });
});

describe('a scheduled cancellation', () => {
  test.each([
    ['collects the payment', undefined, 'paid', ['invoice.created', 'payment.received']],
    [
      'marks a declined invoice uncollectible, without dunning',
      declinesLater,
      'uncollectible',
      ['invoice.created', 'payment.failed'],
    ],
  ])("bills the last period's usage, and %s (SUB-25)", async (_what, card, status, charge) => {
    const { shop, until, news, api } = await story('2027-01-15T10:00:00Z');
    const consumer = await consumerOf(shop, { terms: overage, ...(card === undefined ? {} : { card }) });
    await consumer.use(6_037);
    expect((await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/cancel`, {})).status).toBe(
      200,
    );
    expect(await consumer.use(100)).toBe('recorded');
    await news();
    await until('2027-02-16T10:00:00Z');
    expect(await news()).toEqual([
      ...charge,
      'subscription.canceled',
      'customer.state_changed:subscription_canceled',
    ]);
    const failures = (await allEvents(api)).filter(({ event }) => event === 'payment.failed');
    expect(failures.filter(({ data }) => data['recoveryUrl'] !== null)).toEqual([]);
    // 1,937 × 85 gives a rate of 164,645.
    expect(await consumer.bills()).toEqual([
      ['recurring', 'paid', '2027-01-15', ['plan_base', 1, 4_900]],
      ['overage', status, '2027-01-15', ['feature_overage', 1_937, 1_646]],
    ]);
    expect(await consumer.status()).toBe('canceled');
    await until('2027-04-15T10:00:00Z');
    expect(await news()).toEqual([]);
    await expectLedgerBalanced(api);
  });
});

describe('a trial', () => {
  test('blocks overage, bills no usage, and resets its usage windows (CON-3, CON-17, SUB-62)', async () => {
    const { shop, until, api } = await story('2027-01-15T10:00:00Z');
    const { use, check, bills, status } = await consumerOf(shop, {
      price: { trialDays: 40 },
      terms: overage,
    });
    expect(await status()).toBe('trialing');
    expect(await use(4_200)).toBe('recorded');
    expect(await use(1)).toBe('included_limit_reached');
    expect(await check()).toMatchObject({ overageEnabled: false, allowed: false });
    await until('2027-02-15T10:00:00Z');
    expect(await check()).toMatchObject({ current: 0, included: 4_200 });
    expect(await use(4_200)).toBe('recorded');
    await until('2027-02-24T10:00:00Z');
    expect(await status()).toBe('active');
    expect(await check()).toMatchObject({ current: 0, overageEnabled: true });
    expect(await use(4_300)).toBe('recorded');
    await until('2027-03-24T10:00:00Z');
    expect((await bills()).slice(-2)).toEqual([
      ['recurring', 'paid', '2027-02-24', ['plan_base', 1, 4_900]],
      ['recurring', 'paid', '2027-03-24', ['plan_base', 1, 4_900], ['feature_overage', 100, 85]],
    ]);
    await expectLedgerBalanced(api);
  });

  test.each([
    [
      'credits',
      { consumptionModel: 'credits' },
      { includedCredits: 640 },
      { creditsPerUnit: 1 },
      'totalCredits',
      'insufficient_credits',
    ],
    [
      'a balance',
      { consumptionModel: 'balance', blockOnExhaustion: false },
      { includedBalance: 640 },
      { pricingMode: 'fixed', overage: { unitPrice: 1 } },
      'currentBalance',
      'insufficient_balance',
    ],
  ] as const)(
    'grants %s once, regardless of how long the trial is (CON-3, CON-22, CON-28)',
    async (_what, plan, price, terms, left, rejection) => {
      const { shop, until } = await story('2027-01-15T10:00:00Z');
      const { use, check } = await consumerOf(shop, { plan, price: { trialDays: 40, ...price }, terms });
      expect(await use(600)).toBe('recorded');
      await until('2027-02-20T10:00:00Z');
      expect(await check()).toMatchObject({ [left]: 40 });
      expect(await use(41)).toBe(rejection);
      expect(await use(40)).toBe('recorded');
      await until('2027-02-24T10:00:00Z');
      expect(await check()).toMatchObject({ [left]: 640 });
    },
  );
});

test('a free plan resets allowances each month, has a hard limit, and bills nothing (CON-2, CON-3)', async () => {
  const { shop, until, news } = await story('2027-01-31T10:00:00Z');
  const { use, check, bills } = await consumerOf(shop, {
    plan: { isFree: true },
    terms: { includedAmount: 4_200 },
  });
  for (const boundary of ['2027-02-28T10:00:00Z', '2027-03-31T10:00:00Z']) {
    expect(await use(4_200)).toBe('recorded');
    expect(await use(1)).toBe('included_limit_reached');
    expect(await check()).toMatchObject({ current: 4_200, overageEnabled: false });
    await news();
    await until(boundary);
    expect(await news()).toEqual([]);
    expect(await check()).toMatchObject({ current: 0, allowed: true });
  }
  expect(await bills()).toEqual([]);
});

describe('a plan that is changed during a period', () => {
  test("is billed at the period's lowest unit price (CAT-50, CAT-E3)", async () => {
    const { shop, until } = await story('2027-04-01T00:00:00Z');
    const consumer = await consumerOf(shop, {
      terms: { includedAmount: 100, overage: { enabled: true, unitPrice: 220 } },
    });
    const price = (unitPrice: number) =>
      shop.rest('PATCH', `/plans/${consumer.planId}/features/${consumer.feature.id}`, {
        overage: { unitPrice },
      });
    await consumer.use(2_000);
    await until('2027-04-09T00:00:00Z');
    expect((await price(140)).status).toBe(200);
    await until('2027-04-20T00:00:00Z');
    expect((await price(260)).status).toBe(200);
    await until('2027-05-01T00:00:00Z');
    await consumer.use(2_000);
    await until('2027-06-01T00:00:00Z');
    expect((await consumer.bills()).slice(1)).toEqual([
      ['recurring', 'paid', '2027-05-01', ['plan_base', 1, 4_900], ['feature_overage', 1_900, 2_660]],
      ['recurring', 'paid', '2027-06-01', ['plan_base', 1, 4_900], ['feature_overage', 1_900, 4_940]],
    ]);
  });

  test('keeps the highest included amount until the renewal, but a new subscription gets the current terms (CAT-49, CAT-E4)', async () => {
    const { shop, until } = await story('2027-06-01T00:00:00Z');
    const consumer = await consumerOf(shop, { terms: { includedAmount: 3_500 } });
    const include = (includedAmount: number) =>
      shop.rest('PATCH', `/plans/${consumer.planId}/features/${consumer.feature.id}`, { includedAmount });
    await until('2027-06-06T00:00:00Z');
    expect((await include(5_000)).status).toBe(200);
    expect(await consumer.check()).toMatchObject({ included: 5_000 });
    await until('2027-06-21T00:00:00Z');
    expect((await include(2_000)).status).toBe(200);
    await until('2027-06-22T00:00:00Z');
    expect(await consumer.check()).toMatchObject({ included: 5_000 });
    const { id: customerId } = await createCustomer(shop);
    const { id: subscriptionId, token } = await subscribeTo(shop, customerId, consumer.planId);
    await pay(shop, token);
    const newcomer = { ...consumer, customerId, subscriptionId };
    expect(await operationsOf(shop, newcomer).check()).toMatchObject({ included: 2_000 });
    await until('2027-07-01T00:00:00Z');
    expect(await consumer.check()).toMatchObject({ included: 2_000 });
  });
});
