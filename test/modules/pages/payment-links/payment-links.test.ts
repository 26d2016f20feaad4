import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cards,
  createCustomer,
  createPayment,
  firstShop,
  payLink,
  payment,
  type Shop,
} from '../../../support/factories.ts';
import { newTenant, startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { allEvents, expectLedgerBalanced } from '../../../support/stories.ts';

const fields = `status nextStep organizationName customerEmail description amountSubtotal taxAmount amountTotal currency currencyDecimals
  country successUrl saveCard livemode`;
const query = `query ($token: String!, $country: String) { paymentLink(token: $token, country: $country) { ${fields} } }`;
const pay = `mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status paymentLink { ${fields} } } }`;
const authenticate =
  'mutation ($input: PaymentLinkAuthenticateInput!) { paymentLinkAuthenticate(input: $input) { status paymentLink { status } } }';
const anonymous = { key: null };

type Link = { status: string; nextStep: string; customerEmail: string | null; [field: string]: unknown };
type Customer = { id: string; externalId: string | null; email: string; createdAt: string };

describe('the payment link page', () => {
  let t: TestApp;
  let shop: Shop;
  const link = async (token: string, more: object = {}): Promise<Link> =>
    (await t.graphql<{ paymentLink: Link }>(query, { token, ...more }, anonymous)).paymentLink;
  const declineOf = async (operation: string, variables: Record<string, unknown>) =>
    (await t.graphqlFailure(operation, variables, anonymous)).errors[0]?.extensions;
  const kinds = async (from: number) => (await allEvents(t)).slice(from).map(({ event }) => event);
  const withEmail = async (email: string): Promise<Customer[]> =>
    (await shop.rest<{ data: Customer[] }>('GET', '/customers?limit=100')).body.data.filter(
      (one) => one.email === email,
    );

  beforeAll(async () => {
    t = await startApp();
    shop = firstShop(t);
  });
  afterAll(async () => {
    await expectLedgerBalanced(t);
    await t.close();
  });

  it("shows the amount and the customer, but none of the organization's private data", async () => {
    const { id: customerId } = await createCustomer(shop, 'DE');
    const { token } = await createPayment(shop, {
      customerId,
      successUrl: 'https://shop.test/thanks',
      metadata: { margin: 'high' },
    });
    expect(await link(token)).toEqual({
      status: 'pending',
      nextStep: 'pay',
      organizationName: expect.any(String),
      customerEmail: expect.stringContaining('@'),
      description: 'Workshop',
      amountSubtotal: 4_200,
      taxAmount: 0,
      amountTotal: 4_200,
      currency: 'usd',
      currencyDecimals: 2,
      country: 'DE',
      successUrl: 'https://shop.test/thanks',
      saveCard: 'always',
      livemode: false,
    });
    expect(await link(token, { country: 'FR' })).toMatchObject({ amountTotal: 4_200 });
  });

  it('creates a customer for the payer if the link has no customer (PAY-2, PAY-8)', async () => {
    const { id, token } = await createPayment(shop);
    const before = (await allEvents(t)).length;
    expect(await payLink(shop, token, { email: 'new@payer.test' })).toBe('paid');
    expect(await kinds(before)).toEqual([
      'customer.created',
      'invoice.created',
      'payment.received',
      'payment_link.completed',
    ]);
    const [customer, ...others] = await withEmail('new@payer.test');
    expect(others).toEqual([]);
    expect((await shop.rest('GET', `/payments/${id}`)).body).toMatchObject({
      status: 'succeeded',
      customerId: customer?.id,
    });
    expect(await link(token)).toMatchObject({
      status: 'succeeded',
      nextStep: 'none',
      customerEmail: 'new@payer.test',
    });
    const charge = { customerId: customer?.id, amount: 700, currency: 'usd', description: 'More' };
    expect((await shop.rest('POST', '/payments/charge', charge)).status).toBe(201);
  });

  it.each([
    { saveCard: undefined, agreed: undefined, isSaved: true },
    { saveCard: 'optional', agreed: true, isSaved: true },
    { saveCard: 'optional', agreed: undefined, isSaved: false },
    { saveCard: 'never', agreed: true, isSaved: false },
  ])(
    'saves the card as stated on the page: link $saveCard, payer consent $agreed → $isSaved (PAY-8)',
    async ({ saveCard, agreed, isSaved }) => {
      const { id: customerId } = await createCustomer(shop);
      const { id, token } = await createPayment(shop, { customerId, saveCard });
      expect(await link(token)).toMatchObject({ saveCard: saveCard ?? 'always' });
      expect(await payLink(shop, token, { saveCard: agreed })).toBe('paid');
      const { payment: paid } = await t.graphql<{ payment: Record<string, unknown> }>(
        `query ($id: ID!) { payment(id: $id) { cardSavedAt customer { paymentMethods { last4 } }
          transactions { id paymentMethod { last4 } } } }`,
        { id },
      );
      expect(paid).toMatchObject({
        cardSavedAt: isSaved ? expect.any(String) : null,
        customer: { paymentMethods: isSaved ? [{ last4: '4242' }] : [] },
        transactions: [{ paymentMethod: { last4: '4242' } }],
      });
      const charged = { customerId, amount: 700, currency: 'usd', description: 'More' };
      const { status, body } = await shop.rest('POST', '/payments/charge', charged);
      expect([status, (body as { error?: { code: string } }).error?.code]).toEqual(
        isSaved ? [201, undefined] : [409, 'no_payment_method'],
      );
      const [transaction] = paid['transactions'] as { id: string }[];
      const refunded = await shop.rest('POST', `/transactions/${transaction?.id}/refund`, {});
      expect(refunded.status).toBe(200);
    },
  );

  it('rejects an unknown value of saveCard, and creates no link (PAY-8)', async () => {
    const before = (await allEvents(t)).length;
    const body = { amount: 4_200, currency: 'usd', description: 'Workshop', saveCard: 'maybe' };
    expect(await shop.rest('POST', '/payments', body)).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error' } },
    });
    expect(await kinds(before)).toEqual([]);
  });

  it('uses the oldest customer with the entered email address (OQ-77)', async () => {
    const email = 'shared@payer.test';
    const made: { body: Customer }[] = [];
    for (const externalId of ['first', 'second'])
      made.push(await shop.rest<Customer>('POST', '/customers', { email, externalId }));
    const { id, token } = await createPayment(shop);
    await payLink(shop, token, { email });
    expect(await withEmail(email)).toHaveLength(2);
    expect((await shop.rest('GET', `/payments/${id}`)).body).toMatchObject({ customerId: made[0]?.body.id });
    expect((await allEvents(t)).at(-1)?.data).toMatchObject({ paymentId: id, customerId: 'first' });
  });

  it('accepts another payer after a declined payment if the link has no customer', async () => {
    const { id, token } = await createPayment(shop);
    const first = { input: { ...payment(token, cards.declines), email: 'one@payer.test' } };
    expect(await declineOf(pay, first)).toMatchObject({
      code: 'payment_failed',
      details: { declineCode: 'card_declined' },
    });
    expect(await link(token)).toMatchObject({ status: 'failed', nextStep: 'pay', customerEmail: null });
    await payLink(shop, token, { email: 'two@payer.test' });
    const [two] = await withEmail('two@payer.test');
    expect((await shop.rest('GET', `/payments/${id}`)).body).toMatchObject({ customerId: two?.id });
    const { payment: paid } = await t.graphql<{ payment: { transactions: unknown[] } }>(
      'query ($id: ID!) { payment(id: $id) { transactions { status customerEmail declineCode } } }',
      { id },
    );
    expect(paid.transactions).toEqual([
      { status: 'failed', customerEmail: 'one@payer.test', declineCode: 'card_declined' },
      { status: 'succeeded', customerEmail: 'two@payer.test', declineCode: null },
    ]);
  });

  it('requires an email address for a link without a customer, and reports all problems with a card in one response', async () => {
    const { token } = await createPayment(shop);
    const before = (await allEvents(t)).length;
    expect(await rejection(t, pay, { input: payment(token) }, anonymous)).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'email' }],
    });
    const card = { number: '4242', expMonth: 13, expYear: 2099, cvc: '1' };
    const rejected = await rejection(
      t,
      pay,
      { input: { token, card, email: 'nobody@payer.test' } },
      anonymous,
    );
    expect(rejected).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'card.number' }, { field: 'card.expMonth' }, { field: 'card.cvc' }],
    });
    expect((await allEvents(t)).length).toBe(before);
    expect(await withEmail('nobody@payer.test')).toEqual([]);
  });

  it('requires authentication, which can succeed, fail, or be abandoned (PAY-4)', async () => {
    const { id: customerId } = await createCustomer(shop);
    const { token } = await createPayment(shop, { customerId });
    const before = (await allEvents(t)).length;
    expect(await payLink(shop, token, {}, cards.authenticates)).toBe('requires_action');
    expect(await link(token)).toMatchObject({ status: 'requires_action', nextStep: 'authenticate' });
    expect(await declineOf(authenticate, { input: { token, succeed: false } })).toMatchObject({
      code: 'payment_failed',
      details: { declineCode: 'authentication_failed' },
    });
    await payLink(shop, token, {}, cards.authenticates);
    await payLink(shop, token, {}, cards.authenticates);
    const { paymentLinkAuthenticate } = await t.graphql<{ paymentLinkAuthenticate: unknown }>(
      authenticate,
      { input: { token, succeed: true } },
      anonymous,
    );
    expect(paymentLinkAuthenticate).toEqual({ status: 'paid', paymentLink: { status: 'succeeded' } });
    expect(await rejection(t, authenticate, { input: { token, succeed: true } }, anonymous)).toMatchObject({
      code: 'no_outstanding_invoice',
    });
    expect(await kinds(before)).toEqual([
      'payment_link.failed',
      'invoice.created',
      'payment.received',
      'payment_link.completed',
    ]);
  });

  it('rejects the completion of an authentication if no card was entered', async () => {
    const { token } = await createPayment(shop);
    expect(await rejection(t, authenticate, { input: { token, succeed: true } }, anonymous)).toMatchObject({
      code: 'payment_not_found',
    });
  });

  it('rejects other payers while an authentication is pending', async () => {
    const { token } = await createPayment(shop);
    await payLink(shop, token, { email: 'mine@payer.test' }, cards.authenticates);
    const rival = { input: { ...payment(token), email: 'rival@payer.test' } };
    expect(await rejection(t, pay, rival, anonymous)).toMatchObject({ code: 'charge_in_progress' });
    expect(await withEmail('rival@payer.test')).toEqual([]);
    expect(await payLink(shop, token, { email: 'mine@payer.test' })).toBe('paid');
  });

  it('rejects a second payment (PAY-4)', async () => {
    const { token } = await createPayment(shop);
    await payLink(shop, token, { email: 'once@payer.test' });
    const before = (await allEvents(t)).length;
    const again = { input: { ...payment(token), email: 'twice@payer.test' } };
    expect(await rejection(t, pay, again, anonymous)).toMatchObject({ code: 'no_outstanding_invoice' });
    expect((await allEvents(t)).length).toBe(before);
    expect(await withEmail('twice@payer.test')).toEqual([]);
  });

  it('returns the invoice to the payer only if the link has a customer', async () => {
    type Paid = { status: string; receiptUrl: string | null };
    const paid = async (token: string, number: string, more: object = {}): Promise<Paid> =>
      (
        await t.graphql<{ paymentLinkPay: Paid }>(
          'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status receiptUrl } }',
          { input: { ...payment(token, number), ...more } },
          anonymous,
        )
      ).paymentLinkPay;
    const { id: customerId } = await createCustomer(shop);
    const open = expect.stringMatching(/\/invoice\/[\w.-]+$/);
    const { token } = await createPayment(shop, { customerId });
    expect(await paid(token, cards.pays)).toEqual({ status: 'paid', receiptUrl: open });
    const asked = await createPayment(shop, { customerId });
    expect(await paid(asked.token, cards.authenticates)).toEqual({
      status: 'requires_action',
      receiptUrl: null,
    });
    const { paymentLinkAuthenticate: confirmed } = await t.graphql<{ paymentLinkAuthenticate: Paid }>(
      'mutation ($input: PaymentLinkAuthenticateInput!) { paymentLinkAuthenticate(input: $input) { status receiptUrl } }',
      { input: { token: asked.token, succeed: true } },
      anonymous,
    );
    expect(confirmed).toEqual({ status: 'paid', receiptUrl: open });
    const anyone = await createPayment(shop);
    expect(await paid(anyone.token, cards.pays, { email: 'anyone@shop.test' })).toEqual({
      status: 'paid',
      receiptUrl: null,
    });
  });

  it('rejects test cards in the live environment (PLT-3, PAY-38)', async () => {
    const { liveKey } = await newTenant(t.app, 'Live');
    const connection =
      'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id } }';
    const keys = { name: 'Main', secretKey: 'sk_live_1', publishableKey: 'pk_live_1' };
    await t.graphql(connection, { input: keys }, { key: liveKey });
    const { body } = await t.rest<{ url: string }>(
      'POST',
      '/payments',
      { amount: 900, currency: 'usd', description: 'X' },
      { key: liveKey },
    );
    const input = { ...payment(body.url.split('/').at(-1) ?? ''), email: 'live@payer.test' };
    expect(await rejection(t, pay, { input }, anonymous)).toMatchObject({ code: 'provider_unsupported' });
  });

  it("stores the payer's address and tax ID after payment (PAY-18)", async () => {
    const { token } = await createPayment(shop);
    const billingAddress = { line1: '1 Weg', city: 'Berlin', postalCode: '10115', country: 'DE' };
    await payLink(shop, token, { email: 'berlin@payer.test', billingAddress, taxDocument: 'DE136695976' });
    const [customer] = await withEmail('berlin@payer.test');
    const { body } = await shop.rest('GET', `/customers/${customer?.id}`);
    expect(body).toMatchObject({ taxDocument: 'DE136695976' });
    expect((await link(token))['country']).toBe('DE');
  });
});
