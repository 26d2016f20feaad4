import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createCustomer,
  createOffer,
  createPricedPlan,
  firstShop,
  off,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import {
  advance,
  allEvents,
  expectLedgerBalanced,
  invoicesOf,
  pay,
  setClock,
  word,
} from '../support/stories.ts';

// Offers over several months, using only the API and the clock (OFR-9 to OFR-12).

type Phase = { type: string; startsAt: string | null; endsAt: string | null };
type Read = {
  status: string;
  currentPeriod: { start: string };
  offerApplications: { status: string; subtotal: number; total: number; phases: Phase[] }[];
};

let t: TestApp;
let shop: Shop;

const start = async (planId: string, choices: Record<string, unknown>) => {
  const customer = await createCustomer(shop);
  const { status, body } = await shop.rest<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
    customerId: customer.id,
    planId,
    ...choices,
  });
  expect(status).toBe(201);
  return { id: body.id, token: body.checkoutUrl.split('/').at(-1) ?? null };
};

const read = async (id: string) => (await shop.rest<Read>('GET', `/subscriptions/${id}`)).body;
const charged = async (id: string) =>
  (await invoicesOf(t, id)).map(({ periodStart, total, status }) => `${periodStart} ${total} ${status}`);
const dates = async (id: string) =>
  (await read(id)).offerApplications.flatMap(({ phases }) =>
    phases.map(({ type, startsAt, endsAt }) => `${type} ${startsAt?.slice(0, 10)} ${endsAt?.slice(0, 10)}`),
  );

describe('an offer over several months', () => {
  beforeAll(async () => {
    t = await startApp();
    shop = firstShop(t);
    await setClock(t, '2027-03-01T08:00:00Z');
  });
  afterAll(() => closeStory(t));

  it('lasts one year per cycle on a yearly price, then ends (OFR-E5)', async () => {
    const plan = await createPricedPlan(shop, { billingInterval: 'yearly', price: 30_000 });
    const { id, token } = await start(plan.id, {
      offerId: (await createOffer(shop, [off.percent(3_000, 2)])).id,
    });
    expect(await pay(t, token)).toBe('paid');
    expect(await dates(id)).toEqual(['percentage 2027-03-01 2029-03-01']);
    await setClock(t, '2029-03-01T00:00:00Z');
    expect(await charged(id)).toEqual([
      '2027-03-01 21000 paid',
      '2028-03-01 21000 paid',
      '2029-03-01 30000 paid',
    ]);
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  });

  it('has three phases, from the trial to a permanent phase (OFR-E1)', async () => {
    await setClock(t, '2029-07-12T09:30:00Z');
    const plan = await createPricedPlan(shop, { price: 2_650 });
    const phases = [off.trial(5), off.percent(4_000, 2), off.percent(1_000, null)];
    const { id, token } = await start(plan.id, { offerId: (await createOffer(shop, phases)).id });
    expect((await read(id)).offerApplications).toMatchObject([
      { status: 'quoted', subtotal: 2_650, total: 1_590 },
    ]);
    expect(await pay(t, token)).toBe('paid');
    expect(await read(id)).toMatchObject({ status: 'trialing', offerApplications: [{ status: 'applied' }] });
    expect(await dates(id)).toEqual([
      'free_trial 2029-07-12 2029-07-17',
      'percentage 2029-07-17 2029-09-17',
      'percentage 2029-09-17 undefined',
    ]);
    const before = (await allEvents(t)).length;

    await advance(t, { advanceDays: 100 });

    // 26.50 − 40% = 15.90 twice, then 26.50 − 10% = 23.85.
    expect(await charged(id)).toEqual([
      '2029-07-17 1590 paid',
      '2029-08-17 1590 paid',
      '2029-09-17 2385 paid',
      '2029-10-17 2385 paid',
    ]);
    const renewal = ['invoice.upcoming', 'invoice.created', 'payment.received'];
    expect((await allEvents(t)).slice(before).map(word)).toEqual([
      'trial.will_end',
      'trial.expired',
      'invoice.created',
      'payment.received',
      'subscription.activated',
      'customer.state_changed:trial_expired',
      ...renewal,
      ...renewal,
      ...renewal,
      // The next renewal is on November 17; the clock is at October 20.
    ]);
    await expectLedgerBalanced(t);
  });

  it('counts cycles with a total of 0 and cycles with a declined charge (OFR-10)', async () => {
    await setClock(t, '2030-01-10T10:00:00Z');
    const plan = await createPricedPlan(shop, { price: 2_000 });
    const { id, token } = await start(plan.id, {
      offerId: (await createOffer(shop, [off.percent(10_000), off.amount(500, 1)])).id,
    });
    expect(await pay(t, token, '4000000000000341')).toBe('paid');
    await setClock(t, '2030-02-10T00:00:00Z');
    expect(await charged(id)).toEqual(['2030-01-10 0 paid', '2030-02-10 1500 outstanding']);
    expect((await read(id)).status).toBe('past_due');
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  });

  it('is quoted for a draft subscription when the subscription starts, with the terms at that time (SUB-10)', async () => {
    const plan = await createPricedPlan(shop, { price: 2_000 });
    const offer = await createOffer(shop, [off.percent(5_000, 1)]);
    const customer = await createCustomer(shop);
    const { body } = await shop.rest<{ id: string; status: string; offerApplications: unknown[] }>(
      'POST',
      '/subscriptions',
      {
        customerId: customer.id,
        planId: plan.id,
        offerId: offer.id,
        startDate: '2030-03-01T00:00:00Z',
      },
    );
    expect(body).toMatchObject({ status: 'draft', offerApplications: [] });
    await shop.rest('PATCH', `/offers/${offer.id}`, { name: 'Less', phases: [off.percent(2_500, 1)] });
    await setClock(t, '2030-03-01T12:00:00Z');
    expect(await read(body.id)).toMatchObject({
      status: 'pending_payment',
      offerApplications: [{ status: 'quoted', total: 1_500 }],
    });
    expect(await charged(body.id)).toEqual(['2030-03-01 1500 outstanding']);
  });

  it('discounts the next three charges of an active subscription, and prevents another offer during that time (OFR-E2, BIL-17)', async () => {
    await setClock(t, '2030-05-06T08:00:00Z');
    const plan = await createPricedPlan(shop, { price: 4_800 });
    const { id, token } = await start(plan.id, {});
    await pay(t, token);
    const [quarter, second] = [
      await createOffer(shop, [off.percent(2_500, 3)]),
      await createOffer(shop, [off.percent(1_000, 1)]),
    ];
    const put = (offerId: string) =>
      shop.rest<{ error?: { code: string } }>('PUT', `/subscriptions/${id}/offer`, { offerId });
    await setClock(t, '2030-05-20T08:00:00Z');
    const before = (await allEvents(t)).length;
    expect(await put(quarter.id)).toMatchObject({
      status: 200,
      body: { status: 'active', offerApplications: [{ status: 'applied' }] },
    });
    expect(await dates(id)).toEqual(['percentage 2030-06-06 2030-09-06']);
    expect((await allEvents(t)).slice(before).map(word)).toEqual([]);

    await setClock(t, '2030-08-10T08:00:00Z');
    expect(await put(second.id)).toMatchObject({
      status: 400,
      body: { error: { code: 'offer_not_applicable', param: 'offerId' } },
    });
    await setClock(t, '2030-09-06T08:00:00Z');
    expect((await put(second.id)).status).toBe(200);
    await setClock(t, '2030-10-06T00:00:00Z');

    expect(await charged(id)).toEqual([
      '2030-05-06 4800 paid',
      '2030-06-06 3600 paid',
      '2030-07-06 3600 paid',
      '2030-08-06 3600 paid',
      '2030-09-06 4800 paid',
      '2030-10-06 4320 paid',
    ]);
    const renewal = ['invoice.upcoming', 'invoice.created', 'payment.received'];
    const own = (await allEvents(t)).slice(before).filter(({ data }) => data['subscriptionId'] === id);
    expect(own.map(word)).toEqual([...renewal, ...renewal, ...renewal, ...renewal, ...renewal]);
    await expectLedgerBalanced(t);
  });

  it('can be replaced and removed in an open checkout, and expires without affecting the checkout link (OFR-E4, OFR-17)', async () => {
    await setClock(t, '2030-11-01T13:00:00Z');
    const plan = await createPricedPlan(shop, { price: 8_400 });
    const { id, token } = await start(plan.id, {});
    const fixed = { type: 'fixed_price', durationCycles: 1, prices: [{ currency: 'usd', amount: 5_000 }] };
    const [a, b] = [await createOffer(shop, [off.percent(2_000, 1)]), await createOffer(shop, [fixed])];
    const shown = async () => {
      const { checkout } = await t.graphql<{ checkout: { amountDue: number } }>(
        'query ($token: String!) { checkout(token: $token) { amountDue } }',
        { token },
        { key: null },
      );
      return checkout.amountDue;
    };
    const address = async () =>
      (await shop.rest<{ checkoutUrl: string }>('GET', `/subscriptions/${id}`)).body.checkoutUrl;
    const first = await address();
    const before = (await allEvents(t)).length;

    await shop.rest('PUT', `/subscriptions/${id}/offer`, {
      offerId: a.id,
      expiresAt: '2030-11-01T14:00:00Z',
    });
    expect([await shown(), await address()]).toEqual([6_720, first]);
    await shop.rest('PUT', `/subscriptions/${id}/offer`, { offerId: b.id });
    expect([await shown(), await address()]).toEqual([5_000, first]);
    expect((await shop.rest('DELETE', `/subscriptions/${id}/offer`)).status).toBe(200);
    expect([await shown(), await address()]).toEqual([8_400, first]);
    await shop.rest('PUT', `/subscriptions/${id}/offer`, {
      offerId: a.id,
      expiresAt: '2030-11-01T14:00:00Z',
    });
    await setClock(t, '2030-11-01T14:00:00Z');
    expect([await shown(), await address()]).toEqual([8_400, first]);

    expect((await read(id)).offerApplications.map(({ status, total }) => `${status} ${total}`)).toEqual([
      'expired 6720',
      'expired 5000',
      'expired 6720',
    ]);
    expect((await allEvents(t)).slice(before).map(word)).toEqual(Array(5).fill('invoice.updated'));
    expect(await pay(t, token)).toBe('paid');
    expect((await charged(id)).at(-1)).toBe('2030-11-01 8400 paid');
    await expectLedgerBalanced(t);
  });
});
