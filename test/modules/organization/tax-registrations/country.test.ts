import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cards,
  connectStripe,
  createCustomer,
  createPayment,
  createPricedPlan,
  otherShop,
  payment,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { stripeMethods } from '../../../support/stripe.ts';

// If a merchant has a tax registration, hosted pages require the payer's country. They require no other part of the address (BIL-20).

const checkoutPay = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
const linkPay =
  'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status paymentLink { taxAmount amountTotal } } }';
const rejected = {
  code: 'validation_error',
  status: 400,
  message: 'The country of the billing address is required to calculate tax.',
  param: 'billingAddress.country',
  details: [
    {
      field: 'billingAddress.country',
      message: 'The country of the billing address is required to calculate tax.',
    },
  ],
};
const anonymous = { key: null };
const german = { billingAddress: { country: 'DE' } };

let t: TestApp;
let shop: Shop;
let planId: string;
const register = (country: string) =>
  t.graphql(
    `mutation { taxRegistrationCreate(input: { country: "${country}" }) { id } }`,
    {},
    { key: shop.key },
  );
const isRequired = async (page: 'checkout' | 'paymentLink', token: string | null): Promise<boolean> => {
  const query = `query ($token: String!) { shown: ${page}(token: $token) { requiresBillingCountry } }`;
  return (await t.graphql<{ shown: { requiresBillingCountry: boolean } }>(query, { token }, anonymous)).shown
    .requiresBillingCountry;
};
const open = async (country?: string) =>
  (await subscribeTo(shop, (await createCustomer(shop, country)).id, planId)).token;
const paid = (token: string | null, typed: object = {}) =>
  t.graphql<{ checkoutPay: { status: string } }>(
    checkoutPay,
    { input: { ...payment(token), ...typed } },
    anonymous,
  );

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

describe('an organization without a tax registration', () => {
  it("doesn't require a country on hosted pages", async () => {
    shop = await otherShop(t, 'Unregistered');
    planId = (await createPricedPlan(shop)).id;
    const token = await open();
    expect(await isRequired('checkout', token)).toBe(false);
    expect((await paid(token)).checkoutPay.status).toBe('paid');
    const link = await createPayment(shop);
    expect(await isRequired('paymentLink', link.token)).toBe(false);
  });
});

describe('an organization with a tax registration', () => {
  beforeAll(async () => {
    shop = await otherShop(t, 'Registered');
    planId = (await createPricedPlan(shop, { price: 4_900 })).id;
    await register('DE');
  });

  it('rejects cards at checkout until the country is known, and changes nothing', async () => {
    const token = await open();
    expect(await isRequired('checkout', token)).toBe(true);
    for (const number of [cards.pays, cards.declines, cards.authenticates]) {
      expect(await rejection(t, checkoutPay, { input: payment(token, number) }, anonymous)).toEqual(rejected);
    }
    const taxDocument = { ...payment(token), taxDocument: 'FR40303265045' };
    expect(await rejection(t, checkoutPay, { input: taxDocument }, anonymous)).toEqual(rejected);
    expect((await paid(token, german)).checkoutPay.status).toBe('paid');
    const { invoices } = await t.graphql<{ invoices: { edges: { node: object }[] } }>(
      '{ invoices(first: 2) { edges { node { status taxAmount total } } } }',
      {},
      { key: shop.key },
    );
    // 19% tax on 49.00 is 9.31.
    expect(invoices.edges.map(({ node }) => node)).toEqual([
      { status: 'paid', taxAmount: 931, total: 5_831 },
    ]);
  });

  it("stores the country in the customer's address, and doesn't ask for it again", async () => {
    const { id } = await createCustomer(shop);
    const first = await subscribeTo(shop, id, planId);
    await paid(first.token, german);
    const query = 'query ($id: ID!) { customer(id: $id) { address { line1 city postalCode country } } }';
    const { customer } = await t.graphql<{ customer: object }>(query, { id }, { key: shop.key });
    expect(customer).toEqual({ address: { line1: '', city: '', postalCode: '', country: 'DE' } });
    const { token } = await createPayment(shop, { customerId: id });
    expect(await isRequired('paymentLink', token)).toBe(false);
    expect(await t.graphql(linkPay, { input: payment(token) }, anonymous)).toEqual({
      paymentLinkPay: { status: 'paid', paymentLink: { taxAmount: 798, amountTotal: 4_998 } },
    });
  });

  it('charges a customer whose country is known without requiring the country in the request', async () => {
    const token = await open('NO');
    expect(await isRequired('checkout', token)).toBe(false);
    expect((await paid(token)).checkoutPay.status).toBe('paid');
  });

  it('requires the country for a free trial because a charge follows', async () => {
    const { id } = await createCustomer(shop);
    const { body } = await shop.rest<{ checkoutUrl: string }>('POST', '/subscriptions', {
      customerId: id,
      planId,
      customTrialDays: 14,
    });
    const token = body.checkoutUrl.split('/').at(-1) ?? '';
    expect(await rejection(t, checkoutPay, { input: payment(token) }, anonymous)).toEqual(rejected);
    expect((await paid(token, german)).checkoutPay.status).toBe('paid');
  });

  it('creates no customer for a payment link until the country is known', async () => {
    const { token } = await createPayment(shop);
    const input = { ...payment(token), email: 'somebody@payer.test' };
    expect(await isRequired('paymentLink', token)).toBe(true);
    expect(await rejection(t, linkPay, { input }, anonymous)).toEqual(rejected);
    // 19% tax on 42.00 is 7.98.
    expect(await t.graphql(linkPay, { input: { ...input, ...german } }, anonymous)).toEqual({
      paymentLinkPay: { status: 'paid', paymentLink: { taxAmount: 798, amountTotal: 4_998 } },
    });
    // If the payer's email address identifies a customer, the payer doesn't have to enter the country again.
    const { token: next } = await createPayment(shop);
    expect(
      await t.graphql(linkPay, { input: { ...payment(next), email: 'somebody@payer.test' } }, anonymous),
    ).toMatchObject({
      paymentLinkPay: { status: 'paid' },
    });
  });

  it('requires the country for a payment link if its customer has no country', async () => {
    const { id: customerId } = await createCustomer(shop);
    const { token } = await createPayment(shop, { customerId });
    expect(await rejection(t, linkPay, { input: payment(token, cards.authenticates) }, anonymous)).toEqual(
      rejected,
    );
    expect(
      await t.graphql(
        linkPay,
        { input: { ...payment(token), billingAddress: { country: 'NO' } } },
        anonymous,
      ),
    ).toEqual({
      paymentLinkPay: { status: 'paid', paymentLink: { taxAmount: 0, amountTotal: 4_200 } },
    });
  });

  it('sends no card to a connected account until the country is known', async () => {
    await connectStripe(shop);
    const [token, link] = [await open(), await createPayment(shop)];
    expect(
      await rejection(t, checkoutPay, { input: { token, paymentMethod: stripeMethods.pays } }, anonymous),
    ).toEqual(rejected);
    const input = { token: link.token, paymentMethod: stripeMethods.pays, email: 'card@payer.test' };
    expect(await rejection(t, linkPay, { input }, anonymous)).toEqual(rejected);
  });
});
