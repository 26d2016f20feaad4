import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { made } from '../../support/factories/shop.ts';
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
} from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { outcomeOf } from '../../support/links.ts';
import { rejection } from '../../support/refusals.ts';

// PAY-41: a stored card at a checkout and at a payment link, which anybody who has the link can open.

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

/** Pays an open checkout by the stored card; answers how that ended. */
const payBy = (token: string | null, id: string, cvc = '123', more: Body = {}): Promise<string> =>
  outcomeOf(
    t.graphql(payText, { input: { token, savedMethod: { paymentMethodId: id, cvc }, ...more } }, anonymous),
  );

const payLinkBy = (token: string, id: string, cvc = '123'): Promise<string> =>
  outcomeOf(
    t.graphql(payLinkText, { input: { token, savedMethod: { paymentMethodId: id, cvc } } }, anonymous),
  );

/** What was tried to be collected from a customer, and the cards it has. */
async function standing(customerId: string) {
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

/** A customer who comes back, with a stored card and a checkout. */
async function known(
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

const set = (savedCards: boolean) =>
  t.graphql(
    'mutation ($on: Boolean!) { organizationUpdate(input: { checkout: { savedCards: $on } }) { id } }',
    { on: savedCards },
    { key: shop.key },
  );

describe('a stored card', () => {
  it('pays a checkout by its security code, once, and is not stored again', async () => {
    const { token, customerId, id } = await known();
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
    expect(await standing(customerId)).toEqual({
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

  it('starts a trial, which charges nothing, only with a right code', async () => {
    const { token, customerId } = await known(cards.pays, { trialDays: 14 });
    const saved = await atCheckout(token);
    expect(await payBy(token, idOf(saved), '000')).toBe('charge_failed');
    expect((await atCheckout(token))?.codesLeft).toBe(2);
    expect(await payBy(token, idOf(saved))).toBe('paid');
    expect(await standing(customerId)).toEqual({ charges: [[4_900, 'succeeded']], cards: 1 });
  });

  it('is charged nothing for a wrong code, and offered no more after three, whatever else is changed', async () => {
    const { token, customerId } = await known();
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
    expect(await standing(customerId)).toEqual({
      charges: [[4_900, 'succeeded'], wrong, wrong, wrong],
      cards: 1,
    });
    // Another card still pays.
    expect(await pay(shop, token)).toBe('paid');
  });

  it('counts wrong codes that are tried at the same moment', async () => {
    const { token } = await known();
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

  it('and a new card at the same moment are charged once in all', async () => {
    for (let round = 0; round < 3; round++) {
      const { token, customerId } = await known();
      const id = idOf(await atCheckout(token));
      const tried = await Promise.all([
        payBy(token, id),
        outcomeOf(t.graphql(payText, { input: payment(token) }, anonymous)),
        payBy(token, id),
      ]);
      expect(tried.filter((outcome) => outcome === 'paid')).toHaveLength(1);
      expect((await standing(customerId)).charges).toEqual([
        [4_900, 'succeeded'],
        [4_900, 'succeeded'],
      ]);
    }
  });

  it('asks for a confirmation by the bank where the card needs one', async () => {
    const { token, customerId } = await known('authenticates');
    const id = idOf(await atCheckout(token));
    expect(await payBy(token, id)).toBe('requires_action');
    expect(await atCheckout(token)).toBeNull();
    await t.graphql(
      'mutation ($token: String!) { checkoutAuthenticate(input: { token: $token, succeed: true }) { status } }',
      { token },
      anonymous,
    );
    expect(await standing(customerId)).toMatchObject({ cards: 1 });
  });

  it('stays while a trial that it starts waits for the bank', async () => {
    const { token, customerId } = await known('authenticates', { trialDays: 7 });
    const id = idOf(await atCheckout(token));
    expect(await payBy(token, id)).toBe('requires_action');
    const portal = await openPortal(shop, customerId);
    const remove =
      'mutation ($input: PortalPaymentMethodRemoveInput!) { portalPaymentMethodRemove(input: $input) { paymentMethods { last4 } } }';
    const input = { token: portal, paymentMethodId: id };
    const { code } = await rejection(t, remove, { input }, anonymous);
    expect(code).toBe('charge_in_progress');
  });

  it('pays a link that names the customer, and counts wrong codes there by themselves', async () => {
    const { customerId } = await createActiveSubscription(shop);
    const { token, id: paymentId } = await createPayment(shop, { customerId });
    const saved = await atLink(token);
    expect(saved).toMatchObject({ last4: '4242', codesLeft: 3 });
    expect(await payLinkBy(token, idOf(saved), '000')).toBe('payment_failed');
    expect((await atLink(token))?.codesLeft).toBe(2);
    expect(await payLinkBy(token, idOf(saved))).toBe('paid');
    expect(await standing(customerId)).toEqual({
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

  it('keeps the address that is typed in with it', async () => {
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

describe('no stored card is shown', () => {
  it('to a customer without one, nor at a link that names nobody', async () => {
    const { token } = await subscribeTo(
      shop,
      (await createCustomer(shop)).id,
      (await createPricedPlan(shop)).id,
    );
    expect(await atCheckout(token)).toBeNull();
    expect(await atLink((await createPayment(shop)).token)).toBeNull();
  });

  it('where whoever paid a link typed it in under the address of the customer', async () => {
    const customer = await createCustomer(shop);
    const { token } = await createPayment(shop);
    await payLink(shop, token, { email: `${customer.externalId}@shop.test` });
    expect((await standing(customer.id)).cards).toBe(1);
    expect(await atLink((await createPayment(shop, { customerId: customer.id })).token)).toBeNull();
  });

  it('to a customer that a visitor of a pricing table made', async () => {
    const { id: planId } = await createPricedPlan(shop);
    const table = await createPricingTable(shop, { plans: [{ planId }] });
    const token = await beginPurchase(shop, { token: table.token, planId });
    await pay(shop, token);
    const [{ customerId } = { customerId: '' }] = await t.app.database.query<{ customerId: string }>(
      'SELECT "customerId" FROM "PricingTablePurchase" WHERE "environmentId" = $1 ORDER BY "createdAt" DESC LIMIT 1',
      [shop.environmentId],
    );
    expect((await standing(customerId)).cards).toBe(1);
    expect(await atLink((await createPayment(shop, { customerId })).token)).toBeNull();
  });

  it('where it has expired, was removed, or the seller offers none', async () => {
    const { token, customerId } = await known();
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

  it('and none of another customer is taken', async () => {
    const [mine, other] = [await known(), await known()];
    const input = {
      token: mine.token,
      savedMethod: { paymentMethodId: idOf(await atCheckout(other.token)), cvc: '123' },
    };
    expect((await rejection(t, payText, { input }, anonymous)).code).toBe('payment_method_not_found');
  });

  it('nor one beside another card, nor without a code', async () => {
    const { token } = await known();
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
