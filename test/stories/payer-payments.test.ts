import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createCustomer,
  createPayment,
  createPricedPlan,
  firstShop,
  type Shop,
  setCurrency,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { advance, allEvents, expectLedgerBalanced, setClock, word } from '../support/stories.ts';

// Payments that the payer starts, through the public interfaces: Pix, boleto, and bank transfer (INS-24, INS-30, INS-132).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  await setClock(t, '2027-05-03T14:00:00Z');
  await t.settings({ checkout: { pushPayments: true }, collectByPayer: true });
});
afterAll(() => closeStory(t));

const address = { line1: 'Rua A 1', city: 'São Paulo', postalCode: '01000-000', country: 'BR' };

type Attempt = Readonly<Record<string, unknown>> & { readonly id: string };

const attempts = async (customerId: string): Promise<Attempt[]> => {
  const { customer } = await t.graphql<{
    customer: { invoices: { edges: { node: { transactions: Attempt[] } }[] } };
  }>(
    `query ($id: ID!) { customer(id: $id) { invoices(first: 10) { edges { node { transactions {
       id status stage instrument declineCode expiresAt instructions { type code line iban reference qrCode { size } } } } } } } }`,
    { id: customerId },
  );
  return customer.invoices.edges.toReversed().flatMap(({ node }) => node.transactions);
};

const report = (id: string | undefined, stage: string) =>
  t.graphql<{ sandboxAttemptReport: { stage: string } }>(
    'mutation ($input: SandboxAttemptReportInput!) { sandboxAttemptReport(input: $input) { stage } }',
    { input: { id, stage } },
  );

const statusOf = async (id: string): Promise<unknown> =>
  (await t.rest('GET', `/subscriptions/${id}`)).body['status'];

async function checkout(country: string, currency: string) {
  const plan = await createPricedPlan(shop, { price: 8_990 });
  await setCurrency(shop, plan.id, currency, 1);
  const { id: customerId } = await createCustomer(shop, country);
  const { body } = await t.rest<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
    customerId,
    planId: plan.id,
  });
  return { id: body.id, customerId, token: body.checkoutUrl.split('/').at(-1) ?? '' };
}

const pay = (token: string, paymentMethod: string, more: object = {}) =>
  t.graphql<{ checkoutPay: { status: string } }>(
    'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
    { input: { token, paymentMethod, ...more } },
    { key: null },
  );

type Shown = {
  readonly checkout: {
    readonly status: string;
    readonly nextStep: string;
    readonly instruments: readonly { readonly instrument: string; readonly paymentMethod: string | null }[];
    readonly collection: {
      readonly stage: string;
      readonly instructions: { readonly type: string } | null;
    } | null;
  };
};

const shown = async (token: string): Promise<Shown['checkout']> =>
  (
    await t.graphql<Shown>(
      'query ($token: String!) { checkout(token: $token) { status nextStep instruments { instrument paymentMethod } collection { stage instructions { type } } } }',
      { token },
      { key: null },
    )
  ).checkout;

it('a Pix code pays a checkout, and the next renewal is paid by the customer', async () => {
  const { id, customerId, token } = await checkout('BR', 'brl');
  expect((await shown(token)).instruments).toEqual([
    { instrument: 'card', paymentMethod: null },
    { instrument: 'pix', paymentMethod: 'tok_sandbox_pix_waits_0353' },
    { instrument: 'boleto', paymentMethod: 'tok_sandbox_boleto_waits_0353' },
    { instrument: 'bank_transfer', paymentMethod: 'tok_sandbox_bank_transfer_waits_0353' },
  ]);
  expect(await pay(token, 'tok_sandbox_pix_waits_0353')).toEqual({ checkoutPay: { status: 'processing' } });
  expect(await shown(token)).toMatchObject({
    status: 'open',
    nextStep: 'pay',
    collection: { stage: 'awaiting_payer', instructions: { type: 'qr' } },
  });
  const [attempt] = await attempts(customerId);
  expect(attempt).toMatchObject({
    status: 'pending',
    stage: 'awaiting_payer',
    instrument: 'pix',
    expiresAt: '2027-05-04T14:00:00.000Z',
    instructions: { type: 'qr', code: expect.stringContaining('540589.905802BR'), line: null, iban: null },
  });
  const before = (await allEvents(t)).length;
  expect(await report(attempt?.id, 'settled')).toEqual({ sandboxAttemptReport: { stage: 'settled' } });
  expect((await allEvents(t)).slice(before).map(word)).toContain('payment.received');
  expect(await statusOf(id)).toBe('active');
  expect(await shown(token)).toMatchObject({ status: 'paid', collection: null });
  await advance(t, { frozenTime: '2027-06-05T00:00:00Z' });
  const { customer } = await t.graphql<{
    customer: { paymentMethods: unknown[]; invoices: { edges: { node: Record<string, unknown> }[] } };
  }>(
    'query ($id: ID!) { customer(id: $id) { paymentMethods { id } invoices(first: 1) { edges { node { status total payableUntil payUrl } } } } }',
    { id: customerId },
  );
  expect(customer.paymentMethods).toEqual([]);
  const renewal = customer.invoices.edges[0]?.node;
  expect(renewal).toMatchObject({
    status: 'outstanding',
    total: 8_990,
    payableUntil: '2027-06-07T06:00:00.000Z',
  });
  const { recoveryPay } = await t.graphql<{ recoveryPay: unknown }>(
    `mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) {
       status amountDue instruments { instrument } collection { instrument stage amount instructions { type } } } }`,
    {
      input: {
        token: String(renewal?.['payUrl']).split('/').at(-1),
        paymentMethod: 'tok_sandbox_pix_pays_0191',
      },
    },
    { key: null },
  );
  expect(recoveryPay).toEqual({
    status: 'open',
    amountDue: 8_990,
    instruments: ['card', 'pix', 'boleto', 'bank_transfer'].map((instrument) => ({ instrument })),
    collection: { instrument: 'pix', stage: 'awaiting_payer', amount: 8_990, instructions: { type: 'qr' } },
  });
  await advance(t, { frozenTime: '2027-06-05T00:03:00Z' });
  expect(await attempts(customerId)).toMatchObject([{ stage: 'settled' }, { stage: 'settled' }]);
  expect(await statusOf(id)).toBe('active');
  await expectLedgerBalanced(t);
});

it('a boleto expires at the end of its last day, and can be paid again', async () => {
  const { id, customerId, token } = await checkout('BR', 'brl');
  const { errors } = await t.graphqlFailure(
    'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
    { input: { token, paymentMethod: 'tok_sandbox_boleto_waits_0353', billingAddress: address } },
    { key: null },
  );
  expect(errors[0]?.extensions).toMatchObject({
    code: 'validation_error',
    param: 'taxDocument',
    details: { reason: 'document_required' },
  });
  expect(await attempts(customerId)).toEqual([]);
  await pay(token, 'tok_sandbox_boleto_waits_0353', {
    billingAddress: address,
    taxDocument: '529.982.247-25',
  });
  expect(await attempts(customerId)).toMatchObject([
    {
      stage: 'awaiting_payer',
      expiresAt: '2027-06-08T02:59:00.000Z',
      instructions: { type: 'slip', line: expect.stringMatching(/^\d{37}0000008990$/) },
    },
  ]);
  await advance(t, { frozenTime: '2027-06-08T03:00:00Z' });
  expect(await attempts(customerId)).toMatchObject([{ stage: 'expired', status: 'failed' }]);
  expect(await statusOf(id)).toBe('pending_payment');
  await pay(token, 'tok_sandbox_boleto_pays_0191', {
    billingAddress: address,
    taxDocument: '529.982.247-25',
  });
  await advance(t, { frozenTime: '2027-06-09T07:00:00Z' });
  expect(await statusOf(id)).toBe('active');
  await expectLedgerBalanced(t);
});

it('a payment by the payer is rejected if it is turned off or does not fit, and changes nothing', async () => {
  const { customerId, token } = await checkout('DE', 'eur');
  const failed = async (paymentMethod: string): Promise<unknown> =>
    (
      await t.graphqlFailure(
        'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
        { input: { token, paymentMethod } },
        { key: null },
      )
    ).errors[0]?.extensions;
  expect(await failed('tok_sandbox_pix_waits_0353')).toMatchObject({
    code: 'provider_unsupported',
    details: { reason: 'currency_not_supported' },
  });
  expect(await failed('tok_sandbox_pix_waits_0000')).toMatchObject({ code: 'provider_unsupported' });
  await t.settings({ checkout: { pushPayments: false } });
  expect((await shown(token)).instruments).toEqual([{ instrument: 'card', paymentMethod: null }]);
  expect(await failed('tok_sandbox_bank_transfer_waits_0353')).toMatchObject({
    code: 'provider_unsupported',
    details: { reason: 'instrument_not_available' },
  });
  expect(await attempts(customerId)).toEqual([]);
  await t.settings({ checkout: { pushPayments: true } });
});

it('a bank transfer shows the reference of the invoice, and is paid by a report', async () => {
  const { customerId, token } = await checkout('DE', 'eur');
  await pay(token, 'tok_sandbox_bank_transfer_waits_0353');
  const [attempt] = await attempts(customerId);
  expect(attempt).toMatchObject({
    expiresAt: expect.stringMatching(/Z$/),
    instructions: {
      type: 'bank_details',
      iban: 'DE89370400440532013000',
      reference: expect.stringMatching(/^RF\d\dINV\d+$/),
      qrCode: null,
    },
  });
  const { errors } = await t.graphqlFailure(
    'mutation ($input: SandboxAttemptReportInput!) { sandboxAttemptReport(input: $input) { stage } }',
    { input: { id: attempt?.id, stage: 'returned' } },
  );
  expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error' });
  expect((await shown(token)).collection?.stage).toBe('awaiting_payer');
  await report(attempt?.id, 'settled');
  expect((await shown(token)).status).toBe('paid');
});

const linkStatus = async (token: string): Promise<unknown> =>
  (
    await t.graphql<{ paymentLink: unknown }>(
      'query ($token: String!) { paymentLink(token: $token) { status nextStep instruments { instrument } collection { stage amount instructions { type } } authentication { amount } } }',
      { token },
      { key: null },
    )
  ).paymentLink;

/** Creates a payment link for 89.90 BRL. Returns its token, and the ID of the customer. */
async function brazilianLink(): Promise<{ token: string; customerId: string }> {
  const { id: customerId } = await createCustomer(shop, 'BR');
  const { token } = await createPayment(shop, { customerId, amount: 8_990, currency: 'brl' });
  return { token, customerId };
}

const payLink = (token: string, paymentMethod: string) =>
  t.graphql<{ paymentLinkPay: { status: string } }>(
    'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }',
    { input: { token, paymentMethod } },
    { key: null },
  );

const attemptsOf = async (customerId: string): Promise<Attempt[]> => {
  const { transactions } = await t.graphql<{ transactions: { edges: { node: Attempt }[] } }>(
    'query ($customerId: String) { transactions(first: 5, customerId: $customerId) { edges { node { id status stage instrument } } } }',
    { customerId },
  );
  return transactions.edges.map(({ node }) => node);
};

it('a payment link is paid by Pix, and can be paid again after the code expires', async () => {
  const { token, customerId } = await brazilianLink();
  expect(await linkStatus(token)).toMatchObject({
    status: 'pending',
    nextStep: 'pay',
    instruments: ['card', 'pix', 'boleto', 'bank_transfer'].map((instrument) => ({ instrument })),
    collection: null,
  });
  expect(await payLink(token, 'tok_sandbox_pix_waits_0353')).toEqual({
    paymentLinkPay: { status: 'requires_action' },
  });
  expect(await linkStatus(token)).toMatchObject({
    status: 'requires_action',
    nextStep: 'pay',
    collection: { stage: 'awaiting_payer', amount: 8_990, instructions: { type: 'qr' } },
    authentication: null,
  });
  const { errors } = await t.graphqlFailure(
    'mutation ($input: PaymentLinkAuthenticateInput!) { paymentLinkAuthenticate(input: $input) { status } }',
    { input: { token, succeed: true } },
    { key: null },
  );
  expect(errors[0]?.extensions).toMatchObject({ code: 'payment_not_found' });
  await advance(t, { advanceDays: 1 });
  expect(await linkStatus(token)).toMatchObject({ status: 'failed', nextStep: 'pay', collection: null });
  expect(await attemptsOf(customerId)).toMatchObject([{ stage: 'expired', status: 'failed' }]);
  await payLink(token, 'tok_sandbox_pix_waits_0353');
  await payLink(token, 'tok_sandbox_pix_waits_0353');
  const [newest] = await attemptsOf(customerId);
  expect((await attemptsOf(customerId)).map(({ stage }) => stage)).toEqual([
    'awaiting_payer',
    'canceled',
    'expired',
  ]);
  await report(newest?.id, 'settled');
  expect(await linkStatus(token)).toMatchObject({ status: 'succeeded', nextStep: 'none', collection: null });
  const { customer } = await t.graphql<{ customer: unknown }>(
    'query ($id: ID!) { customer(id: $id) { paymentMethods { id } invoices(first: 5) { edges { node { status total } } } } }',
    { id: customerId },
  );
  expect(customer).toEqual({
    paymentMethods: [],
    invoices: { edges: [{ node: { status: 'paid', total: 8_990 } }] },
  });
  await expectLedgerBalanced(t);
});

it('a payment link is paid by boleto on the clock', async () => {
  const { token, customerId } = await brazilianLink();
  await t.rest('PATCH', `/customers/${customerId}`, { taxDocument: '52998224725', address });
  await payLink(token, 'tok_sandbox_boleto_pays_0191');
  await advance(t, { frozenTime: '2027-06-10T12:00:00Z' });
  expect(await linkStatus(token)).toMatchObject({ status: 'processing', nextStep: 'wait' });
  await advance(t, { frozenTime: '2027-06-11T07:00:00Z' });
  expect(await linkStatus(token)).toMatchObject({ status: 'succeeded' });
  expect(await attemptsOf(customerId)).toMatchObject([{ stage: 'settled', instrument: 'boleto' }]);
  await expectLedgerBalanced(t);
});

it('REST returns the payment page and the pending instructions of an invoice', async () => {
  const { customerId, token } = await checkout('DE', 'eur');
  const { customer } = await t.graphql<{ customer: { invoices: { edges: { node: { id: string } }[] } } }>(
    'query ($id: ID!) { customer(id: $id) { invoices(first: 1) { edges { node { id } } } } }',
    { id: customerId },
  );
  const path = `/invoices/${customer.invoices.edges[0]?.node.id}/payment-instructions`;
  expect((await t.rest('GET', path)).body).toMatchObject({
    status: 'outstanding',
    amountDue: 8_990,
    currency: 'eur',
    payableUntil: null,
    payUrl: expect.stringContaining('/checkout/'),
    paymentTransactionId: null,
    instrument: null,
    instructions: null,
  });
  await pay(token, 'tok_sandbox_bank_transfer_waits_0353');
  const [attempt] = await attempts(customerId);
  expect((await t.rest('GET', path)).body).toMatchObject({
    paymentTransactionId: attempt?.id,
    instrument: 'bank_transfer',
    stage: 'awaiting_payer',
    expiresAt: attempt?.['expiresAt'],
    instructions: {
      type: 'bank_details',
      code: null,
      line: null,
      iban: 'DE89370400440532013000',
      bankName: 'Sandbox Bank',
      reference: expect.stringMatching(/^RF\d\dINV\d+$/),
    },
  });
  expect((await t.rest('GET', '/invoices/inv_missing/payment-instructions')).status).toBe(404);
});
