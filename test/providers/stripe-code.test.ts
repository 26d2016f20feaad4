import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { made } from '../support/factories/shop.ts';
import { createPayment, createPricedPlan, type MadeSubscription, subscribeTo } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { booksBalance, outcomeOf } from '../support/links.ts';
import { openStripe, type StripeServer, stripeMethods } from '../support/stripe.ts';
import { StripeShop } from '../support/stripe-shop.ts';

// Payments through an organization's Stripe account with a stored card and its security code (PAY-41). The payment is captured only if the
// code is correct.

let stripe: StripeServer;
let t: TestApp;
let own: StripeShop;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ env: { STRIPE_URL: stripe.url, CHARGE_TIMEOUT_MS: '1000' } });
  own = await StripeShop.open({ t, stripe, wall: { now: () => new Date() } }, 'live');
});
afterAll(async () => {
  await booksBalance(own.shop);
  await t.close();
  await stripe.close();
});

type Saved = { paymentMethodId: string; publishableKey: string | null; codesLeft: number } | null;

const anonymous = { key: null };
const shown = 'savedMethod { paymentMethodId publishableKey codesLeft }';

const savedAt = async (root: 'checkout' | 'paymentLink', token: string | null): Promise<Saved> =>
  (
    await t.graphql<{ page: { savedMethod: Saved } }>(
      `query ($token: String!) { page: ${root}(token: $token) { ${shown} } }`,
      { token },
      anonymous,
    )
  ).page.savedMethod;

/** Returns a token, as Stripe's security code field does. */
async function tokenOf(cvc: string): Promise<string> {
  const body = new URLSearchParams({ 'cvc_update[cvc]': cvc });
  const response = await fetch(`${stripe.url}/v1/tokens`, { method: 'POST', body });
  return ((await response.json()) as { id: string }).id;
}

/** Creates a customer with a card stored at Stripe, and an open checkout. */
async function comeBack(price = {}, method: string = stripeMethods.pays): Promise<MadeSubscription> {
  const { id, customerId } = await own.active(method);
  await made(own.shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true }));
  return subscribeTo(own.shop, customerId, (await createPricedPlan(own.shop, price)).id);
}

const payText = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';

/** Pays a checkout with the stored card and returns the result. */
async function payBy(token: string | null, cvc: string, id?: string): Promise<string> {
  const paymentMethodId = id ?? (await savedAt('checkout', token))?.paymentMethodId ?? 'pm_none';
  return outcomeOf(
    t.graphql(payText, { input: { token, savedMethod: { paymentMethodId, cvc } } }, anonymous),
  );
}

const declines = async (customerId: string) =>
  (
    await t.app.database.query<{ as: string }>(
      'SELECT coalesce("declineCode", status::text) AS "as" FROM "Transaction" WHERE "environmentId" = $1 AND "customerId" = $2 ORDER BY seq',
      [own.shop.environmentId, customerId],
    )
  ).map((row) => row.as);

const statuses = (): unknown[] => own.own('pi').map(({ status }) => status);

describe('a card stored in a Stripe account', () => {
  it('pays a checkout with its security code, and the payment is captured once Stripe confirms the code', async () => {
    const { token, customerId } = await comeBack();
    expect(await savedAt('checkout', token)).toEqual({
      paymentMethodId: expect.stringMatching(/^pm_/),
      publishableKey: 'pk_live_1',
      codesLeft: 3,
    });
    expect(await payBy(token, await tokenOf('123'))).toBe('paid');
    expect(own.own('pi').at(-1)).toMatchObject({
      status: 'succeeded',
      capture_method: 'manual',
      payment_method: stripeMethods.pays,
      amount: 4_900,
    });
    expect(await declines(customerId)).toEqual(['succeeded', 'succeeded']);
    const stored = await t.app.database.query(
      'SELECT 1 FROM "PaymentMethod" WHERE "environmentId" = $1 AND "customerId" = $2',
      [own.shop.environmentId, customerId],
    );
    expect(stored).toHaveLength(1);
  });

  it("isn't charged if the code is wrong, and isn't offered again after 3 wrong codes", async () => {
    const { token, customerId } = await comeBack();
    const id = (await savedAt('checkout', token))?.paymentMethodId;
    for (const left of [2, 1, null]) {
      const before = statuses().length;
      expect(await payBy(token, await tokenOf('000'))).toBe('charge_failed');
      expect(statuses().slice(before)).toEqual(['canceled']);
      expect((await savedAt('checkout', token))?.codesLeft ?? null).toBe(left);
    }
    const before = statuses().length;
    expect(await payBy(token, await tokenOf('123'), id)).toBe('payment_method_not_found');
    expect(statuses()).toHaveLength(before);
    expect(await own.pay(token)).toBe('paid');
    expect(await declines(customerId)).toEqual([
      'succeeded',
      'incorrect_cvc',
      'incorrect_cvc',
      'incorrect_cvc',
      'succeeded',
    ]);
  });

  it("isn't charged if the issuer didn't check the code, and no attempt is counted", async () => {
    const { token, customerId } = await comeBack();
    expect(await payBy(token, await tokenOf('999'))).toBe('charge_failed');
    expect(statuses().at(-1)).toBe('canceled');
    expect(await declines(customerId)).toEqual(['succeeded', 'cvc_not_checked']);
    expect((await savedAt('checkout', token))?.codesLeft).toBe(3);
  });

  it("rejects a code that isn't a token, and counts a used or unknown token as a wrong code", async () => {
    const { token } = await comeBack();
    const before = stripe.calls.length;
    expect(await payBy(token, '123')).toBe('validation_error');
    expect(stripe.calls.slice(before)).toEqual([]);
    const code = await tokenOf('000');
    expect(await payBy(token, code)).toBe('charge_failed');
    for (const left of [1, null]) {
      const made = statuses().length;
      expect(await payBy(token, left === 1 ? code : 'cvctok_unknown')).toBe('charge_failed');
      expect(statuses()).toHaveLength(made);
      expect((await savedAt('checkout', token))?.codesLeft ?? null).toBe(left);
    }
  });

  it("is charged only with the correct code if Stripe's response was lost and its webhook reports the payment", async () => {
    for (const [cvc, ends, became] of [
      ['123', 'succeeded', 'paid'],
      ['000', 'canceled', 'open'],
    ] as const) {
      const { token } = await comeBack();
      stripe.fails('/v1/payment_intents', 'goes silent');
      expect(await payBy(token, await tokenOf(cvc))).toBe('charge_in_progress');
      const intent = own.own('pi').at(-1);
      expect(intent).toMatchObject({ status: 'requires_capture' });
      expect(await own.emit('payment_intent.amount_capturable_updated', intent)).toBe(200);
      expect(intent).toMatchObject({ status: ends });
      const { checkout } = await t.graphql<{ checkout: { status: string } }>(
        'query ($token: String!) { checkout(token: $token) { status } }',
        { token },
        anonymous,
      );
      expect(checkout.status).toBe(became);
    }
  });

  it('pays after an authentication, but only with the correct code', async () => {
    const confirm =
      'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }';
    for (const [cvc, outcome, ends] of [
      ['123', 'paid', 'succeeded'],
      ['000', 'charge_failed', 'canceled'],
    ] as const) {
      const { token } = await comeBack();
      await t.app.database.query(
        `UPDATE "PaymentMethod" SET reference = replace(reference, $2, $3) WHERE "environmentId" = $1`,
        [own.shop.environmentId, stripeMethods.pays, stripeMethods.authenticates],
      );
      expect(await payBy(token, await tokenOf(cvc))).toBe('requires_action');
      stripe.changes(String(own.own('pi').at(-1)?.['id']), { status: 'requires_confirmation' });
      expect(await outcomeOf(t.graphql(confirm, { input: { token, succeed: true } }, anonymous))).toBe(
        outcome,
      );
      expect(statuses().at(-1)).toBe(ends);
    }
  });

  it("pays a payment link, but isn't offered for a trial, below the minimum charge, with stored cards turned off, or on another account", async () => {
    const { customerId } = await comeBack();
    const { token } = await createPayment(own.shop, { customerId });
    const saved = await savedAt('paymentLink', token);
    const input = {
      token,
      savedMethod: { paymentMethodId: saved?.paymentMethodId, cvc: await tokenOf('123') },
    };
    expect(
      await outcomeOf(
        t.graphql(
          'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }',
          { input },
          anonymous,
        ),
      ),
    ).toBe('paid');
    expect(own.own('pi').at(-1)).toMatchObject({ status: 'succeeded', amount: 4_200 });
    // A total below the minimum isn't charged, but the security code can be checked only with a charge.
    const small = await createPayment(own.shop, { customerId, amount: 49 });
    expect(await savedAt('paymentLink', small.token)).toBe(null);
    const least = await createPayment(own.shop, { customerId, amount: 50 });
    expect(await savedAt('paymentLink', least.token)).toMatchObject({ codesLeft: 3 });

    expect(await savedAt('checkout', (await comeBack({ trialDays: 14 })).token)).toBe(null);
    const set = (on: boolean) => t.settings({ checkout: { savedCards: on } }, own.shop.environmentId);
    const { token: open } = await comeBack();
    await set(false);
    expect(await savedAt('checkout', open)).toBe(null);
    expect(await payBy(open, await tokenOf('123'), saved?.paymentMethodId)).toBe('payment_method_not_found');
    await set(true);
    expect(await savedAt('checkout', open)).toMatchObject({ codesLeft: 3 });
    await t.app.database.query(
      `UPDATE "PaymentMethod" SET reference = 'con_other' || substr(reference, strpos(reference, '/')) WHERE "environmentId" = $1`,
      [own.shop.environmentId],
    );
    expect(await savedAt('checkout', open)).toBe(null);
  });
});
