import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import { advanceDays, type MadeSubscription, openPortal } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { openStripe, type StripeServer, stripeMethods } from '../support/stripe.ts';
import { StripeShop } from '../support/stripe-shop.ts';

// Card authentication outside a checkout with a Stripe account. Stripe decides the outcome, and abandoned authentications are canceled at Stripe.

const began = '2027-01-31T09:30:00.000Z';
const wall = new MovableClock(began);
let stripe: StripeServer;
let t: TestApp;
let own: StripeShop;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ wall, env: { STRIPE_URL: stripe.url, WORKER_POLL_MS: '100' } });
});
beforeEach(async () => {
  wall.set(began);
  own = await StripeShop.open({ t, stripe, wall });
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});

type Page = {
  status: string;
  authentication: { amount: number; publishableKey: string; clientSecret: string } | null;
};
const shown = 'status authentication { amount publishableKey clientSecret }';

async function ask(field: string, input: Readonly<Record<string, string | boolean>>): Promise<Page | string> {
  const text = `mutation ($input: ${field.charAt(0).toUpperCase()}${field.slice(1)}Input!) { page: ${field}(input: $input) { ${shown} } }`;
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, variables: { input } }),
  });
  const { data, errors } = (await response.json()) as {
    data?: { page: Page };
    errors?: { extensions: { code: string } }[];
  };
  return errors?.[0]?.extensions.code ?? data?.page ?? 'nothing';
}

const last = (prefix: 'pi' | 'seti') => String(own.own(prefix).at(-1)?.['id']);
const statuses = (prefix: 'pi' | 'seti') => own.own(prefix).map(({ status }) => status);

/** Creates a subscriber whose renewal was declined. Returns the token of the recovery page. */
async function pastDue(): Promise<MadeSubscription & { readonly page: string }> {
  const made = await own.active(stripeMethods.declinesLater);
  expect(await advanceDays(own.shop, 28)).toBe('completed');
  expect(await own.statusOf(made.id)).toBe('past_due');
  const { body } = await own.shop.rest<{ token: string }>('POST', `/subscriptions/${made.id}/recovery-links`);
  return { ...made, page: body.token };
}
const waiting = (prefix: 'pi' | 'seti', amount: number) => ({
  amount,
  publishableKey: 'pk_test_1',
  clientSecret: `${last(prefix)}_secret`,
});

describe('an authentication on the recovery page', () => {
  it("follows Stripe's outcome even if the page reports success earlier, and charges once", async () => {
    const { id, page: token } = await pastDue();
    const provided = await ask('recoveryPay', { token, paymentMethod: stripeMethods.authenticates });
    expect(provided).toEqual({ status: 'open', authentication: waiting('pi', 4_900) });
    // The page reports completion, but Stripe is still waiting.
    const early = await ask('recoveryAuthenticate', { token, succeed: true });
    expect(early).toEqual({ status: 'open', authentication: waiting('pi', 4_900) });
    stripe.authenticates(last('pi'), true);
    const paid = { status: 'paid', authentication: null };
    expect(await ask('recoveryAuthenticate', { token, succeed: true })).toEqual(paid);
    expect(await own.statusOf(id)).toBe('active');
    expect(await ask('recoveryAuthenticate', { token, succeed: true })).toBe('payment_not_found');
    expect(statuses('pi')).toEqual(['succeeded', 'requires_payment_method', 'succeeded']);
    expect(await own.attempts()).toEqual(['succeeded', 'failed', 'succeeded']);
    expect(await own.ledger()).toEqual({ ok: true, mismatches: [] });
  });

  it('is canceled at Stripe if it fails or is abandoned, so the payer can use another card', async () => {
    const { id, page: token } = await pastDue();
    await ask('recoveryPay', { token, paymentMethod: stripeMethods.authenticates });
    expect(await ask('recoveryAuthenticate', { token, succeed: false })).toBe('charge_failed');
    await ask('recoveryPay', { token, paymentMethod: stripeMethods.authenticates });
    expect(await ask('recoveryPay', { token, paymentMethod: stripeMethods.pays })).toEqual({
      status: 'paid',
      authentication: null,
    });
    expect(statuses('pi')).toEqual([
      'succeeded',
      'requires_payment_method',
      'canceled',
      'canceled',
      'succeeded',
    ]);
    expect(await own.statusOf(id)).toBe('active');
    expect(await own.ledger()).toEqual({ ok: true, mismatches: [] });
  });

  it("completes the payment if it succeeds in another window before the payer submits another card, which isn't charged", async () => {
    const { id, page: token } = await pastDue();
    await ask('recoveryPay', { token, paymentMethod: stripeMethods.authenticates });
    stripe.authenticates(last('pi'), true);
    expect(await ask('recoveryPay', { token, paymentMethod: stripeMethods.pays })).toEqual({
      status: 'paid',
      authentication: null,
    });
    expect(statuses('pi')).toEqual(['succeeded', 'requires_payment_method', 'succeeded']);
    expect(await own.statusOf(id)).toBe('active');
  });

  it("is completed by Stripe's webhook if the payer never returns to the page", async () => {
    const { id, page: token } = await pastDue();
    await ask('recoveryPay', { token, paymentMethod: stripeMethods.authenticates });
    stripe.authenticates(last('pi'), true);
    expect(await own.emit('payment_intent.succeeded', stripe.rows.get(last('pi')))).toBe(200);
    expect(await own.statusOf(id)).toBe('active');
    expect(await ask('recoveryAuthenticate', { token, succeed: true })).toBe('payment_not_found');
  });
});

it('a card that requires authentication is stored in the portal and on the payment method page after Stripe confirms it', async () => {
  const { id, customerId } = await own.active();
  const token = await openPortal(own.shop, customerId);
  const provided = await ask('portalPaymentMethodStore', {
    token,
    paymentMethod: stripeMethods.authenticates,
  });
  expect(provided).toEqual({ status: 'active', authentication: waiting('seti', 0) });
  stripe.authenticates(last('seti'), true);
  expect(await ask('portalCardAuthenticate', { token, succeed: true })).toEqual({
    status: 'active',
    authentication: null,
  });
  const { body } = await own.shop.rest<{ checkoutUrl: string }>(
    'POST',
    `/subscriptions/${id}/payment-method/update`,
    {},
  );
  const page = body.checkoutUrl.split('/').at(-1) ?? '';
  const again = await ask('paymentMethodStore', { token: page, paymentMethod: stripeMethods.authenticates });
  expect(again).toEqual({ status: 'open', authentication: waiting('seti', 0) });
  expect(await ask('paymentMethodAuthenticate', { token: page, succeed: false })).toBe('charge_failed');
  expect(statuses('seti')).toEqual(['succeeded', 'canceled']);
  expect((await own.events()).filter((kind) => kind === 'payment_method.updated')).toHaveLength(1);
});
