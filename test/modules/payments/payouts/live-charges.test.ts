import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  connectStripe,
  createPayment,
  createSubscription,
  payment,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { liveShop, openPayouts } from '../../../support/payouts.ts';
import { openProcessor, type Processor } from '../../../support/processor.ts';
import { rejection } from '../../../support/refusals.ts';
import { stripeMethods } from '../../../support/stripe.ts';

// Live charges through the platform's payment provider (PAY-38). They require a verified organization and a payment method that the
// provider collected.

const began = '2027-03-01T10:00:00.000Z';
const wall = new MovableClock(began);
const method = 'pm_rail_1';

let processor: Processor;
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  processor = await openProcessor();
  processor.bank.methods.set(method, { brand: 'visa', last4: '1111', expMonth: 12, expYear: 2099 });
  t = await startApp({ wall, env: { PLATFORM_PROCESSOR_URL: processor.url, WORKER_POLL_MS: '100' } });
});
beforeEach(async () => {
  wall.set(began);
  processor.plays('settles');
  shop = await liveShop(t);
});
afterAll(async () => {
  await t.close();
  await processor.close();
});

const anybody = { key: null };
const payField = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
const linkField = 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';
const statusOf = async (id: string): Promise<unknown> =>
  (await shop.rest('GET', `/subscriptions/${id}`)).body['status'];

type Balance = { pending: number; available: number; inTransit: number };
const balance = async (): Promise<Balance> =>
  (
    await t.graphql<{ payoutBalance: Balance }>(
      '{ payoutBalance { pending available inTransit } }',
      {},
      { key: shop.key },
    )
  ).payoutBalance;

type Upcoming = { availableAt: string; amount: number };
const upcoming = async (): Promise<Upcoming[]> =>
  (
    await t.graphql<{ payoutBalance: { upcoming: Upcoming[] } }>(
      '{ payoutBalance { upcoming { availableAt amount } } }',
      {},
      { key: shop.key },
    )
  ).payoutBalance.upcoming;

describe('an unverified organization (PAY-38)', () => {
  test.each([
    ['card details entered at Quittance', (token: string | null) => payment(token)],
    ['a payment method of the provider', (token: string | null) => ({ token, paymentMethod: method })],
  ])('rejects %s at checkouts and payment links, and changes nothing', async (_which, inputOf) => {
    const { id, token } = await createSubscription(shop);
    expect(await rejection(t, payField, { input: inputOf(token) }, anybody)).toMatchObject({
      code: 'provider_unsupported',
      status: 409,
    });
    expect(await statusOf(id)).toBe('pending_payment');
    const link = await createPayment(shop);
    const input = { ...inputOf(link.token), email: 'live@payer.test' };
    expect(await rejection(t, linkField, { input }, anybody)).toMatchObject({
      code: 'provider_unsupported',
      status: 409,
    });
    expect(processor.calls).toEqual([]);
  });

  test('can charge through connected accounts', async () => {
    await connectStripe(shop, { secretKey: 'sk_live_1', publishableKey: 'pk_live_1' });
    const { id, token } = await createSubscription(shop);
    const input = { token, paymentMethod: stripeMethods.pays };
    expect(await t.graphql(payField, { input }, anybody)).toEqual({ checkoutPay: { status: 'paid' } });
    expect(await statusOf(id)).toBe('active');
    expect(await balance()).toEqual({ pending: 0, available: 0, inTransit: 0 });
  });
});

describe('a verified organization', () => {
  beforeEach(() => openPayouts(shop, 0n));

  test('can charge a payment method stored at the provider and pay out the amount (PAY-35 … PAY-37)', async () => {
    const { id, token } = await createSubscription(shop, { price: 1_900 });
    expect(await t.graphql(payField, { input: { token, paymentMethod: method } }, anybody)).toEqual({
      checkoutPay: { status: 'paid' },
    });
    expect(await balance()).toEqual({ pending: 1_900, available: 0, inTransit: 0 });
    // The amount is pending for seven days, and is released at the following midnight.
    expect(await upcoming()).toEqual([{ availableAt: '2027-03-09T00:00:00.000Z', amount: 1_900 }]);
    wall.set('2027-03-08T10:00:00.000Z');
    expect(await balance()).toMatchObject({ pending: 1_900, available: 0 });
    wall.set('2027-03-09T00:00:00.000Z');
    await eventually(async () => (await balance()).available > 0);
    expect(await balance()).toEqual({ pending: 0, available: 1_900, inTransit: 0 });
    expect(await upcoming()).toEqual([]);
    const made = await shop.rest<{ id: string }>('POST', '/payouts', { amount: 1_900 });
    await eventually(async () => processor.bank.made.has(made.body.id));
    processor.bank.decides(made.body.id, { status: 'paid' });
    wall.set('2027-03-09T00:01:00.000Z');
    await eventually(async () => (await balance()).inTransit === 0);
    expect(await balance()).toEqual({ pending: 0, available: 0, inTransit: 0 });
    // The renewal charges the same payment method off-session.
    wall.set('2027-04-01T10:00:00.000Z');
    await eventually(async () => (await balance()).pending === 1_900);
    expect(await statusOf(id)).toBe('active');
    const requested = [...processor.made.values()].filter(
      ({ methodReference }) => methodReference === method,
    );
    expect(requested.map(({ kind, amountMinor, status }) => [kind, amountMinor, status])).toEqual([
      ['charge', '1900', 'settled'],
      ['charge', '1900', 'settled'],
    ]);
    const { ledgerVerify } = await t.graphql('{ ledgerVerify { ok } }', {}, { key: shop.key });
    expect(ledgerVerify).toEqual({ ok: true });
  });

  test('accepts a payment method stored at the provider for a payment link, even after a declined payment', async () => {
    const link = await createPayment(shop);
    const input = { token: link.token, paymentMethod: method, email: 'live@payer.test' };
    processor.plays('declines', 'settles');
    const { errors } = await t.graphqlFailure(linkField, { input }, anybody);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'payment_failed',
      details: { declineCode: 'card_declined' },
    });
    expect(await t.graphql(linkField, { input }, anybody)).toEqual({ paymentLinkPay: { status: 'paid' } });
  });

  test("rejects payment methods that the provider doesn't know, and card details entered at Quittance", async () => {
    const { token } = await createSubscription(shop);
    expect(
      await rejection(t, payField, { input: { token, paymentMethod: 'pm_unknown' } }, anybody),
    ).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'paymentMethod' }],
    });
    expect(await rejection(t, payField, { input: payment(token) }, anybody)).toMatchObject({
      code: 'provider_unsupported',
    });
    const link = await createPayment(shop);
    const input = { token: link.token, paymentMethod: 'pm_unknown', email: 'nobody@payer.test' };
    expect(await rejection(t, linkField, { input }, anybody)).toMatchObject({ code: 'validation_error' });
  });
});
