import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import {
  createActiveSubscription,
  createCustomer,
  createPayment,
  openPortal,
  otherShop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { seePayment, tryLink } from '../support/links.ts';
import { openStripe, type StripeServer, stripeMethods } from '../support/stripe.ts';
import { StripeShop } from '../support/stripe-shop.ts';

// If a customer removes a card, it's also detached in the organization's Stripe account (PAY-34).

const began = '2027-01-31T09:30:00.000Z';
const wall = new MovableClock(began);

let stripe: StripeServer;
let t: TestApp;
let shop: StripeShop;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ wall, env: { STRIPE_URL: stripe.url, WORKER_POLL_MS: '100' } });
});
beforeEach(async () => {
  wall.set(began);
  shop = await StripeShop.open({ t, stripe, wall });
});
afterEach(() => stripe.fails(path(stripeMethods.pays)));
afterAll(async () => {
  await t.close();
  await stripe.close();
});

type Card = { paymentMethodId: string };
type Visit = { readonly token: string; readonly ids: string[] };
type Request = { asks: number; result: { status: string } | null; inquireAt: Date | null };

const path = (method: string): string => `/v1/payment_methods/${method}/detach`;
/** Returns the payment method in each detach request, skipping the first `since` calls. */
const detached = (since: number): string[] =>
  stripe.calls
    .slice(since)
    .flatMap((call) => /^POST \/v1\/payment_methods\/(\w+)\/detach$/.exec(call)?.[1] ?? []);
const bearer = (token: string) => ({ key: null, headers: { authorization: `Bearer ${token}` } });
const cardsOf = async (token: string): Promise<string[]> => {
  const query = '{ portal { paymentMethods { paymentMethodId } } }';
  const { portal } = await t.graphql<{ portal: { paymentMethods: Card[] } }>(query, {}, bearer(token));
  return portal.paymentMethods.map(({ paymentMethodId }) => paymentMethodId);
};
const remove = async ({ token }: Visit, paymentMethodId: string): Promise<void> => {
  await t.graphql(
    'mutation ($input: PortalPaymentMethodRemoveInput!) { portalPaymentMethodRemove(input: $input) { paymentMethods { paymentMethodId } } }',
    { input: { paymentMethodId } },
    bearer(token),
  );
};
const requests = (): Promise<Request[]> =>
  t.app.database.query<Request>(
    `SELECT asks, result, "inquireAt" FROM "ProviderRequest" WHERE "environmentId" = $1 AND subject = 'payment_method' ORDER BY id`,
    [shop.shop.environmentId],
  );
/** Waits until the only detach request has been attempted this many times, and returns its row. */
const asked = async (asks: number): Promise<Request | undefined> => {
  await expect
    .poll(async () => (await requests()).map((row) => row.asks), { timeout: 15_000 })
    .toEqual([asks]);
  return (await requests())[0];
};
const ended = async (status: string): Promise<void> => {
  await expect
    .poll(async () => (await requests()).map(({ result }) => result?.status), { timeout: 15_000 })
    .toEqual([status]);
};

/** Creates a customer who pays with one card at Stripe, and then with another card. */
async function changed(
  second: string = stripeMethods.wallet,
  first: string = stripeMethods.pays,
): Promise<Visit> {
  const { customerId } = await shop.active(first);
  const token = await openPortal(shop.shop, customerId);
  await t.graphql(
    'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { status } }',
    { input: { paymentMethod: second } },
    bearer(token),
  );
  // From newest to oldest. The second card is charged, so the first card can be removed.
  const ids = (await cardsOf(token)).toReversed();
  expect(ids).toHaveLength(2);
  return { token, ids };
}

test('a removed card is detached at Stripe once after the commit, and the card that is charged stays attached', async () => {
  const before = stripe.calls.length;
  const visit = await changed();
  // A replaced card can be selected again.
  expect(detached(before)).toEqual([]);
  expect(await requests()).toEqual([]);
  await remove(visit, visit.ids[0] ?? '');
  await ended('detached');
  expect(detached(before)).toEqual([stripeMethods.pays]);
  expect(await cardsOf(visit.token)).toEqual([visit.ids[1]]);
  expect(await asked(1)).toMatchObject({ inquireAt: null });
});

test('a removed card disappears immediately, and detaching it at Stripe is retried until Stripe responds', async () => {
  const visit = await changed();
  const before = stripe.calls.length;
  // Stripe's library repeats each failed request once.
  stripe.fails(path(stripeMethods.pays), 'breaks before', 'breaks before', 'breaks before', 'breaks before');
  await remove(visit, visit.ids[0] ?? '');
  expect(await cardsOf(visit.token)).toEqual([visit.ids[1]]);
  expect((await asked(1))?.result).toBeNull();
  wall.set('2027-01-31T09:31:00.000Z');
  expect((await asked(2))?.result).toBeNull();
  await expect.poll(() => detached(before).length, { timeout: 15_000 }).toBe(4);
  wall.set('2027-01-31T09:35:00.000Z');
  await ended('detached');
  expect(detached(before)).toHaveLength(5);
  expect(await asked(3)).toMatchObject({ inquireAt: null });
});

test('detaching a removed card at Stripe is abandoned after 30 days without a response', async () => {
  const gone = await changed();
  stripe.fails(path(stripeMethods.pays), 500, 500);
  await remove(gone, gone.ids[0] ?? '');
  expect((await asked(1))?.result).toBeNull();
  stripe.fails(path(stripeMethods.pays), 500, 500);
  wall.set('2027-03-03T09:30:00.000Z');
  await ended('given_up');
});

test('a card that was stored twice stays attached at Stripe when one copy is removed', async () => {
  const before = stripe.calls.length;
  const visit = await changed(stripeMethods.pays);
  await remove(visit, visit.ids[0] ?? '');
  await ended('kept');
  expect(detached(before)).toEqual([]);
});

test("a card on the platform's provider isn't detached at Stripe", async () => {
  const platform = await otherShop(t);
  const { customerId } = await createActiveSubscription(platform);
  const token = await openPortal(platform, customerId);
  const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' };
  await t.graphql(
    'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { status } }',
    { input: { card } },
    bearer(token),
  );
  const [, first] = await cardsOf(token);
  await remove({ token, ids: [] }, first ?? '');
  expect(await cardsOf(token)).toHaveLength(1);
  const rows = await t.app.database.query(`SELECT id FROM "ProviderRequest" WHERE "environmentId" = $1`, [
    platform.environmentId,
  ]);
  expect(rows).toEqual([]);
});

test('a card that no longer exists at Stripe is treated as detached', async () => {
  const visit = await changed(stripeMethods.pays, stripeMethods.forgotten);
  stripe.forgets(stripeMethods.forgotten);
  await remove(visit, visit.ids[0] ?? '');
  await ended('detached');
});

test("after the payment, a card that the payer didn't agree to save is detached, and the payment can still be refunded (PAY-8)", async () => {
  const before = stripe.calls.length;
  const link = await createPayment(shop.shop, {
    customerId: (await createCustomer(shop.shop)).id,
    saveCard: 'optional',
  });
  expect(await tryLink(shop.shop, link, stripeMethods.pays, { saveCard: false })).toBe('paid');
  await ended('detached');
  expect(detached(before)).toEqual([stripeMethods.pays]);
  const intents = stripe.calls.slice(before).filter((call) => call === 'POST /v1/payment_intents');
  expect(intents).toHaveLength(1);
  const [transaction] = (await seePayment(shop.shop, link.id)).transactions;
  const refund = await shop.shop.rest('POST', `/transactions/${transaction?.id}/refund`, {});
  expect(refund.status).toBe(200);
});
