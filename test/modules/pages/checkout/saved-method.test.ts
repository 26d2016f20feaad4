import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { made } from '../../../support/factories/shop.ts';
import {
  beginPurchase,
  cards,
  createActiveSubscription,
  createCustomer,
  createPayment,
  createPricedPlan,
  createPricingTable,
  firstShop,
  type MadeSubscription,
  openPortal,
  pay,
  payLink,
  payment,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { outcomeOf } from '../../../support/links.ts';
import { rejection } from '../../../support/refusals.ts';

// Stored cards at a checkout and on a payment link, which anyone with the URL can open (PAY-41).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(async () => {
  const { ledgerVerify } = await t.graphql('{ ledgerVerify { ok mismatches { account } } }');
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
  await t.close();
});

type Body = Record<string, unknown>;
type Saved = { readonly paymentMethodId: string; readonly last4: string; readonly codesLeft: number } | null;

const anonymous = { key: null };
const shown = 'savedMethod { paymentMethodId brand last4 expMonth expYear codesLeft }';

const atCheckout = async (token: string | null): Promise<Saved> =>
  (
    await t.graphql<{ checkout: { savedMethod: Saved } }>(
      `query ($token: String!) { checkout(token: $token) { ${shown} } }`,
      { token },
      anonymous,
    )
  ).checkout.savedMethod;

const atLink = async (token: string): Promise<Saved> =>
  (
    await t.graphql<{ paymentLink: { savedMethod: Saved } }>(
      `query ($token: String!) { paymentLink(token: $token) { ${shown} } }`,
      { token },
      anonymous,
    )
  ).paymentLink.savedMethod;

const payText = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
const payLinkText = 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';

/** Pays an open checkout with a stored card and returns the result. */
const payBy = (token: string | null, id: string, cvc = '123', more: Body = {}): Promise<string> =>
  outcomeOf(
    t.graphql(payText, { input: { token, savedMethod: { paymentMethodId: id, cvc }, ...more } }, anonymous),
  );

const payLinkBy = (token: string, id: string, cvc = '123'): Promise<string> =>
  outcomeOf(
    t.graphql(payLinkText, { input: { token, savedMethod: { paymentMethodId: id, cvc } } }, anonymous),
  );

/** Returns a customer's charges and number of stored cards. */
async function chargesAndCards(customerId: string) {
  const { database } = t.app;
  const parameters = [shop.environmentId, customerId];
  const charges = await database.query<{ amountMinor: bigint; status: string; declineCode: string | null }>(
    'SELECT "amountMinor", status, "declineCode" FROM "Transaction" WHERE "environmentId" = $1 AND "customerId" = $2 ORDER BY seq',
    parameters,
  );
  const stored = await database.query(
    'SELECT 1 FROM "PaymentMethod" WHERE "environmentId" = $1 AND "customerId" = $2',
    parameters,
  );
  return {
    charges: charges.map(({ amountMinor, status, declineCode }) => [
      Number(amountMinor),
      declineCode ?? status,
    ]),
    cards: stored.length,
  };
}

/** Creates a returning customer with a stored card and a checkout. */
async function returningCustomer(
  card: string = cards.pays,
  price: Body = {},
): Promise<MadeSubscription & { id: string }> {
  const { customerId, id } = await createActiveSubscription(shop);
  await made(shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true }));
  if (card !== cards.pays)
    await t.app.database.query(
      `UPDATE "PaymentMethod" SET reference = $3 WHERE "environmentId" = $1 AND "customerId" = $2`,
      [shop.environmentId, customerId, `tok_sandbox_${card}_4242`],
    );
  const plan = await createPricedPlan(shop, price);
  return subscribeTo(shop, customerId, plan.id);
}

const idOf = (saved: Saved): string => saved?.paymentMethodId ?? 'pm_none';

const set = (savedCards: boolean) => t.settings({ checkout: { savedCards } }, shop.environmentId);

describe('a stored card', () => {
  it("pays a checkout once with its security code, and isn't stored a second time", async () => {
    const { token, customerId, id } = await returningCustomer();
    const saved = await atCheckout(token);
    expect(saved).toEqual({
      paymentMethodId: expect.stringMatching(/^pm_/),
      brand: 'visa',
      last4: '4242',
      expMonth: 12,
      expYear: 2099,
      codesLeft: 3,
    });
    expect(await payBy(token, idOf(saved))).toBe('paid');
    expect(await chargesAndCards(customerId)).toEqual({
      charges: [
        [4_900, 'succeeded'],
        [4_900, 'succeeded'],
      ],
      cards: 1,
    });
    const { subscription } = await t.graphql<{ subscription: unknown }>(
      'query ($id: ID!) { subscription(id: $id) { status paymentMethod { id } } }',
      { id },
      { key: shop.key },
    );
    expect(subscription).toEqual({ status: 'active', paymentMethod: { id: idOf(saved) } });
    expect(await atCheckout(token)).toBeNull();
  });

  it('starts a trial without a charge, but only with the correct security code', async () => {
    const { token, customerId } = await returningCustomer(cards.pays, { trialDays: 14 });
    const saved = await atCheckout(token);
    expect(await payBy(token, idOf(saved), '000')).toBe('charge_failed');
    expect((await atCheckout(token))?.codesLeft).toBe(2);
    expect(await payBy(token, idOf(saved))).toBe('paid');
    expect(await chargesAndCards(customerId)).toEqual({ charges: [[4_900, 'succeeded']], cards: 1 });
  });

  it("rejects a wrong security code, and isn't offered again after 3 wrong codes, even if the checkout is updated in between", async () => {
    const { token, customerId } = await returningCustomer();
    const saved = await atCheckout(token);
    for (const left of [2, 1]) {
      expect(await payBy(token, idOf(saved), '000')).toBe('charge_failed');
      expect((await atCheckout(token))?.codesLeft).toBe(left);
    }
    await t.graphql(
      'mutation ($token: String!) { checkoutUpdate(input: { token: $token, locale: es }) { status } }',
      { token },
      anonymous,
    );
    expect(await payBy(token, idOf(saved), '000')).toBe('charge_failed');
    expect(await atCheckout(token)).toBeNull();
    const input = { token, savedMethod: { paymentMethodId: idOf(saved), cvc: '123' } };
    expect(await rejection(t, payText, { input }, anonymous)).toMatchObject({
      code: 'payment_method_not_found',
      param: 'savedMethod',
    });
    const wrong = [4_900, 'incorrect_cvc'];
    expect(await chargesAndCards(customerId)).toEqual({
      charges: [[4_900, 'succeeded'], wrong, wrong, wrong],
      cards: 1,
    });
    // The checkout can still be paid with another card.
    expect(await pay(shop, token)).toBe('paid');
  });

  it('counts every wrong security code, even in simultaneous attempts', async () => {
    const { token } = await returningCustomer();
    const id = idOf(await atCheckout(token));
    const tried = await Promise.all([1, 2, 3, 4, 5].map(() => payBy(token, id, '000')));
    expect(tried.toSorted()).toEqual([
      'charge_failed',
      'charge_failed',
      'charge_failed',
      'payment_method_not_found',
      'payment_method_not_found',
    ]);
    expect(await atCheckout(token)).toBeNull();
  });

  it('pays a checkout at most once, even if a new card is submitted at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const { token, customerId } = await returningCustomer();
      const id = idOf(await atCheckout(token));
      const tried = await Promise.all([
        payBy(token, id),
        outcomeOf(t.graphql(payText, { input: payment(token) }, anonymous)),
        payBy(token, id),
      ]);
      expect(tried.filter((outcome) => outcome === 'paid')).toHaveLength(1);
      expect((await chargesAndCards(customerId)).charges).toEqual([
        [4_900, 'succeeded'],
        [4_900, 'succeeded'],
      ]);
    }
  });

  it('requires authentication if the bank requests it', async () => {
    const { token, customerId } = await returningCustomer('authenticates');
    const id = idOf(await atCheckout(token));
    expect(await payBy(token, id)).toBe('requires_action');
    expect(await atCheckout(token)).toBeNull();
    await t.graphql(
      'mutation ($token: String!) { checkoutAuthenticate(input: { token: $token, succeed: true }) { status } }',
      { token },
      anonymous,
    );
    expect(await chargesAndCards(customerId)).toMatchObject({ cards: 1 });
  });

  it("can't be removed while it's used in a trial checkout that awaits authentication", async () => {
    const { token, customerId } = await returningCustomer('authenticates', { trialDays: 7 });
    const id = idOf(await atCheckout(token));
    expect(await payBy(token, id)).toBe('requires_action');
    const portal = await openPortal(shop, customerId);
    const remove =
      'mutation ($input: PortalPaymentMethodRemoveInput!) { portalPaymentMethodRemove(input: $input) { paymentMethods { last4 } } }';
    const input = { token: portal, paymentMethodId: id };
    const { code } = await rejection(t, remove, { input }, anonymous);
    expect(code).toBe('charge_in_progress');
  });

  it("pays its customer's payment link, and wrong security codes are counted separately for each link", async () => {
    const { customerId } = await createActiveSubscription(shop);
    const { token, id: paymentId } = await createPayment(shop, { customerId });
    const saved = await atLink(token);
    expect(saved).toMatchObject({ last4: '4242', codesLeft: 3 });
    expect(await payLinkBy(token, idOf(saved), '000')).toBe('payment_failed');
    expect((await atLink(token))?.codesLeft).toBe(2);
    expect(await payLinkBy(token, idOf(saved))).toBe('paid');
    expect(await chargesAndCards(customerId)).toEqual({
      charges: [
        [4_900, 'succeeded'],
        [4_200, 'incorrect_cvc'],
        [4_200, 'succeeded'],
      ],
      cards: 1,
    });
    const other = await createPayment(shop, { customerId });
    expect((await atLink(other.token))?.codesLeft).toBe(3);
    for (let tries = 0; tries < 3; tries++) await payLinkBy(other.token, idOf(saved), '0000');
    expect(await atLink(other.token)).toBeNull();
    expect(await payLinkBy(other.token, idOf(saved))).toBe('payment_method_not_found');
    expect(paymentId).toMatch(/^pay_/);
  });

  it('updates the billing address if the payer enters one', async () => {
    const { customerId } = await createActiveSubscription(shop);
    const { token } = await createPayment(shop, { customerId });
    const billingAddress = { line1: '1 Rua', city: 'Lisboa', postalCode: '1000-001', country: 'PT' };
    const savedMethod = { paymentMethodId: idOf(await atLink(token)), cvc: '123' };
    await t.graphql(payLinkText, { input: { token, savedMethod, billingAddress } }, anonymous);
    const { customer } = await t.graphql<{ customer: unknown }>(
      'query ($id: ID!) { customer(id: $id) { address { line1 country } } }',
      { id: customerId },
      { key: shop.key },
    );
    expect(customer).toEqual({ address: { line1: '1 Rua', country: 'PT' } });
  });
});

describe('the selection of stored cards at a checkout or payment link', () => {
  it('is empty for customers without a card, and for links without a customer', async () => {
    const { token } = await subscribeTo(
      shop,
      (await createCustomer(shop)).id,
      (await createPricedPlan(shop)).id,
    );
    expect(await atCheckout(token)).toBeNull();
    expect(await atLink((await createPayment(shop)).token)).toBeNull();
  });

  it("excludes a card entered on a link with the customer's email address", async () => {
    const customer = await createCustomer(shop);
    const { token } = await createPayment(shop);
    await payLink(shop, token, { email: `${customer.externalId}@shop.test` });
    expect((await chargesAndCards(customer.id)).cards).toBe(1);
    expect(await atLink((await createPayment(shop, { customerId: customer.id })).token)).toBeNull();
  });

  it('excludes the cards of customers created by pricing table visitors', async () => {
    const { id: planId } = await createPricedPlan(shop);
    const table = await createPricingTable(shop, { plans: [{ planId }] });
    const token = await beginPurchase(shop, { token: table.token, planId });
    await pay(shop, token);
    const [{ customerId } = { customerId: '' }] = await t.app.database.query<{ customerId: string }>(
      'SELECT "customerId" FROM "PricingTablePurchase" WHERE "environmentId" = $1 ORDER BY "createdAt" DESC LIMIT 1',
      [shop.environmentId],
    );
    expect((await chargesAndCards(customerId)).cards).toBe(1);
    expect(await atLink((await createPayment(shop, { customerId })).token)).toBeNull();
  });

  it("excludes expired cards, and is empty if the organization doesn't offer stored cards", async () => {
    const { token, customerId } = await returningCustomer();
    const saved = await atCheckout(token);
    const { query } = t.app.database;
    const update = (column: string, value: unknown) =>
      query(`UPDATE "PaymentMethod" SET "${column}" = $3 WHERE "environmentId" = $1 AND "customerId" = $2`, [
        shop.environmentId,
        customerId,
        value,
      ]);
    await update('expYear', 2020);
    expect(await atCheckout(token)).toBeNull();
    await update('expYear', 2099);
    await set(false);
    expect(await atCheckout(token)).toBeNull();
    const input = { token, savedMethod: { paymentMethodId: idOf(saved), cvc: '123' } };
    expect((await rejection(t, payText, { input }, anonymous)).code).toBe('payment_method_not_found');
    await set(true);
    expect(await atCheckout(token)).toEqual(saved);
  });

  it('rejects the card of another customer', async () => {
    const [mine, other] = [await returningCustomer(), await returningCustomer()];
    const input = {
      token: mine.token,
      savedMethod: { paymentMethodId: idOf(await atCheckout(other.token)), cvc: '123' },
    };
    expect((await rejection(t, payText, { input }, anonymous)).code).toBe('payment_method_not_found');
  });

  it('rejects a stored card together with a new card, or without a security code', async () => {
    const { token } = await returningCustomer();
    const id = idOf(await atCheckout(token));
    const both = { ...payment(token), savedMethod: { paymentMethodId: id, cvc: '123' } };
    expect(await rejection(t, payText, { input: both }, anonymous)).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'savedMethod' }],
    });
    const empty = { token, savedMethod: { paymentMethodId: id, cvc: '' } };
    expect(await rejection(t, payText, { input: empty }, anonymous)).toMatchObject({
      code: 'validation_error',
      details: [{ field: expect.stringMatching(/cvc$/) }],
    });
  });
});
