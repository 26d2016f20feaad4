import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import {
  cards,
  connectStripe,
  createConnection,
  createCustomer,
  createPayment,
  type Made,
  type MadePayment,
  otherShop,
  payment,
  requested,
  routeCountry,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import {
  attemptsAt,
  booksBalance,
  confirmLink,
  customersWith,
  inquiriesMade,
  openLink,
  type SeenPayment,
  seePayment,
  tryLink,
} from '../support/links.ts';
import { rejection } from '../support/refusals.ts';
import { openStripe, type StripeServer, stripeMethods } from '../support/stripe.ts';

// Payment links and charges through an organization's Stripe accounts (PAY-7, PAY-8, PAY-13, PAY-14, PAY-16).

const began = '2027-01-31T09:30:00.000Z';
const wall = new MovableClock(began);

let stripe: StripeServer;
let t: TestApp;
let shop: Shop;
let account: Made;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ wall, env: { STRIPE_URL: stripe.url, WORKER_POLL_MS: '100' } });
});
beforeEach(async () => {
  wall.set(began);
  shop = await otherShop(t);
  account = await connectStripe(shop);
});
afterEach(() => booksBalance(shop));
afterAll(async () => {
  await t.close();
  await stripe.close();
});

type Row = Record<string, unknown>;

/** Returns the Stripe objects that belong to this shop, by ID prefix. */
const own = (prefix: string): Row[] =>
  stripe.of(prefix).filter(({ metadata }) => metadata['environment'] === shop.environmentId);
const intents = (): unknown[] => own('pi').map(({ status }) => status);
const taken = (): unknown[] =>
  own('pi').flatMap(({ status, amount }) => (status === 'succeeded' ? [amount] : []));
const idOf = (index: number): string => String(own('pi')[index]?.['id']);
const kinds = async (): Promise<string[]> => {
  const sql = `SELECT kind FROM "Event" WHERE "environmentId" = $1 AND kind NOT LIKE 'customer%' ORDER BY position`;
  return (await t.app.database.query<{ kind: string }>(sql, [shop.environmentId])).map(({ kind }) => kind);
};
const charge = (customerId: string | null, body: object = {}) =>
  shop.rest<Row & { error: { code: string; details: Row } }>(
    'POST',
    '/payments/charge',
    requested({ customerId, ...body }),
  );
async function inquired(minutes: number): Promise<void> {
  // Clears faults that weren't triggered, because Stripe's library doesn't repeat every request.
  stripe.fails('/v1/payment_intents');
  wall.set(new Date(Date.parse(began) + minutes * 60_000).toISOString());
  await inquiriesMade(shop);
}

const createMutation =
  'mutation ($input: PaymentCreateInput!) { paymentCreate(input: $input) { id url provider } }';
async function linkFor(
  provider: string,
  body: Row = {},
): Promise<MadePayment & { readonly provider: string }> {
  const input = { ...requested(body), provider };
  const { paymentCreate } = await t.graphql<{ paymentCreate: MadePayment & { provider: string } }>(
    createMutation,
    { input },
    { key: shop.key },
  );
  return { ...paymentCreate, token: paymentCreate.url.split('/').at(-1) ?? '' };
}

/** Creates a link that requires the payer to authenticate. Returns Stripe's ID for the payment. */
async function confirming(): Promise<{ link: MadePayment; intent: string }> {
  const link = await createPayment(shop, { customerId: (await createCustomer(shop)).id });
  const before = own('pi').length;
  expect(await tryLink(shop, link, stripeMethods.authenticates)).toBe('requires_action');
  return { link, intent: idOf(before) };
}

/** Creates a customer who paid a link for 42.00 through Stripe. */
async function payer(method: string = stripeMethods.pays): Promise<string> {
  const { id: customerId } = await createCustomer(shop);
  expect(await tryLink(shop, await createPayment(shop, { customerId }), method)).toBe('paid');
  return customerId;
}

describe('the account that charges a payment link', () => {
  test('is the requested account, otherwise the account for the entered or stored country, otherwise the default account (PAY-13)', async () => {
    const second = await createConnection(shop, { publishableKey: 'pk_test_2' });
    await routeCountry(shop, 'FR', second.id);
    await routeCountry(shop, 'CH', 'platform');
    const keyOf = async (link: MadePayment, country?: string): Promise<unknown> =>
      (await openLink(shop, link, country))['publishableKey'];
    const anybody = await createPayment(shop);
    expect([await keyOf(anybody), await keyOf(anybody, 'FR'), await keyOf(anybody, 'CH')]).toEqual([
      'pk_test_1',
      'pk_test_2',
      null,
    ]);
    const french = await createPayment(shop, { customerId: (await createCustomer(shop, 'FR')).id });
    expect([await keyOf(french), await keyOf(french, 'DE')]).toEqual(['pk_test_2', 'pk_test_1']);
    const swiss = await createPayment(shop, { customerId: (await createCustomer(shop, 'CH')).id });
    expect([french, anybody, swiss].map((link) => (link as unknown as Row)['provider'])).toEqual([
      'stripe',
      'stripe',
      'platform',
    ]);
    const named = await Promise.all([second.id, 'stripe', 'platform'].map((provider) => linkFor(provider)));
    expect(named.map(({ provider }) => provider)).toEqual(['stripe', 'stripe', 'platform']);
    expect(await Promise.all(named.map((link) => keyOf(link, 'FR')))).toEqual([
      'pk_test_2',
      'pk_test_1',
      null,
    ]);
  });

  test("is rejected if it doesn't belong to the organization (PAY-13)", async () => {
    const other = await connectStripe(await otherShop(t));
    for (const provider of ['dlocal', 'con_unknown', other.id]) {
      const rejected = await rejection(
        t,
        createMutation,
        { input: { ...requested(), provider } },
        { key: shop.key },
      );
      expect(rejected).toMatchObject({ code: 'provider_unsupported', param: 'provider' });
      // Connections to dLocal are rejected, because Quittance has no dLocal gateway (PAY-11).
      if (provider === 'dlocal')
        expect(rejected.message).toBe(
          "The provider dlocal isn't available yet. Use `platform`, `stripe`, or the ID of a payment connection.",
        );
    }
  });

  test("rejects another account's card and an unknown payment method, and creates no customer (PAY-13)", async () => {
    const { token } = await createPayment(shop);
    const pay = 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';
    const rejected = (input: object) =>
      rejection(t, pay, { input: { token, email: 'new@payer.test', ...input } }, { key: null });
    expect(await rejected(payment(token))).toMatchObject({ code: 'provider_unsupported', param: 'card' });
    expect(await rejected({})).toMatchObject({ code: 'validation_error', details: [{ field: 'card' }] });
    expect(await rejected({ paymentMethod: 'pm_unknown' })).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'paymentMethod' }],
    });
    expect(await rejected({ paymentMethod: stripeMethods.pays, email: null })).toMatchObject({
      details: [{ field: 'email' }],
    });
    const platform = await linkFor('platform');
    const there = { token: platform.token, paymentMethod: stripeMethods.pays };
    expect(await rejected(there)).toMatchObject({ code: 'provider_unsupported', param: 'paymentMethod' });
    expect([own('cus'), own('pi')]).toEqual([[], []]);
  });
});

describe('a payment link', () => {
  test('is charged at Stripe, creates a document, and stores the payment method on the same account (PAY-8, PAY-16)', async () => {
    const link = await createPayment(shop);
    expect(await tryLink(shop, link, stripeMethods.pays, { email: 'new@payer.test' })).toBe('paid');
    const seen = await seePayment(shop, link.id);
    expect(seen).toMatchObject({
      status: 'succeeded',
      provider: 'stripe',
      invoice: { status: 'paid', total: 4_200 },
    });
    expect(own('pi')).toMatchObject([
      {
        amount: 4_200,
        currency: 'usd',
        payment_method: stripeMethods.pays,
        metadata: { attempt: seen.transactions[0]?.id },
      },
    ]);
    expect(own('cus')).toMatchObject([{ email: 'new@payer.test', metadata: { customer: seen.customerId } }]);
    expect(await kinds()).toEqual([
      'payment_connection.created',
      'payment_link.created',
      'invoice.created',
      'payment.received',
      'payment_link.completed',
    ]);
    expect(await openLink(shop, link)).toMatchObject({
      status: 'succeeded',
      nextStep: 'none',
      clientSecret: null,
    });
    expect(await tryLink(shop, link, stripeMethods.pays, { email: 'new@payer.test' })).toBe(
      'no_outstanding_invoice',
    );
    const stored = await t.app.database.query<{ reference: string; customerId: string }>(
      'SELECT reference, "customerId" FROM "PaymentMethod" WHERE "environmentId" = $1',
      [shop.environmentId],
    );
    const reference = `${account.id}/${String(own('cus')[0]?.['id'])}/${stripeMethods.pays}`;
    expect(stored).toEqual([{ reference, customerId: seen.customerId }]);
    expect(own('pi')).toMatchObject([{ setup_future_usage: 'off_session' }]);
    expect(taken()).toEqual([4_200]);
  });

  test("returns Stripe's decline message and can be paid with another card (PAY-9, PAY-16)", async () => {
    const link = await createPayment(shop, { customerId: (await createCustomer(shop)).id });
    expect(await tryLink(shop, link, stripeMethods.declines)).toBe('payment_failed');
    expect(await seePayment(shop, link.id)).toMatchObject({
      status: 'failed',
      failureCode: 'insufficient_funds',
    });
    expect(await tryLink(shop, link, stripeMethods.pays)).toBe('paid');
    expect([await attemptsAt(shop, link.id), own('cus').length, taken()]).toEqual([
      ['failed', 'succeeded'],
      1,
      [4_200],
    ]);
    expect(await kinds()).toContain('payment_link.failed');
  });

  test("sends no card to Stripe if it's canceled or its tax is unknown", async () => {
    const register = 'mutation { taxRegistrationCreate(input: { country: "US", region: "TX" }) { id } }';
    await t.graphql(register, {}, { key: shop.key });
    const { id: customerId } = await createCustomer(shop);
    const [open, over] = [
      await createPayment(shop, { customerId }),
      await createPayment(shop, { customerId }),
    ];
    expect((await shop.rest('POST', `/payments/${over.id}/cancel`)).status).toBe(200);
    const calls = stripe.calls.length;
    expect(await tryLink(shop, over, stripeMethods.pays)).toBe('no_outstanding_invoice');
    const billingAddress = { line1: '1 Main St', city: 'Town', postalCode: '12345', country: 'US' };
    expect(await tryLink(shop, open, stripeMethods.pays, { billingAddress })).toBe('payment_failed');
    expect([stripe.calls.length, (await seePayment(shop, open.id)).status]).toEqual([calls, 'pending']);
  });

  test('is declined without a retry if Stripe permanently rejects its amount', async () => {
    const { id: customerId } = await createCustomer(shop);
    const large = await createPayment(shop, { customerId, amount: 100_000_000 });
    const small = await createPayment(shop, { customerId, amount: 49, currency: 'eur' });
    expect([
      await tryLink(shop, large, stripeMethods.pays),
      await tryLink(shop, small, stripeMethods.pays),
    ]).toEqual(['payment_failed', 'payment_failed']);
    const codes = [await seePayment(shop, large.id), await seePayment(shop, small.id)].map(
      ({ failureCode }: SeenPayment) => failureCode,
    );
    expect([codes, own('pi')]).toEqual([['amount_too_large', 'amount_too_small'], []]);
  });

  test('is rounded down to 10 fils in a currency with 3 decimals, and the rest of the invoice is written off (INS-153)', async () => {
    const { id: customerId } = await createCustomer(shop);
    const link = await createPayment(shop, { customerId, amount: 12_345, currency: 'kwd' });
    expect(await tryLink(shop, link, stripeMethods.pays)).toBe('paid');
    expect(own('pi').map(({ amount, currency }) => [amount, currency])).toEqual([[12_340, 'kwd']]);
    const { transactions, invoice } = await seePayment(shop, link.id);
    expect(invoice).toMatchObject({ status: 'paid', total: 12_345 });
    const refund = 'mutation ($input: TransactionRefundInput!) { transactionRefund(input: $input) { id } }';
    const input = (amount: number) => ({ input: { id: transactions[0]?.id, amount } });
    expect(await rejection(t, refund, input(2_345), { key: shop.key })).toMatchObject({
      code: 'validation_error',
      param: 'amount',
    });
    await t.graphql(refund, input(2_340), { key: shop.key });
    expect(own('re').map(({ amount }) => amount)).toEqual([2_340]);
  });

  test('verifies the payment method with a SetupIntent and an authentication if the amount is below the minimum charge (BIL-35)', async () => {
    const link = await createPayment(shop, { customerId: (await createCustomer(shop)).id, amount: 49 });
    expect(await tryLink(shop, link, stripeMethods.authenticates)).toBe('requires_action');
    const setup = String(own('seti')[0]?.['id']);
    expect(await openLink(shop, link)).toMatchObject({
      nextStep: 'authenticate',
      clientSecret: `${setup}_secret`,
    });
    stripe.authenticates(setup, true);
    expect(await confirmLink(shop, link)).toBe('paid');
    expect(await seePayment(shop, link.id)).toMatchObject({
      status: 'succeeded',
      transactions: [],
      invoice: { status: 'paid', total: 49 },
    });
    expect(own('pi')).toEqual([]);
  });

  test("is authenticated with its account's client secret, and paid once Stripe confirms the payment", async () => {
    const { link, intent } = await confirming();
    await connectStripe(shop, { publishableKey: 'pk_test_2' });
    expect(await openLink(shop, link)).toEqual({
      status: 'requires_action',
      nextStep: 'authenticate',
      publishableKey: 'pk_test_1',
      clientSecret: `${intent}_secret`,
    });
    // The page reports success, but Stripe hasn't confirmed it.
    expect(await confirmLink(shop, link)).toBe('requires_action');
    expect(taken()).toEqual([]);
    stripe.authenticates(intent, true);
    expect(await confirmLink(shop, link)).toBe('paid');
    expect([await attemptsAt(shop, link.id), taken()]).toEqual([['succeeded'], [4_200]]);
    expect(await confirmLink(shop, link)).toBe('no_outstanding_invoice');
  });

  test('cancels a failed authentication at Stripe, and can be paid with another card', async () => {
    const { link } = await confirming();
    expect(await confirmLink(shop, link, false)).toBe('payment_failed');
    expect([intents(), (await seePayment(shop, link.id)).status]).toEqual([['canceled'], 'failed']);
    expect(await tryLink(shop, link, stripeMethods.pays)).toBe('paid');
    expect(taken()).toEqual([4_200]);
  });

  test('cancels a pending authentication at Stripe before a payment with another card, unless the authentication succeeded', async () => {
    const first = await confirming();
    expect(await tryLink(shop, first.link, stripeMethods.pays)).toBe('paid');
    expect([intents(), await attemptsAt(shop, first.link.id)]).toEqual([
      ['canceled', 'succeeded'],
      ['failed', 'succeeded'],
    ]);
    const second = await confirming();
    stripe.authenticates(second.intent, true);
    expect(await tryLink(shop, second.link, stripeMethods.pays)).toBe('paid');
    expect([await attemptsAt(shop, second.link.id), taken()]).toEqual([['succeeded'], [4_200, 4_200]]);
  });

  test("is canceled together with its pending authentication, unless the authentication succeeded or Stripe doesn't respond (PAY-5)", async () => {
    const cancel = ({ id }: MadePayment) => shop.rest<Row>('POST', `/payments/${id}/cancel`);
    const notCancelable = { status: 409, body: { error: { code: 'payment_not_cancelable' } } };
    const { link, intent } = await confirming();
    stripe.fails(`/v1/payment_intents/${intent}/cancel`, 500, 500);
    expect(await cancel(link)).toMatchObject(notCancelable);
    expect([(await seePayment(shop, link.id)).status, intents()]).toEqual([
      'requires_action',
      ['requires_action'],
    ]);
    expect(await cancel(link)).toMatchObject({ status: 200, body: { status: 'canceled' } });
    expect([intents(), await attemptsAt(shop, link.id)]).toEqual([['canceled'], ['failed']]);
    const passed = await confirming();
    stripe.authenticates(passed.intent, true);
    expect(await cancel(passed.link)).toMatchObject(notCancelable);
    expect([(await seePayment(shop, passed.link.id)).status, taken()]).toEqual(['succeeded', [4_200]]);
  });

  test.each(['breaks after', 429, 500, 503] as const)(
    'stays in processing after two faults of type %s, and is then charged once',
    async (fault) => {
      const link = await createPayment(shop);
      stripe.fails('/v1/payment_intents', fault, fault);
      const outcome = await tryLink(shop, link, stripeMethods.pays, { email: 'new@payer.test' });
      // The library repeats the request with the same key. The second response contains the result of the operation that Stripe executed
      // before the connection broke.
      expect(outcome).toBe(fault === 'breaks after' ? 'paid' : 'charge_in_progress');
      if (outcome !== 'paid') {
        expect(await openLink(shop, link)).toMatchObject({ status: 'processing', nextStep: 'wait' });
        expect(await tryLink(shop, link, stripeMethods.pays, { email: 'new@payer.test' })).toBe(
          'charge_in_progress',
        );
      }
      await inquired(1);
      expect([await attemptsAt(shop, link.id), taken(), await customersWith(shop, 'new@payer.test')]).toEqual(
        [['succeeded'], [4_200], 1],
      );
    },
  );

  test("isn't charged if Stripe can't store its payment method", async () => {
    const link = await createPayment(shop, { customerId: (await createCustomer(shop)).id });
    stripe.fails('/v1/customers', 500, 500);
    expect(await tryLink(shop, link, stripeMethods.pays)).toBe('charge_failed');
    expect(await seePayment(shop, link.id)).toMatchObject({ status: 'pending', transactions: [] });
    expect(await tryLink(shop, link, stripeMethods.pays)).toBe('paid');
  });
});

describe('a charge to a stored card', () => {
  test("is made off-session on the payment method's account, regardless of the default account (PAY-7, PAY-14)", async () => {
    const customerId = await payer();
    await connectStripe(shop, { publishableKey: 'pk_test_2' });
    expect(await charge(customerId)).toMatchObject({
      status: 201,
      body: { kind: 'charge', status: 'succeeded', provider: 'stripe' },
    });
    const customer = own('cus')[0]?.['id'];
    expect(own('pi')).toMatchObject([{ customer }, { customer, payment_method: stripeMethods.pays }]);
    expect([own('cus').length, taken()]).toEqual([1, [4_200, 4_200]]);
  });

  test("uses the platform's provider if the payment method belongs to it, even if an account is connected (PAY-7)", async () => {
    const { id: customerId } = await createCustomer(shop);
    expect(await tryLink(shop, await linkFor('platform', { customerId }), cards.pays)).toBe('paid');
    expect(await charge(customerId)).toMatchObject({
      status: 201,
      body: { status: 'succeeded', provider: 'platform' },
    });
    expect(own('pi')).toEqual([]);
  });

  test.each([
    ['declined', stripeMethods.declinesLater, { declineCode: 'insufficient_funds' }, 'failed'],
    [
      'rejected because it requires authentication',
      stripeMethods.wantsLater,
      { declineCode: 'authentication_required', reason: 'requires_action' },
      'requires_action',
    ],
  ])("is final if it's %s, and can't be repeated later (PAY-7)", async (_how, method, details, status) => {
    const { status: answer, body } = await charge(await payer(method));
    expect([answer, body.error]).toMatchObject([402, { code: 'payment_failed', details }]);
    expect(await seePayment(shop, String(body.error.details['paymentId']))).toMatchObject({
      status,
      transactions: [{ status: 'failed' }],
      invoice: null,
    });
    expect(taken()).toEqual([4_200]);
    expect(intents()[1]).toBe(status === 'failed' ? 'requires_payment_method' : 'canceled');
  });

  test('fails without a retry if the payment method no longer exists at Stripe (PAY-7)', async () => {
    const customerId = await payer(stripeMethods.forgotten);
    stripe.forgets(stripeMethods.forgotten);
    const { body } = await charge(customerId);
    expect(body.error).toMatchObject({
      code: 'payment_failed',
      details: { declineCode: 'payment_method_unusable' },
    });
    const calls = stripe.calls.length;
    await inquired(5);
    expect([stripe.calls.length, taken()]).toEqual([calls, [4_200]]);
  });

  test.each([429, 500, 503, 'breaks before'] as const)(
    'stays in processing after two faults of type %s, and is then made once',
    async (fault) => {
      const customerId = await payer();
      stripe.fails('/v1/payment_intents', fault, fault);
      const { status, body } = await charge(customerId);
      expect([status, body['status']]).toEqual([201, 'processing']);
      expect(await shop.rest('POST', `/payments/${String(body['id'])}/cancel`)).toMatchObject({
        status: 409,
      });
      await inquired(1);
      expect(await seePayment(shop, String(body['id']))).toMatchObject({
        status: 'succeeded',
        invoice: { status: 'paid', total: 4_200 },
      });
      expect(taken()).toEqual([4_200, 4_200]);
    },
  );
});
