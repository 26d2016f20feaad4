import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rejection } from '../../../support/refusals.ts';
import {
  authenticatingCard,
  checkoutPay,
  declinedCard,
  goodCard,
  openShop,
  type Shop,
} from '../../subscriptions/subscriptions/shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const query = `query ($token: String!) { checkout(token: $token) { status kind nextStep organizationName customerEmail name planName
  planDescription billingInterval currency currencyDecimals price lineItems { description amount } discountAmount taxAmount amountDue
  trialDays trialEndsAt successUrl livemode } }`;
const authenticate =
  'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status subscription { status } } }';

const anybody = { key: null };

const opened = async (more: Record<string, unknown> = {}) => {
  const made = await shop.subscribe({ customerId: await shop.customer(), planId: shop.proId, ...more });
  return { id: made.id, token: shop.tokenOf(made) };
};
const shown = async (token: string) =>
  (await shop.graphql<{ checkout: Record<string, unknown> }>(query, { token }, anybody)).checkout;
const statusOf = async (id: string) =>
  (
    await shop.graphql<{ subscription: { status: string } }>(
      'query ($id: ID!) { subscription(id: $id) { status } }',
      { id },
    )
  ).subscription.status;

describe('a checkout', () => {
  it('shows the purchase and the amount due without an API key', async () => {
    const { token } = await opened({ name: 'Team plan', successUrl: 'https://shop.example/thanks' });
    expect(await shown(token)).toEqual({
      status: 'open',
      kind: 'payment',
      nextStep: 'pay',
      organizationName: 'Test organization',
      customerEmail: expect.stringMatching(/^person\d+@example\.com$/),
      name: 'Team plan',
      planName: 'Pro',
      planDescription: null,
      billingInterval: 'monthly',
      currency: 'usd',
      currencyDecimals: 2,
      price: 3400,
      lineItems: [{ description: expect.any(String), amount: 3400 }],
      discountAmount: 0,
      taxAmount: 0,
      amountDue: 3400,
      trialDays: 0,
      trialEndsAt: null,
      successUrl: 'https://shop.example/thanks',
      livemode: false,
    });
  });

  it('completes with a valid card, and then rejects another payment', async () => {
    const { id, token } = await opened();
    expect(await shop.graphql(checkoutPay, { input: { token, card: goodCard } }, anybody)).toEqual({
      checkoutPay: { status: 'paid', subscription: { id, status: 'active' } },
    });
    expect(await shown(token)).toMatchObject({
      status: 'paid',
      nextStep: 'none',
      amountDue: 0,
      lineItems: [],
    });
    expect(await rejection(shop, checkoutPay, { input: { token, card: goodCard } }, anybody)).toMatchObject({
      code: 'invalid_subscription_status',
      status: 409,
    });
  });

  it('stores a card for a trial, and charges nothing', async () => {
    const { id, token } = await opened({ planId: shop.trialId });
    expect(await shown(token)).toMatchObject({
      kind: 'setup',
      amountDue: 0,
      lineItems: [],
      trialDays: 10,
      price: 2000,
      trialEndsAt: null,
    });
    expect(await shop.pay(token)).toMatchObject({ status: 'paid' });
    expect(await statusOf(id)).toBe('trialing');
    expect(await shown(token)).toMatchObject({
      status: 'paid',
      nextStep: 'none',
      trialEndsAt: '2026-04-10T00:00:00.000Z',
    });
  });

  it('stays open after a declined charge, which is recorded as one failed transaction', async () => {
    const { id, token } = await opened();
    const { errors } = await shop.graphqlFailure(
      checkoutPay,
      { input: { token, card: declinedCard } },
      anybody,
    );
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'charge_failed',
      status: 402,
      details: { declineCode: 'card_declined' },
    });
    const operation =
      'query ($id: ID!) { subscription(id: $id) { status invoices { edges { node { status transactions { status declineCode } } } } } }';
    expect(await shop.graphql(operation, { id })).toEqual({
      subscription: {
        status: 'pending_payment',
        invoices: {
          edges: [
            {
              node: {
                status: 'outstanding',
                transactions: [{ status: 'failed', declineCode: 'card_declined' }],
              },
            },
          ],
        },
      },
    });
    expect(await shown(token)).toMatchObject({ status: 'open', nextStep: 'pay', amountDue: 3400 });
    expect(await shop.pay(token)).toMatchObject({ status: 'paid' });
  });

  it("stores the payer's address and tax ID", async () => {
    const customerId = await shop.customer();
    const made = await shop.subscribe({ customerId, planId: shop.proId });
    const billingAddress = {
      line1: '1 Main Street',
      city: 'Springfield',
      postalCode: '12345',
      country: 'US',
      state: 'IL',
    };
    await shop.pay(shop.tokenOf(made), goodCard, {
      billingAddress,
      taxDocument: '12-3456789',
      promoCode: null,
    });
    const operation =
      'query ($id: ID!) { customer(id: $id) { taxDocument documentType address { line1 line2 city state postalCode country } } }';
    expect(await shop.graphql(operation, { id: customerId })).toEqual({
      customer: {
        taxDocument: '12-3456789',
        documentType: 'EIN',
        address: { ...billingAddress, line2: null },
      },
    });
  });
});

describe('a checkout with a card that requires authentication', () => {
  it('charges the card after the payer authenticates', async () => {
    const { id, token } = await opened();
    expect(await shop.pay(token, authenticatingCard)).toMatchObject({ status: 'requires_action' });
    expect(await statusOf(id)).toBe('pending_payment');
    expect(await shown(token)).toMatchObject({ status: 'open', nextStep: 'authenticate' });
    expect(await shop.graphql(authenticate, { input: { token, succeed: true } }, anybody)).toEqual({
      checkoutAuthenticate: { status: 'paid', subscription: { status: 'active' } },
    });
    expect(await shown(token)).toMatchObject({ status: 'paid', nextStep: 'none' });
  });

  it('declines the payment if the authentication fails, and accepts another card', async () => {
    const { token } = await opened();
    await shop.pay(token, authenticatingCard);
    const { errors } = await shop.graphqlFailure(authenticate, { input: { token, succeed: false } }, anybody);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'charge_failed',
      details: { declineCode: 'authentication_failed' },
    });
    expect(await shown(token)).toMatchObject({ status: 'open', nextStep: 'pay' });
    expect(await shop.pay(token)).toMatchObject({ status: 'paid' });
  });

  it("rejects an authentication that isn't pending", async () => {
    const { token } = await opened();
    expect(await rejection(shop, authenticate, { input: { token, succeed: true } }, anybody)).toMatchObject({
      code: 'payment_not_found',
    });
  });
});

describe('checkout validation', () => {
  it('rejects an unknown promo code', async () => {
    const { token } = await opened();
    expect(
      await rejection(shop, checkoutPay, { input: { token, card: goodCard, promoCode: 'SPRING' } }, anybody),
    ).toMatchObject({
      code: 'promo_code_not_found',
      status: 404,
      param: 'promoCode',
    });
  });

  it('reports all problems with a card in one response', async () => {
    const { token } = await opened();
    const card = { number: '4242 4242 4242 4241', expMonth: 13, expYear: 2020, cvc: '1' };
    const { code, details } = await rejection(shop, checkoutPay, { input: { token, card } }, anybody);
    expect(code).toBe('validation_error');
    expect((details as { field: string }[]).map(({ field }) => field)).toEqual([
      'card.number',
      'card.expMonth',
      'card.cvc',
    ]);
  });

  it('rejects a token that was altered or issued for another page', async () => {
    const { token } = await opened();
    for (const wrong of ['', 'nonsense', `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`]) {
      const { errors } = await shop.graphqlFailure(query, { token: wrong }, anybody);
      expect(errors[0]?.extensions).toMatchObject({ code: 'unauthorized', status: 401 });
    }
  });

  it('rejects all other operations with a checkout token', async () => {
    const { id, token } = await opened();
    const bearer = { key: null, headers: { authorization: `Bearer ${token}` } };
    for (const operation of [
      '{ customers { edges { cursor } } }',
      `{ subscription(id: "${id}") { id } }`,
      '{ events { edges { cursor } } }',
    ])
      expect(await rejection(shop, operation, {}, bearer)).toMatchObject({ code: 'unauthorized' });
  });
});
