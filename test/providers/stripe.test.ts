import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import { eventually } from '../support/eventually.ts';
import {
  advanceDays,
  createSubscription,
  latestTransaction,
  type MadeSubscription,
  openPortal,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { openStripe, type StripeServer, stripeMethods } from '../support/stripe.ts';

// Stripe accounts of an organization (PAY-11 to PAY-16), tested with Stripe's official library and a server that follows Stripe's documentation.

const began = '2027-01-31T09:30:00.000Z';
const wall = new MovableClock(began);
const later = (minutes: number): string => new Date(Date.parse(began) + minutes * 60_000).toISOString();
const webhookSecret = 'whsec_test';

let stripe: StripeServer;
let t: TestApp;
let shop: Shop;
let connection: { id: string; webhookUrl: string };
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ wall, env: { STRIPE_URL: stripe.url, WORKER_POLL_MS: '100' } });
});
beforeEach(async () => {
  wall.set(began);
  shop = await otherShop(t);
  await t.settings({ issuerAddress: '1 Main St' }, shop.environmentId);
  ({ connectedAccountCreate: connection } = await run(createMutation, { input: keys }));
});
afterEach(async () => {
  const { ledgerVerify } = await run<{ ledgerVerify: unknown }>(
    '{ ledgerVerify { ok mismatches { account } } }',
  );
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});

type Row = Record<string, unknown>;

const keys = {
  name: 'Main',
  secretKey: 'sk_test_1',
  publishableKey: 'pk_test_1',
  webhookSecret,
  isDefault: true,
};
const createMutation = `mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id webhookUrl } }`;
const payMutation = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';

const run = <T = Row>(query: string, variables: Row = {}): Promise<T> =>
  t.graphql<T>(query, variables, { key: shop.key });
const list = async (path: string): Promise<Row[]> =>
  (await shop.rest<{ data: Row[] }>('GET', path)).body.data;
const attempts = async (): Promise<unknown[]> =>
  (await list('/transactions')).map(({ status }) => status).toReversed();
const invoices = async (): Promise<unknown[]> =>
  (await list('/invoices')).map(({ status }) => status).toReversed();
const statusOf = async (id: string): Promise<unknown> =>
  (await shop.rest('GET', `/subscriptions/${id}`)).body['status'];
/** Returns the Stripe objects that belong to this shop, by ID prefix. */
const own = (prefix: string): Row[] =>
  stripe.of(prefix).filter(({ metadata }) => metadata['environment'] === shop.environmentId);
const money = (): unknown[] => own('pi').filter(({ status }) => status === 'succeeded');

const emit = async (
  type: string,
  object: unknown,
  secret = webhookSecret,
  at = new Date(wall.now()),
): Promise<number> => {
  const path = new URL(connection.webhookUrl).pathname;
  return (await fetch(`${t.url}${path}`, { method: 'POST', ...stripe.message(type, object, secret, at) }))
    .status;
};

const payBy = async (token: string | null, paymentMethod: string): Promise<string> => {
  const input = { token, paymentMethod };
  return (await t.graphql<{ checkoutPay: { status: string } }>(payMutation, { input }, { key: null }))
    .checkoutPay.status;
};
const rejectedBy = async (input: Row): Promise<Row> =>
  (await t.graphqlFailure(payMutation, { input }, { key: null })).errors[0]?.extensions ?? {};

async function active(method: string = stripeMethods.pays): Promise<MadeSubscription> {
  const subscription = await createSubscription(shop);
  expect(await payBy(subscription.token, method)).toBe('paid');
  return subscription;
}

async function inquired(minutes: number): Promise<void> {
  wall.set(later(minutes));
  const open =
    'SELECT count(*) AS count FROM "ChargeAttempt" WHERE "environmentId" = $1 AND least("inquireAt", "compareAt") <= $2';
  const look = () => t.app.database.query<{ count: bigint }>(open, [shop.environmentId, wall.now()]);
  await eventually(look, ([row]) => row?.count === 0n);
}

describe('a payment connection to Stripe', () => {
  const rejected = async (input: Row, key = shop.key): Promise<unknown> =>
    (await t.graphqlFailure(createMutation, { input: { ...keys, isDefault: false, ...input } }, { key }))
      .errors[0]?.extensions['param'];

  test('rejects keys for the other mode, malformed keys, and keys that Stripe rejects (PAY-12)', async () => {
    expect(await rejected({ secretKey: 'sk_live_1' })).toBe('secretKey');
    expect(await rejected({ publishableKey: 'pk_live_1' })).toBe('publishableKey');
    expect(await rejected({ secretKey: 'pk_test_1' })).toBe('secretKey');
    expect(await rejected({ webhookSecret: 'secret' })).toBe('webhookSecret');
    expect(await rejected({ secretKey: 'sk_test_refused' })).toBe('secretKey');
    expect(await rejected({}, t.liveKey)).toBe('secretKey');
  });

  test('requires an issuer address for a default account or a country (PAY-12)', async () => {
    shop = await otherShop(t);
    const input = { ...keys, isDefault: false };
    expect(await rejected({ isDefault: true })).toBe('isDefault');
    const { connectedAccountCreate: made } = await run<{ connectedAccountCreate: { id: string } }>(
      createMutation,
      { input },
    );
    const route = 'mutation ($input: PaymentRouteSetInput!) { paymentRouteSet(input: $input) { country } }';
    const { errors } = await t.graphqlFailure(
      route,
      { input: { country: 'FR', provider: made.id } },
      { key: shop.key },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'country' });
  });

  test('allows one default, and never returns its secrets (PAY-11)', async () => {
    const second = await run<{ connectedAccountCreate: { id: string } }>(createMutation, {
      input: { ...keys, name: 'Second' },
    });
    const read =
      '{ connectedAccounts { edges { node { id name isDefault hasWebhookSecret countries publishableKey } } } }';
    const { connectedAccounts } = await run<{ connectedAccounts: { edges: { node: Row }[] } }>(read);
    expect(
      connectedAccounts.edges.map(({ node }) => [node['id'], node['isDefault'], node['hasWebhookSecret']]),
    ).toEqual([
      [second.connectedAccountCreate.id, true, true],
      [connection.id, false, true],
    ]);
    const stored = await t.app.database.query(
      'SELECT * FROM "PaymentConnection" WHERE "environmentId" = $1',
      [shop.environmentId],
    );
    expect(
      JSON.stringify(stored, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toMatch(/sk_test_1|whsec_test/);
  });
});

describe("a checkout's payment connection", () => {
  const shown = async (token: string | null, country?: string): Promise<unknown> => {
    const query =
      'query ($token: String!, $country: String) { checkout(token: $token) { publishableKey(country: $country) } }';
    return (await t.graphql<{ checkout: Row }>(query, { token, country }, { key: null })).checkout[
      'publishableKey'
    ];
  };
  const route = (country: string, provider: string | null) =>
    run(
      'mutation ($input: PaymentRouteSetInput!) { paymentRouteSet(input: $input) { country isRouted connection { id } } }',
      {
        input: { country, provider },
      },
    );

  test('is the requested connection, otherwise the connection for the country, otherwise the default connection (PAY-13)', async () => {
    const { token } = await createSubscription(shop);
    expect(await shown(token)).toBe('pk_test_1');
    await route('FR', 'platform');
    expect([await shown(token, 'FR'), await shown(token, 'DE')]).toEqual([null, 'pk_test_1']);
    const second = { ...keys, name: 'Second', publishableKey: 'pk_test_2', isDefault: false };
    const { connectedAccountCreate: other } = await run<{ connectedAccountCreate: { id: string } }>(
      createMutation,
      { input: second },
    );
    expect(await route('FR', other.id)).toEqual({
      paymentRouteSet: { country: 'FR', isRouted: true, connection: { id: other.id } },
    });
    expect(await shown(token, 'FR')).toBe('pk_test_2');
    const quote =
      'query ($input: CheckoutQuoteInput!) { checkoutQuote(input: $input) { amountDue publishableKey } }';
    expect(await t.graphql(quote, { input: { token, country: 'FR' } }, { key: null })).toEqual({
      checkoutQuote: { amountDue: 4_900, publishableKey: 'pk_test_2' },
    });
    await route('FR', null);
    expect(await shown(token, 'FR')).toBe('pk_test_1');
    const named = await shop.rest('POST', '/subscriptions', {
      customerId: (await shop.rest('POST', '/customers', { email: 'a@b.test', externalId: 'named' })).body[
        'id'
      ],
      planId: (await list('/plans'))[0]?.['id'],
      provider: other.id,
    });
    expect(named.body).toMatchObject({ checkoutProvider: 'stripe' });
    expect(await shown(String(named.body['checkoutUrl']).split('/').at(-1) ?? '')).toBe('pk_test_2');
  });

  test("rejects an unknown connection and another connection's card (PAY-13)", async () => {
    const { customerId, planId, token } = await createSubscription(shop);
    const requested = await shop.rest('POST', '/subscriptions', {
      customerId,
      planId,
      provider: 'con_unknown',
    });
    expect(requested.body).toMatchObject({ error: { code: 'provider_unsupported' } });
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' };
    expect(await rejectedBy({ token, card })).toMatchObject({ code: 'provider_unsupported' });
    expect(await rejectedBy({ token })).toMatchObject({ code: 'validation_error' });
    expect(await rejectedBy({ token, paymentMethod: 'pm_unknown' })).toMatchObject({
      code: 'validation_error',
      param: 'paymentMethod',
    });
    expect(own('pi')).toEqual([]);
  });
});

describe('a charge on a Stripe account', () => {
  test('is made with the payer present first, and later off-session on the same connection, regardless of the default (PAY-14)', async () => {
    const { id } = await active();
    await run(
      'mutation ($id: ID!) { connectedAccountUpdate(input: { id: $id, isDefault: false }) { isDefault } }',
      { id: connection.id },
    );
    expect(await advanceDays(shop, 28)).toBe('completed');
    expect([await statusOf(id), await attempts(), await invoices()]).toEqual([
      'active',
      ['succeeded', 'succeeded'],
      ['paid', 'paid'],
    ]);
    expect(own('pi')).toMatchObject([
      {
        amount: 4_900,
        currency: 'usd',
        payment_method: stripeMethods.pays,
        metadata: { attempt: expect.stringMatching(/^txn_/) },
      },
      { amount: 4_900, currency: 'usd', payment_method: stripeMethods.pays },
    ]);
    expect(own('cus')).toHaveLength(1);
  });

  test("stores Stripe's ID on its attempt, even if it's declined", async () => {
    const { id } = await active();
    const named = async (): Promise<unknown[]> => {
      const text =
        'query ($id: ID!) { subscription(id: $id) { transactions(first: 10) { nodes { providerReference } } } }';
      type Answer = { subscription: { transactions: { nodes: { providerReference: string }[] } } };
      const { subscription } = await run<Answer>(text, { id });
      return subscription.transactions.nodes.map(({ providerReference }) => providerReference).toReversed();
    };
    const [first] = own('pi');
    expect(first?.['id']).toMatch(/^pi_/);
    expect(await named()).toEqual([first?.['id']]);
    const other = await createSubscription(shop);
    await rejectedBy({ token: other.token, paymentMethod: stripeMethods.declines });
    const { transactions } = await run<{
      transactions: { nodes: { status: string; providerReference: string }[] };
    }>('{ transactions(first: 1) { nodes { status providerReference } } }');
    const declined = own('pi').at(-1);
    expect(transactions.nodes).toEqual([{ status: 'failed', providerReference: declined?.['id'] }]);
  });

  test("returns Stripe's decline code (PAY-16)", async () => {
    const { token } = await createSubscription(shop);
    expect(await rejectedBy({ token, paymentMethod: stripeMethods.declines })).toMatchObject({
      code: 'charge_failed',
      details: { declineCode: 'insufficient_funds' },
    });
    expect([await attempts(), await payBy(token, stripeMethods.pays)]).toEqual([['failed'], 'paid']);
  });

  test.each([
    ['declined', stripeMethods.declinesLater],
    ['rejected because it requires authentication', stripeMethods.wantsLater],
  ])('makes the subscription past due if a renewal is %s', async (_how, method) => {
    const { id } = await active(method);
    expect(await advanceDays(shop, 28)).toBe('completed');
    expect([await statusOf(id), await attempts()]).toEqual(['past_due', ['succeeded', 'failed']]);
    expect(money()).toHaveLength(1);
  });

  test("can use another card stored on the same connection, but not a card from the platform's provider (PAY-14)", async () => {
    const { id } = await active(stripeMethods.declinesLater);
    expect(await advanceDays(shop, 28)).toBe('completed');
    const { body } = await shop.rest('POST', `/subscriptions/${id}/recovery-links`, {});
    const token = String(body['recoveryUrl'] ?? body['url'])
      .split('/')
      .at(-1);
    const recover =
      'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status publishableKey } }';
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' };
    const { errors } = await t.graphqlFailure(recover, { input: { token, card } }, { key: null });
    expect(errors[0]?.extensions['code']).toBe('provider_unsupported');
    expect(
      await t.graphql(recover, { input: { token, paymentMethod: stripeMethods.pays } }, { key: null }),
    ).toEqual({
      recoveryPay: { status: 'paid', publishableKey: 'pk_test_1' },
    });
    expect([await statusOf(id), await attempts(), own('cus').length]).toEqual([
      'active',
      ['succeeded', 'failed', 'succeeded'],
      1,
    ]);
  });

  test('can use another card stored in the portal on the same connection (PAY-14)', async () => {
    const { id, customerId } = await active(stripeMethods.declinesLater);
    const token = await openPortal(shop, customerId);
    const store =
      'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { publishableKey } }';
    const retry =
      'mutation ($input: PortalPaymentRetryInput!) { portalPaymentRetry(input: $input) { status } }';
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' };
    const codeOf = async (input: Row): Promise<unknown> =>
      (await t.graphqlFailure(store, { input }, { key: null })).errors[0]?.extensions['code'];
    expect([await codeOf({ token, card }), await codeOf({ token })]).toEqual([
      'provider_unsupported',
      'validation_error',
    ]);
    const input = { token, paymentMethod: stripeMethods.declinesLater };
    expect(await t.graphql(store, { input }, { key: null })).toEqual({
      portalPaymentMethodStore: { publishableKey: 'pk_test_1' },
    });
    expect(await advanceDays(shop, 28)).toBe('completed');
    expect(await statusOf(id)).toBe('past_due');
    const payment = { token, paymentMethod: stripeMethods.pays };
    expect(await t.graphql(retry, { input: payment }, { key: null })).toEqual({
      portalPaymentRetry: { status: 'active' },
    });
    expect([await attempts(), own('cus').length]).toEqual([['succeeded', 'failed', 'succeeded'], 1]);
  });

  test("isn't sent to Stripe for a fourth attempt on one day, or if the customer has no payable invoice (BIL-47)", async () => {
    const { id, customerId, token: checkout } = await active(stripeMethods.declinesLater);
    expect(await advanceDays(shop, 28)).toBe('completed');
    const token = await openPortal(shop, customerId);
    const retry =
      'mutation ($input: PortalPaymentRetryInput!) { portalPaymentRetry(input: $input) { status } }';
    const codeOf = async (text: string, input: Row): Promise<unknown> =>
      (await t.graphqlFailure(text, { input }, { key: null })).errors[0]?.extensions['code'];
    const attach = (): number => stripe.calls.filter((call) => call.endsWith('/attach')).length;
    for (let count = 0; count < 3; count++) {
      expect(await codeOf(retry, { token, paymentMethod: stripeMethods.declines })).toBe('charge_failed');
    }
    const [before, reached] = [await attempts(), attach()];
    expect(await codeOf(retry, { token, paymentMethod: stripeMethods.pays })).toBe('rate_limited');
    expect(await codeOf(payMutation, { token: checkout, paymentMethod: stripeMethods.pays })).toBe(
      'invalid_subscription_status',
    );
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    const store =
      'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { status } }';
    expect(await codeOf(store, { token, paymentMethod: stripeMethods.pays })).toBe(
      'invalid_subscription_status',
    );
    expect([attach(), await attempts()]).toEqual([reached, before]);
  });

  test("doesn't use up a payment attempt if the card doesn't exist at Stripe (BIL-47)", async () => {
    const { customerId } = await active(stripeMethods.declinesLater);
    expect(await advanceDays(shop, 28)).toBe('completed');
    const token = await openPortal(shop, customerId);
    const retry =
      'mutation ($input: PortalPaymentRetryInput!) { portalPaymentRetry(input: $input) { status } }';
    for (let count = 0; count < 4; count++) {
      const { errors } = await t.graphqlFailure(
        retry,
        { input: { token, paymentMethod: 'pm_unknown' } },
        { key: null },
      );
      expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'paymentMethod' });
    }
    expect(
      await t.graphql(retry, { input: { token, paymentMethod: stripeMethods.pays } }, { key: null }),
    ).toEqual({
      portalPaymentRetry: { status: 'active' },
    });
  });

  test('is authenticated at Stripe with the client secret, and paid once Stripe confirms the payment', async () => {
    const { id, token } = await createSubscription(shop);
    expect(await payBy(token, stripeMethods.authenticates)).toBe('requires_action');
    const [intent] = own('pi');
    const page = 'query ($token: String!) { checkout(token: $token) { nextStep clientSecret } }';
    expect(await t.graphql(page, { token }, { key: null })).toEqual({
      checkout: { nextStep: 'authenticate', clientSecret: `${String(intent?.['id'])}_secret` },
    });
    stripe.authenticates(String(intent?.['id']), true);
    const authenticate =
      'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }';
    expect(await t.graphql(authenticate, { input: { token, succeed: true } }, { key: null })).toEqual({
      checkoutAuthenticate: { status: 'paid' },
    });
    expect([await statusOf(id), await attempts()]).toEqual(['active', ['succeeded']]);
  });

  test("is authenticated on the account that started the authentication, regardless of the page's country", async () => {
    const second = { ...keys, name: 'Second', publishableKey: 'pk_test_2', isDefault: false };
    const { connectedAccountCreate: other } = await run<{ connectedAccountCreate: { id: string } }>(
      createMutation,
      { input: second },
    );
    const route = 'mutation ($input: PaymentRouteSetInput!) { paymentRouteSet(input: $input) { country } }';
    await run(route, { input: { country: 'FR', provider: other.id } });
    const { token } = await createSubscription(shop);
    const billingAddress = { line1: '1 Rue', city: 'Paris', postalCode: '75001', country: 'FR' };
    const input = { token, paymentMethod: stripeMethods.authenticates, billingAddress };
    expect(await t.graphql(payMutation, { input }, { key: null })).toEqual({
      checkoutPay: { status: 'requires_action' },
    });
    const page = 'query ($token: String!) { checkout(token: $token) { publishableKey clientSecret } }';
    expect(await t.graphql(page, { token }, { key: null })).toEqual({
      checkout: { publishableKey: 'pk_test_2', clientSecret: `${String(own('pi')[0]?.['id'])}_secret` },
    });
  });

  test.each(['breaks after', 429, 500, 503] as const)(
    'stays pending after two faults of type %s, and is then made once',
    async (fault) => {
      stripe.fails('/v1/payment_intents', fault, fault);
      const { id, token } = await createSubscription(shop);
      const answer = await t
        .graphql<{ checkoutPay: { status: string } }>(
          payMutation,
          { input: { token, paymentMethod: stripeMethods.pays } },
          { key: null },
        )
        .then(
          ({ checkoutPay }) => checkoutPay.status,
          (error: unknown) => (String(error).includes('charge_in_progress') ? 'open' : String(error)),
        );
      // The library repeats the request with the same key. The second response contains the result of the operation that Stripe executed
      // before the connection broke.
      expect(answer).toBe(fault === 'breaks after' ? 'paid' : 'open');
      stripe.fails('/v1/payment_intents');
      await inquired(1);
      expect([await statusOf(id), await attempts(), money().length]).toEqual(['active', ['succeeded'], 1]);
    },
  );

  test("is refunded with the refund's own ID (PAY-28)", async () => {
    const { id } = await active();
    const { body } = await shop.rest('POST', `/transactions/${await latestTransaction(shop, id)}/refund`, {});
    expect(body).toMatchObject({ status: 'succeeded' });
    expect(own('re')).toMatchObject([{ payment_intent: own('pi')[0]?.['id'], amount: 4_900 }]);
    expect([await attempts(), await statusOf(id)]).toEqual([['refunded'], 'canceled']);
  });
});

describe('a Stripe webhook', () => {
  test("is accepted only with the connection's signature and within the signature's validity period", async () => {
    await active();
    const [intent] = own('pi');
    expect(await emit('payment_intent.succeeded', intent)).toBe(200);
    expect(await emit('payment_intent.succeeded', intent, 'whsec_other')).toBe(400);
    expect(
      await emit('payment_intent.succeeded', intent, webhookSecret, new Date(Date.parse(began) - 301_000)),
    ).toBe(400);
    expect(
      (await fetch(`${t.url}/webhooks/stripe/${shop.environmentId}/con_unknown`, { method: 'POST' })).status,
    ).toBe(404);
  });

  test('resolves a charge without a response once, regardless of the number and order of webhooks', async () => {
    stripe.fails('/v1/payment_intents', 500, 500);
    const { id, token } = await createSubscription(shop);
    expect(await rejectedBy({ token, paymentMethod: stripeMethods.authenticates })).toMatchObject({
      code: 'charge_in_progress',
    });
    stripe.fails('/v1/payment_intents');
    await inquired(1);
    const [intent] = own('pi');
    stripe.authenticates(String(intent?.['id']), true);
    const [old, now] = [{ ...intent, status: 'requires_action' }, intent];
    for (const [type, object] of [
      ['payment_intent.succeeded', now],
      ['payment_intent.requires_action', old],
      ['payment_intent.created', old],
      ['payment_intent.succeeded', now],
    ] as const) {
      expect(await emit(type, object)).toBe(200);
    }
    expect([await statusOf(id), await attempts(), await invoices()]).toEqual([
      'active',
      ['succeeded'],
      ['paid'],
    ]);
  });

  test('opens and resolves a dispute once, even if the resolution arrives first (PAY-32)', async () => {
    const { id } = await active();
    const dispute = stripe.opens(String(own('pi')[0]?.['id']), 'lost');
    expect(await emit('charge.dispute.closed', stripe.rows.get(dispute))).toBe(200);
    expect(
      await emit('charge.dispute.created', { ...stripe.rows.get(dispute), status: 'needs_response' }),
    ).toBe(200);
    expect(await emit('charge.dispute.closed', stripe.rows.get(dispute))).toBe(200);
    const emitted = await t.app.database.query<{ kind: string }>(
      `SELECT kind FROM "Event" WHERE "environmentId" = $1 AND kind LIKE 'payment.dispute%' ORDER BY position`,
      [shop.environmentId],
    );
    expect(emitted.map(({ kind }) => kind)).toEqual(['payment.disputed', 'payment.dispute_resolved']);
    expect([await attempts(), await statusOf(id)]).toEqual([['disputed'], 'active']);
  });

  test('restores the payment when a dispute is won (PAY-32)', async () => {
    await active();
    const dispute = stripe.opens(String(own('pi')[0]?.['id']), 'needs_response');
    expect(await emit('charge.dispute.created', stripe.rows.get(dispute))).toBe(200);
    expect(await attempts()).toEqual(['disputed']);
    stripe.resolves(dispute, 'won');
    expect(await emit('charge.dispute.closed', stripe.rows.get(dispute))).toBe(200);
    expect(
      await emit('charge.dispute.created', { ...stripe.rows.get(dispute), status: 'needs_response' }),
    ).toBe(200);
    expect(await attempts()).toEqual(['succeeded']);
  });

  test("is accepted and ignored if Quittance didn't create the object", async () => {
    expect(
      await emit('payment_intent.succeeded', { id: 'pi_x', object: 'payment_intent', metadata: {} }),
    ).toBe(200);
    expect(await emit('invoice.paid', { id: 'in_x', object: 'invoice' })).toBe(200);
    expect(await attempts()).toEqual([]);
  });
});
