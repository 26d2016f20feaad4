import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  cards,
  createActiveSubscription,
  createCustomer,
  createPayer,
  createPayment,
  firstShop,
  otherShop,
  payLink,
  requested,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { allEvents, expectLedgerBalanced } from '../../../support/stories.ts';

type Payment = {
  readonly id: string;
  readonly status: string;
  readonly url: string | null;
  readonly [field: string]: unknown;
};
type Rejected = { readonly error: { code: string; param?: string; details?: unknown } };

const morning = '2027-03-01T08:00:00.000Z';

describe('the one-time payment API', () => {
  let t: TestApp;
  let shop: Shop;
  const post = <T = Payment>(path: string, body?: unknown) => shop.rest<T>('POST', path, body);
  const counts = async () => {
    const tables = [
      'Payment',
      'Transaction',
      'Invoice',
      'PaymentMethod',
      'Event',
      'LedgerTransfer',
      'Customer',
    ];
    const rows = await Promise.all(
      tables.map((table) =>
        t.app.database.query<{ n: bigint }>(
          `SELECT count(*) AS n FROM "${table}" WHERE "environmentId" = $1`,
          [shop.environmentId],
        ),
      ),
    );
    return rows.map(([row]) => row?.n);
  };
  const rejectedWith = async (path: string, body: unknown, status: number, code: string, param?: string) => {
    const before = await counts();
    const answer = await post<Rejected>(path, body);
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([status, code, param]);
    expect(await counts()).toEqual(before);
  };

  beforeAll(async () => {
    t = await startApp({ wall: new MovableClock(morning) });
    shop = firstShop(t);
  });
  afterAll(async () => {
    await expectLedgerBalanced(t);
    await t.close();
  });

  it('creates a payment link for a customer by ID or external ID (PAY-2, PAY-3, PAY-6)', async () => {
    const { id, externalId } = await createCustomer(shop);
    const { status, body } = await post('/payments', {
      amount: 18_450,
      currency: 'eur',
      description: 'Workshop',
      customerId: externalId,
      successUrl: 'https://shop.test/thanks',
      metadata: { order: 'A-7' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^pay_[0-9A-Za-z]{22}$/),
      customerId: id,
      kind: 'link',
      status: 'pending',
      provider: 'platform',
      amountSubtotal: 18_450,
      taxAmount: 0,
      amountTotal: 18_450,
      currency: 'eur',
      description: 'Workshop',
      metadata: { order: 'A-7' },
      url: expect.stringMatching(/^http.*\/pay\/.+/),
      expiresAt: null,
      createdAt: morning,
      updatedAt: morning,
      object: 'payment',
      livemode: false,
    });
    expect((await shop.rest('GET', `/payments/${body.id}`)).body).toEqual(body);
    const created = (await allEvents(t)).findLast(({ event }) => event === 'payment_link.created');
    expect(created?.data).toEqual({
      paymentId: body.id,
      status: 'pending',
      amount: 18_450,
      currency: 'eur',
      description: 'Workshop',
      customerId: externalId,
    });
  });

  it('creates a payment link without a customer, and emits an event without a customer (PAY-2)', async () => {
    const { body } = await post('/payments', requested());
    expect(body).toMatchObject({ customerId: null, metadata: null, amountTotal: 4_200, status: 'pending' });
    const created = (await allEvents(t)).findLast(({ event }) => event === 'payment_link.created');
    expect(created?.data).toMatchObject({ paymentId: body.id, customerId: null });
  });

  it.each([
    ['an amount of 0', { amount: 0 }, 'amount'],
    ['a negative amount', { amount: -1 }, 'amount'],
    ['a fractional amount', { amount: 10.5 }, 'amount'],
    ['an amount above the maximum', { amount: 900_000_000_000_001 }, 'amount'],
    ['an unsupported currency', { currency: 'xau' }, 'currency'],
    ['an uppercase currency', { currency: 'USD' }, 'currency'],
    ['an empty description', { description: '' }, 'description'],
    ['metadata with values that are not strings', { metadata: { tier: 1 } }, 'metadata'],
  ])('rejects %s (PAY-2)', async (_what, more, param) => {
    await rejectedWith('/payments', requested(more), 400, 'validation_error', param);
    const { customerId } = await createPayer(shop);
    await rejectedWith(
      '/payments/charge',
      requested({ customerId, ...more }),
      400,
      'validation_error',
      param,
    );
  });

  it('accepts the maximum amount in a currency without decimals', async () => {
    const { id: customerId } = await createCustomer(shop);
    const { body } = await post(
      '/payments',
      requested({ customerId, amount: 900_000_000_000_000, currency: 'jpy' }),
    );
    await payLink(shop, String(body.url).split('/').at(-1) ?? '');
    const { body: paid } = await shop.rest<Payment>('GET', `/payments/${body.id}`);
    expect(paid).toMatchObject({ status: 'succeeded', amountTotal: 900_000_000_000_000 });
  });

  it("doesn't find another organization's payments and customers", async () => {
    const other = await otherShop(t);
    const { customerId, paymentId } = await createPayer(other);
    expect((await shop.rest('GET', `/payments/${paymentId}`)).status).toBe(404);
    await rejectedWith(`/payments/${paymentId}/cancel`, undefined, 404, 'payment_not_found', 'id');
    await rejectedWith('/payments', requested({ customerId }), 404, 'customer_not_found', 'customerId');
    await rejectedWith(
      '/payments/charge',
      requested({ customerId }),
      404,
      'customer_not_found',
      'customerId',
    );
    expect(
      (await shop.rest<{ data: unknown[] }>('GET', `/payments?customerId=${customerId}`)).body.data,
    ).toEqual([]);
  });

  it('charges a stored payment method without a subscription (PAY-7)', async () => {
    const { customerId } = await createPayer(shop);
    const before = (await allEvents(t)).length;
    const { status, body } = await post(
      '/payments/charge',
      requested({ customerId, amount: 2_500, metadata: { ticket: '12' } }),
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'charge',
      status: 'succeeded',
      amountTotal: 2_500,
      url: null,
      metadata: { ticket: '12' },
    });
    expect((await allEvents(t)).slice(before).map(({ event }) => event)).toEqual([
      'invoice.created',
      'payment.received',
    ]);
    const { payment } = await t.graphql<{ payment: unknown }>(
      `query ($id: ID!) { payment(id: $id) { customer { id } invoice { status total metadata subscriptionId lineItems { lineType description amount } }
        transactions { status grossAmount payment { id } } } }`,
      { id: body.id },
    );
    expect(payment).toEqual({
      customer: { id: customerId },
      invoice: {
        status: 'paid',
        total: 2_500,
        subscriptionId: null,
        metadata: { ticket: '12' },
        lineItems: [{ lineType: 'one_time', description: 'Workshop', amount: 2_500 }],
      },
      transactions: [{ status: 'succeeded', grossAmount: 2_500, payment: { id: body.id } }],
    });
  });

  it("charges the subscription's payment method, even if another one was stored later (PAY-7)", async () => {
    const { customerId } = await createActiveSubscription(shop);
    const { token } = await createPayment(shop, { customerId });
    await payLink(shop, token, {}, cards.declinesLater);
    expect((await post('/payments/charge', requested({ customerId }))).status).toBe(201);
  });

  it("returns an off-session charge's decline code, and stores the failed payment (PAY-7)", async () => {
    const { customerId } = await createPayer(shop, cards.declinesLater);
    const before = (await allEvents(t)).length;
    const { status, body } = await post<Rejected>('/payments/charge', requested({ customerId }));
    const paymentId = (body.error.details as { paymentId: string }).paymentId;
    expect([status, body.error.code, body.error.details]).toEqual([
      402,
      'payment_failed',
      { declineCode: 'card_declined', paymentId },
    ]);
    expect((await allEvents(t)).length).toBe(before);
    expect((await shop.rest('GET', `/payments/${paymentId}`)).body).toMatchObject({
      kind: 'charge',
      status: 'failed',
    });
    await rejectedWith(`/payments/${paymentId}/cancel`, undefined, 409, 'payment_not_cancelable');
  });

  it('charges once for one idempotency key', async () => {
    const { customerId } = await createPayer(shop);
    const headers = { 'idempotency-key': 'once' };
    const [a, b] = [
      await shop.rest<Payment>('POST', '/payments/charge', requested({ customerId }), { headers }),
      await shop.rest<Payment>('POST', '/payments/charge', requested({ customerId }), { headers }),
    ];
    expect(b.body).toEqual(a.body);
    expect(
      (await shop.rest<{ data: unknown[] }>('GET', `/payments?customerId=${customerId}`)).body.data,
    ).toHaveLength(2);
  });

  it('cancels unpaid links, even after a declined payment, and returns the same response for a repeated request (PAY-5, PAY-E2)', async () => {
    for (const body of [{}, { customerId: (await createCustomer(shop)).id }]) {
      const { id, token } = await createPayment(shop, body);
      await expect(payLink(shop, token, { email: 'somebody@shop.test' }, cards.declines)).rejects.toThrow(
        'payment_failed',
      );
      const { body: canceled, status } = await post(`/payments/${id}/cancel`);
      expect([status, canceled.status]).toEqual([200, 'canceled']);
      const before = await counts();
      expect((await post(`/payments/${id}/cancel`)).body).toEqual(canceled);
      expect(await counts()).toEqual(before);
      await expect(payLink(shop, token, { email: 'somebody@shop.test' })).rejects.toThrow(
        'no_outstanding_invoice',
      );
      expect(await counts()).toEqual(before);
    }
    const { id } = await createPayment(shop);
    expect((await post(`/payments/${id}/cancel`)).body).toMatchObject({
      status: 'canceled',
      customerId: null,
    });
    const last = (await allEvents(t)).at(-1);
    expect([last?.event, last?.data['paymentId'], last?.data['customerId']]).toEqual([
      'payment_link.canceled',
      id,
      null,
    ]);
    await rejectedWith(
      `/payments/${(await createPayer(shop)).paymentId}/cancel`,
      undefined,
      409,
      'payment_not_cancelable',
    );
  });

  it("leaves the customer's subscription and credits unchanged (PAY-10)", async () => {
    const { id, customerId } = await createActiveSubscription(shop);
    await shop.rest('POST', `/customers/${customerId}/credits`, {
      amount: 500,
      currency: 'usd',
      reason: 'Sorry.',
    });
    const subscription = (await shop.rest('GET', `/subscriptions/${id}`)).body;
    const credits = (await shop.rest('GET', `/customers/${customerId}/credits`)).body;
    const { token } = await createPayment(shop, { customerId });
    await payLink(shop, token);
    await post('/payments/charge', requested({ customerId }));
    expect((await shop.rest('GET', `/subscriptions/${id}`)).body).toEqual(subscription);
    expect((await shop.rest('GET', `/customers/${customerId}/credits`)).body).toEqual(credits);
  });

  it('refunds a payment without changing the subscription, and links disputes to the payment link (PAY-28, PAY-29, PAY-32)', async () => {
    const { id, customerId } = await createActiveSubscription(shop);
    const { id: paymentId, token } = await createPayment(shop, { customerId });
    await payLink(shop, token, {}, '4000000000000259');
    const events = await allEvents(t);
    expect(events.at(-1)).toMatchObject({
      event: 'payment.disputed',
      data: { paymentLinkId: paymentId, disputeAmount: 4_200 },
    });
    const { body } = await post('/payments/charge', requested({ customerId }));
    const { payment } = await t.graphql<{ payment: { transactions: { id: string }[] } }>(
      'query ($id: ID!) { payment(id: $id) { transactions { id } } }',
      { id: body.id },
    );
    expect((await post(`/transactions/${payment.transactions[0]?.id}/refund`)).status).toBe(200);
    expect((await allEvents(t)).slice(-2)).toMatchObject([
      { event: 'payment.refunded', data: { paymentLinkId: null, refundAmount: 4_200 } },
      { event: 'credit_note.created', data: { subscriptionId: null, total: -4_200 } },
    ]);
    expect((await shop.rest('GET', `/subscriptions/${id}`)).body).toMatchObject({ status: 'active' });
    expect((await shop.rest('GET', `/payments/${body.id}`)).body).toMatchObject({ status: 'succeeded' });
    const retried = await post<Rejected>(`/transactions/${payment.transactions[0]?.id}/retry`);
    expect([retried.status, retried.body.error.code]).toEqual([409, 'no_outstanding_invoice']);
  });
});
