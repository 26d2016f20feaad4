import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBalanceConsumer } from '../support/consumers.ts';
import {
  cards,
  connectStripe,
  createAddon,
  createPastDueSubscription,
  createPayment,
  createSubscription,
  firstShop,
  openPortal,
  otherShop,
  payment,
  type Shop,
} from '../support/factories.ts';
import { type GraphqlFailure, startApp, type TestApp } from '../support/harness.ts';
import { openStripe, type StripeServer, stripeMethods } from '../support/stripe.ts';
import { serverUrl } from '../support/template.ts';

// A page that doesn't receive a response repeats its mutation with the same key. The mutation runs once, and both responses are equal.

let t: TestApp;
let shop: Shop;
let stripe: StripeServer;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ env: { IDEMPOTENCY_LOCK_TIMEOUT_MS: '300', STRIPE_URL: stripe.url } });
  shop = firstShop(t);
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});

type Answer = { readonly data?: unknown; readonly errors?: readonly GraphqlFailure[] };

const inputOf = (field: string): string => `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
const mutation = (field: string, shown: string): string =>
  `mutation ($input: ${inputOf(field)}!) { ${field}(input: $input) { ${shown} } }`;

/** Sends a mutation as a page does. Returns the unmodified response. */
async function send(
  field: string,
  input: object,
  key: string | null,
  options: { shown?: string; bearer?: string; apiKey?: string } = {},
) {
  const { shown = 'status', bearer, apiKey } = options;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (key !== null) headers['idempotency-key'] = key;
  if (bearer !== undefined) headers['authorization'] = `Bearer ${bearer}`;
  if (apiKey !== undefined) headers['x-api-key'] = apiKey;
  const body = JSON.stringify({ query: mutation(field, shown), variables: { input } });
  return (await fetch(`${t.url}/graphql`, { method: 'POST', headers, body })).text();
}

const answerOf = (text: string): Answer => JSON.parse(text) as Answer;
const codeOf = (text: string): unknown => answerOf(text).errors?.[0]?.extensions['code'];

/** Returns the number of payments, invoices, customers, and events in the sandbox. */
async function written({ environmentId }: Shop = shop): Promise<Record<string, number>> {
  const { query } = t.app.database;
  const counts: Record<string, number> = {};
  for (const table of ['Transaction', 'Invoice', 'Customer', 'Event', 'PaymentMethod']) {
    const [row] = await query<{ count: bigint }>(
      `SELECT count(*) AS count FROM "${table}" WHERE "environmentId" = $1`,
      [environmentId],
    );
    counts[table] = Number(row?.count ?? 0);
  }
  return counts;
}

/**
 * Sends a mutation five times with the same key: once, three times concurrently, and once more. Only the first request may have effects.
 * Returns the response.
 */
async function sentAgain(
  field: string,
  input: object,
  options: Parameters<typeof send>[3] = {},
): Promise<Answer> {
  const key = shop.next('key');
  const first = await send(field, input, key, options);
  const after = await written();
  const again = await Promise.all([1, 2, 3].map(() => send(field, input, key, options)));
  expect([...again, await send(field, input, key, options)]).toEqual([first, first, first, first]);
  expect(await written()).toEqual(after);
  return answerOf(first);
}

describe('a page mutation that is repeated with the same key', () => {
  test('runs once for a checkout, even with concurrent requests', async () => {
    const { token } = await createSubscription(shop);
    const [before, key] = [await written(), shop.next('key')];
    const answers = await Promise.all([1, 2, 3].map(() => send('checkoutPay', payment(token), key)));
    expect(answers).toEqual(Array(3).fill(JSON.stringify({ data: { checkoutPay: { status: 'paid' } } })));
    expect(await written()).toMatchObject({
      Transaction: (before['Transaction'] ?? 0) + 1,
      PaymentMethod: (before['PaymentMethod'] ?? 0) + 1,
    });
    expect(await send('checkoutPay', payment(token), key)).toBe(answers[0]);
    // A request with a different key or without a key is a new attempt.
    expect(codeOf(await send('checkoutPay', payment(token), shop.next('key')))).toBe(
      'invalid_subscription_status',
    );
    expect(codeOf(await send('checkoutPay', payment(token), null))).toBe('invalid_subscription_status');
  });

  test('runs once for a card that requires authentication, and once for the authentication', async () => {
    const { token } = await createSubscription(shop);
    expect(await sentAgain('checkoutPay', payment(token, cards.authenticates))).toEqual({
      data: { checkoutPay: { status: 'requires_action' } },
    });
    expect(await sentAgain('checkoutAuthenticate', { token, succeed: true })).toEqual({
      data: { checkoutAuthenticate: { status: 'paid' } },
    });
  });

  test('runs once for a declined charge, and returns the same error again', async () => {
    const { token } = await createSubscription(shop);
    const { errors } = await sentAgain('checkoutPay', payment(token, cards.declines));
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'charge_failed',
      status: 402,
      details: { declineCode: 'card_declined' },
    });
    expect(await sentAgain('checkoutPay', payment(token))).toEqual({
      data: { checkoutPay: { status: 'paid' } },
    });
  });

  test('runs once for a payment link, and creates one customer for a new payer', async () => {
    const { token } = await createPayment(shop);
    const before = await written();
    const input = { ...payment(token), email: 'payer@example.com' };
    expect(await sentAgain('paymentLinkPay', input)).toEqual({
      data: { paymentLinkPay: { status: 'paid' } },
    });
    expect(await written()).toMatchObject({
      Customer: (before['Customer'] ?? 0) + 1,
      Transaction: (before['Transaction'] ?? 0) + 1,
    });
  });

  test('runs once for a payment link with a card that requires authentication', async () => {
    const { token } = await createPayment(shop);
    const input = { ...payment(token, cards.authenticates), email: 'other@example.com' };
    expect(await sentAgain('paymentLinkPay', input)).toEqual({
      data: { paymentLinkPay: { status: 'requires_action' } },
    });
    expect(await sentAgain('paymentLinkAuthenticate', { token, succeed: true })).toEqual({
      data: { paymentLinkAuthenticate: { status: 'paid' } },
    });
  });

  test('runs once for a top-up in the portal, with the token in the input or as a bearer token', async () => {
    const { customerId } = await createBalanceConsumer(shop);
    const token = await openPortal(shop, customerId);
    const before = await written();
    expect(await sentAgain('portalBalanceTopUp', { token, amount: 900 })).toEqual({
      data: { portalBalanceTopUp: { status: 'active' } },
    });
    expect(await written()).toMatchObject({ Invoice: (before['Invoice'] ?? 0) + 1 });
    expect(await sentAgain('portalBalanceTopUp', { amount: 900 }, { bearer: token })).toEqual({
      data: { portalBalanceTopUp: { status: 'active' } },
    });
    expect(await written()).toMatchObject({ Invoice: (before['Invoice'] ?? 0) + 2 });
  });

  test('runs once for storing a card in the portal, and for paying the outstanding amount', async () => {
    const { customerId } = await createPastDueSubscription(shop);
    const token = await openPortal(shop, customerId);
    const { errors } = await sentAgain('portalPaymentRetry', { token });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'charge_failed' });
    const { card } = payment(token);
    expect(await sentAgain('portalPaymentMethodStore', { token, card })).toEqual({
      data: { portalPaymentMethodStore: { status: 'past_due' } },
    });
    expect(await sentAgain('portalPaymentRetry', { token })).toEqual({
      data: { portalPaymentRetry: { status: 'active' } },
    });
  });
});

describe('the idempotency key of a page mutation', () => {
  test("applies only to the checkout, link, or customer that the request's token identifies", async () => {
    const [one, two] = [await createBalanceConsumer(shop), await createBalanceConsumer(shop)];
    const tokens = [await openPortal(shop, one.customerId), await openPortal(shop, two.customerId)];
    const before = await written();
    const key = shop.next('key');
    // Sends the same input with the same key as two payers and as the merchant.
    for (const bearer of tokens) {
      expect(answerOf(await send('portalBalanceTopUp', { amount: 700 }, key, { bearer }))).toEqual({
        data: { portalBalanceTopUp: { status: 'active' } },
      });
    }
    expect(await written()).toMatchObject({ Invoice: (before['Invoice'] ?? 0) + 2 });
    const created = await send('customerCreate', { email: 'm@example.com' }, key, {
      shown: 'email',
      apiKey: shop.key,
    });
    expect(answerOf(created)).toEqual({ data: { customerCreate: { email: 'm@example.com' } } });
  });

  test('is rejected if the variables differ, and nothing changes', async () => {
    const { token } = await createPayment(shop);
    const key = shop.next('key');
    await send('paymentLinkPay', { ...payment(token, cards.declines), email: 'a@example.com' }, key);
    const before = await written();
    const other = await send('paymentLinkPay', { ...payment(token), email: 'a@example.com' }, key);
    expect(codeOf(other)).toBe('idempotency_key_mismatch');
    expect(await written()).toEqual(before);
  });

  test("doesn't return a stored response for an invalid token", async () => {
    const { token } = await createSubscription(shop);
    const key = shop.next('key');
    await send('checkoutPay', payment(token), key);
    expect(codeOf(await send('checkoutPay', payment(`${token}x`), key))).toBe('unauthorized');
  });

  test('stores its response encrypted', async () => {
    const { token, id } = await createPayment(shop);
    const input = { ...payment(token), email: 'sealed@example.com' };
    const text = await send('paymentLinkPay', input, shop.next('key'), {
      shown: 'status paymentLink { customerEmail }',
    });
    expect(text).toContain('sealed@example.com');
    const rows = await t.app.database.query<{ body: string; isEncrypted: boolean }>(
      `SELECT body, "isEncrypted" FROM "IdempotencyKey" WHERE "environmentId" = $1 AND id LIKE 'pay ' || $2 || '%'`,
      [shop.environmentId, id],
    );
    expect(rows.map(({ isEncrypted, body }) => [isEncrypted, t.app.secrets.decrypt(body)])).toEqual([
      [true, text],
    ]);
    expect(rows[0]?.body).not.toContain('@');
  });

  test.runIf(serverUrl() !== undefined)(
    'fails with idempotency_in_progress while the first request is running',
    async () => {
      const subscription = await createSubscription(shop);
      const key = shop.next('key');
      const locked = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const holding = t.app.database.transaction(async ({ query }) => {
        await query('SELECT 1 FROM "Customer" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [
          shop.environmentId,
          subscription.customerId,
        ]);
        locked.resolve();
        await release.promise;
      });
      await locked.promise;
      const both = [1, 2].map(() => send('checkoutPay', payment(subscription.token), key));
      expect(codeOf(await Promise.race(both))).toBe('idempotency_in_progress');
      release.resolve();
      await holding;
      const paid = JSON.stringify({ data: { checkoutPay: { status: 'paid' } } });
      expect(await Promise.all(both)).toContain(paid);
      expect(await send('checkoutPay', payment(subscription.token), key)).toBe(paid);
    },
  );
});

describe("a repeated page mutation through the organization's connected account", () => {
  let own: Shop;
  beforeAll(async () => {
    own = await otherShop(t);
    await connectStripe(own);
  });

  test('pays a checkout once, and authenticates a card once', async () => {
    for (const [paymentMethod, status] of [
      [stripeMethods.pays, 'paid'],
      [stripeMethods.authenticates, 'requires_action'],
    ] as const) {
      const { token } = await createSubscription(own);
      const [input, key, before] = [{ token, paymentMethod }, own.next('key'), stripe.of('pi').length];
      const answers = [await send('checkoutPay', input, key), await send('checkoutPay', input, key)];
      expect(answers).toEqual(Array(2).fill(JSON.stringify({ data: { checkoutPay: { status } } })));
      expect(stripe.of('pi')).toHaveLength(before + 1);
      if (status === 'paid') continue;
      stripe.authenticates(stripe.of('pi').at(-1)?.id ?? '', true);
      const confirmed = [own.next('key'), { token, succeed: true }] as const;
      const first = await send('checkoutAuthenticate', confirmed[1], confirmed[0]);
      expect(answerOf(first)).toEqual({ data: { checkoutAuthenticate: { status: 'paid' } } });
      expect(await send('checkoutAuthenticate', confirmed[1], confirmed[0])).toBe(first);
    }
  });

  test('continues a checkout with the existing charge after a provider timeout', async () => {
    const { token } = await createSubscription(own);
    const [input, key, before] = [
      { token, paymentMethod: stripeMethods.pays },
      own.next('key'),
      stripe.of('pi').length,
    ];
    stripe.fails('/v1/payment_intents', 'goes silent');
    expect(codeOf(await send('checkoutPay', input, key))).toBe('charge_in_progress');
    const second = await send('checkoutPay', input, key);
    expect(answerOf(second)).toEqual({ data: { checkoutPay: { status: 'paid' } } });
    expect(await send('checkoutPay', input, key)).toBe(second);
    expect(stripe.of('pi')).toHaveLength(before + 1);
  });

  test('completes a portal purchase if storing the card timed out earlier', async () => {
    const { id: addonId } = await createAddon(own);
    const { token: checkout, customerId } = await createSubscription(own);
    await send('checkoutPay', { token: checkout, paymentMethod: stripeMethods.pays }, own.next('key'));
    const token = await openPortal(own, customerId);
    const [input, key] = [{ token, addonId, paymentMethod: stripeMethods.pays }, own.next('key')];
    const before = stripe.of('pi').length;
    stripe.fails('/v1/setup_intents', 'goes silent');
    expect(codeOf(await send('portalAddonActivate', input, key))).toBe('charge_in_progress');
    expect(stripe.of('pi')).toHaveLength(before);
    const second = await send('portalAddonActivate', input, key);
    expect(answerOf(second)).toEqual({ data: { portalAddonActivate: { status: 'active' } } });
    expect(await send('portalAddonActivate', input, key)).toBe(second);
    expect(stripe.of('pi')).toHaveLength(before + 1);
  });
});
