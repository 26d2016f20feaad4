import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCustomer, createPricedPlan, firstShop, type Shop, setCurrency } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { advance, allEvents, expectLedgerBalanced, setClock, word } from '../support/stories.ts';

// Receipts through the public interfaces: transfers of any amount, unmatched transfers, and money on account (INS-70 to INS-78).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  await setClock(t, '2027-05-03T14:00:00Z');
  await t.settings({ checkout: { pushPayments: true }, collectByPayer: true });
});
afterAll(() => closeStory(t));

type Shown = Readonly<Record<string, unknown>> & { readonly id: string };

/** Subscription of a German customer that waits for a transfer of 89.90 EUR. */
async function waiting() {
  const plan = await createPricedPlan(shop, { price: 8_990 });
  await setCurrency(shop, plan.id, 'eur', 1);
  const { id: customerId } = await createCustomer(shop, 'DE');
  const { body } = await t.rest<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
    customerId,
    planId: plan.id,
  });
  await t.graphql(
    'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
    {
      input: {
        token: body.checkoutUrl.split('/').at(-1) ?? '',
        paymentMethod: 'tok_sandbox_bank_transfer_waits_0353',
      },
    },
    { key: null },
  );
  return { id: body.id, customerId };
}

type Payable = {
  readonly id: string;
  readonly status: string;
  readonly amountDue: number;
  readonly amountPaid: number;
  readonly transactions: readonly {
    readonly stage: string;
    readonly instructions: { readonly reference: string } | null;
    readonly receipt: { readonly id: string } | null;
  }[];
};

const latestInvoice = async (customerId: string): Promise<Payable> => {
  const { customer } = await t.graphql<{ customer: { invoices: { edges: { node: Payable }[] } } }>(
    `query ($id: ID!) { customer(id: $id) { invoices(first: 1) { edges { node { id status amountDue amountPaid
       transactions { stage instructions { reference } receipt { id } } } } } } }`,
    { id: customerId },
  );
  const invoice = customer.invoices.edges[0]?.node;
  if (invoice === undefined) throw new Error('no invoice');
  return invoice;
};

const transfer = async (input: object): Promise<Shown> =>
  (
    await t.graphql<{ sandboxTransfer: Shown }>(
      `mutation ($input: SandboxTransferInput!) { sandboxTransfer(input: $input) {
         id status source amount appliedAmount remainingAmount customer { id } invoice { id } } }`,
      { input: { currency: 'eur', ...input } },
    )
  ).sandboxTransfer;

const eventsSince = async (before: number): Promise<string[]> =>
  (await allEvents(t))
    .slice(before)
    .map(word)
    .filter((kind) => kind.startsWith('receipt') || kind === 'payment.received');

it('transfers by the reference of a checkout activate the subscription, and the surplus lowers the next renewal', async () => {
  const { id, customerId } = await waiting();
  const invoice = await latestInvoice(customerId);
  const reference = invoice.transactions[0]?.instructions?.reference;
  const before = (await allEvents(t)).length;
  expect(await transfer({ amount: 5_000, reference: `Rechnung ${reference}` })).toMatchObject({
    status: 'on_account',
    source: 'simulation',
    amount: 5_000,
    appliedAmount: 0,
    remainingAmount: 5_000,
    customer: { id: customerId },
    invoice: { id: invoice.id },
  });
  expect((await t.rest('GET', `/subscriptions/${id}`)).body['status']).toBe('pending_payment');
  const second = await t.rest<Shown>('POST', '/receipts', {
    amount: 5_000,
    currency: 'eur',
    reference,
    bankReference: 'bank-2',
    payerName: 'Acme GmbH',
  });
  expect(second.status).toBe(201);
  expect(second.body).toMatchObject({
    status: 'on_account',
    source: 'manual',
    appliedAmount: 3_990,
    remainingAmount: 1_010,
    payerName: 'Acme GmbH',
    bankReference: 'bank-2',
  });
  expect((await t.rest('GET', `/subscriptions/${id}`)).body['status']).toBe('active');
  const paid = await latestInvoice(customerId);
  expect(paid).toMatchObject({ status: 'paid', amountDue: 0, amountPaid: 8_990 });
  expect(paid.transactions.map(({ receipt }) => receipt?.id)).toContain(second.body.id);
  expect(await eventsSince(before)).toEqual(['receipt.recorded', 'payment.received', 'receipt.recorded']);
  await advance(t, { frozenTime: '2027-06-05T00:00:00Z' });
  expect(await latestInvoice(customerId)).toMatchObject({
    status: 'outstanding',
    amountDue: 7_980,
    amountPaid: 1_010,
  });
  expect((await t.rest('GET', `/receipts/${second.body.id}`)).body).toMatchObject({
    status: 'applied',
    appliedAmount: 5_000,
    remainingAmount: 0,
  });
  await expectLedgerBalanced(t);
});

it('an unmatched transfer is listed, applied to an invoice, and its rest is returned', async () => {
  const { customerId } = await waiting();
  const invoice = await latestInvoice(customerId);
  const unmatched = await transfer({ amount: 10_000, reference: 'thanks', bankReference: 'bank-3' });
  expect(unmatched).toMatchObject({ status: 'unmatched', customer: null, invoice: null });
  const listed = await t.rest<{ data: Shown[] }>('GET', '/receipts?status=unmatched');
  expect(listed.body.data.map(({ id }) => id)).toEqual([unmatched.id]);
  const { receipts } = await t.graphql<{ receipts: { totals: unknown } }>(
    '{ receipts(filter: { statuses: [unmatched] }, first: 1) { totals { currency status count amount appliedAmount returnedAmount } } }',
  );
  expect(receipts.totals).toEqual([
    { currency: 'eur', status: 'unmatched', count: 1, amount: 10_000, appliedAmount: 0, returnedAmount: 0 },
  ]);
  await expectLedgerBalanced(t);
  const apply = (body: object) => t.rest<Shown>('POST', `/receipts/${unmatched.id}/apply`, body);
  const part = await apply({ invoiceId: invoice.id, amount: 1_000 });
  expect([part.status, part.body['param'] ?? part.body['error']]).toMatchObject([400, expect.anything()]);
  expect((await t.rest('GET', `/receipts/${unmatched.id}`)).body).toMatchObject({ status: 'unmatched' });
  expect((await apply({ invoiceId: 'inv_missing' })).status).toBe(404);
  expect((await apply({ invoiceId: invoice.id })).body).toMatchObject({
    status: 'on_account',
    appliedAmount: 8_990,
    remainingAmount: 1_010,
  });
  expect(await latestInvoice(customerId)).toMatchObject({ status: 'paid' });
  const returned = await t.rest('POST', `/receipts/${unmatched.id}/return`, {});
  expect(returned.body).toMatchObject({ status: 'applied', returnedAmount: 1_010, remainingAmount: 0 });
  expect((await t.rest('POST', `/receipts/${unmatched.id}/return`, {})).status).toBe(400);
  await expectLedgerBalanced(t);
});

it('an unmatched transfer is returned once', async () => {
  const { id } = await transfer({ amount: 700 });
  const before = (await allEvents(t)).length;
  expect((await t.rest('POST', `/receipts/${id}/return`, {})).body).toMatchObject({
    status: 'returned',
    returnedAmount: 700,
  });
  expect(await eventsSince(before)).toEqual(['receipt.returned']);
  expect((await t.rest('POST', `/receipts/${id}/return`, {})).status).toBe(400);
  expect(await eventsSince(before)).toEqual(['receipt.returned']);
  await expectLedgerBalanced(t);
});

it('a reference of the bank is recorded once, and wrong input changes nothing', async () => {
  const count = async () =>
    (
      await t.graphql<{ receipts: { totalCount: { value: number } } }>(
        '{ receipts(first: 1) { totalCount { value } } }',
      )
    ).receipts.totalCount.value;
  const record = (body: object) => t.rest('POST', '/receipts', { currency: 'eur', ...body });
  const known = { amount: 500, bankReference: 'bank-9' };
  expect((await record(known)).status).toBe(201);
  const before = await count();
  expect((await record(known)).status).toBe(409);
  const both = await Promise.all(['a', 'b'].map(() => record({ amount: 600, bankReference: 'bank-10' })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  for (const wrong of [
    { amount: 0 },
    { amount: -5 },
    { amount: 5, currency: 'xxx' },
    { amount: 5, receivedAt: '2099-01-01T00:00:00Z' },
  ])
    expect((await record(wrong)).status).toBe(400);
  expect(await count()).toBe(before + 1);
  await expectLedgerBalanced(t);
});
