import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createCustomer,
  createPricedPlan,
  firstShop,
  openPortal,
  payment,
  setCurrency,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import {
  advance,
  allEvents,
  expectLedgerBalanced,
  invoicesOf,
  sellPlan,
  setClock,
  subscribe,
  word,
} from '../support/stories.ts';

// Bank debits by the simulated bank, through the public interfaces (INS-130 to INS-132).

let shop: TestApp;

beforeAll(async () => {
  shop = await startApp();
  await setClock(shop, '2027-06-17T10:00:00Z');
  await sellPlan(shop, 'pro', { billingInterval: 'monthly', price: 1_000 });
});
afterAll(() => closeStory(shop));

type Attempt = Readonly<Record<string, unknown>>;

/** Pays an open checkout by debit from an account. */
const debit = (token: string | null, paymentMethod: string, country = 'US') =>
  shop.graphql<{ checkoutPay: { status: string } }>(
    'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
    {
      input: {
        token,
        paymentMethod,
        billingAddress: { line1: '1 Main St', city: 'Springfield', postalCode: '12345', country },
      },
    },
    { key: null },
  );

const attempts = async (customerId: string): Promise<Attempt[]> => {
  const { customer } = await shop.graphql<{
    customer: { invoices: { nodes: { transactions: Attempt[] }[] } };
  }>(
    `query ($id: ID!) { customer(id: $id) { invoices(first: 10) { nodes: edges { node { transactions {
       status stage instrument declineCode collectionOn expectedOn latestOn returnedAt reports { stage at code } } } } } } }`,
    { id: customerId },
  );
  return (customer.invoices.nodes as unknown as { node: { transactions: Attempt[] } }[])
    .toReversed()
    .flatMap(({ node }) => node.transactions);
};

const statusOf = async (id: string): Promise<unknown> =>
  (await shop.rest('GET', `/subscriptions/${id}`)).body['status'];

describe('a debit from a bank account in the United States', () => {
  it('gives access when it is accepted, and pays the invoice after 4 business days', async () => {
    const { id, token } = await subscribe(shop, 'ada', 'pro');
    await debit(token, 'tok_sandbox_ach_debit_settles_6789');
    expect(await statusOf(id)).toBe('active');
    expect(await attempts('ada')).toEqual([
      {
        status: 'pending',
        stage: 'processing',
        instrument: 'ach_debit',
        declineCode: null,
        collectionOn: '2027-06-17T00:00:00.000Z',
        expectedOn: '2027-06-23T00:00:00.000Z',
        latestOn: '2027-06-24T00:00:00.000Z',
        returnedAt: null,
        reports: [{ stage: 'processing', at: '2027-06-17T10:00:00.000Z', code: null }],
      },
    ]);
    const before = (await allEvents(shop)).length;
    await advance(shop, { frozenTime: '2027-06-24T00:00:00Z' });
    expect((await allEvents(shop)).slice(before).map(word)).toEqual(['payment.received']);
    expect((await invoicesOf(shop, id)).map(({ status }) => status)).toEqual(['paid']);
    const { body: clock } = await shop.rest<{ latestRun: { items: Attempt[] } }>('GET', '/test-clock');
    expect(clock.latestRun.items).toMatchObject([{ kind: 'billing_cycle', outcome: 'collected' }]);
    const { customer } = await shop.graphql<{ customer: Attempt }>(
      'query ($id: ID!) { customer(id: $id) { mandates { status reason endedAt paymentMethod { instrument last4 } } paymentMethods { instrument brand last4 expMonth expYear } } }',
      { id: 'ada' },
    );
    const shown = { instrument: 'ach_debit', last4: '6789' };
    expect(customer).toEqual({
      mandates: [{ status: 'active', reason: null, endedAt: null, paymentMethod: shown }],
      paymentMethods: [{ ...shown, brand: 'ach_debit', expMonth: 12, expYear: 9999 }],
    });
    await expectLedgerBalanced(shop);
  });

  it('fails for a closed account, ends the mandate, and is not retried', async () => {
    const { id, token } = await subscribe(shop, 'bob', 'pro');
    await debit(token, 'tok_sandbox_ach_debit_is_ended_1113');
    const before = (await allEvents(shop)).length;
    await advance(shop, { frozenTime: '2027-06-28T06:00:00Z' });
    expect((await allEvents(shop)).slice(before).map(word)).toEqual([
      'payment.processing',
      'payment.failed',
      'subscription.past_due',
      'customer.state_changed:past_due',
      'mandate.revoked',
    ]);
    expect(await attempts('bob')).toMatchObject([
      { stage: 'declined', status: 'failed', declineCode: 'R02' },
    ]);
    await advance(shop, { frozenTime: '2027-07-06T00:00:00Z' });
    expect(await statusOf(id)).toBe('canceled');
    expect(await attempts('bob')).toHaveLength(1);
    await expectLedgerBalanced(shop);
  });

  it("is rejected if the sandbox doesn't know the account", async () => {
    const { id, token } = await subscribe(shop, 'eve', 'pro');
    await expect(debit(token, 'tok_sandbox_ach_debit_settles_0000')).rejects.toThrow();
    expect(await statusOf(id)).toBe('pending_payment');
    expect(await attempts('eve')).toEqual([]);
  });
});

describe('a returned SEPA debit of an invoice that is paid again', () => {
  let customerId: string;
  let id: string;

  beforeAll(async () => {
    const seller = firstShop(shop);
    const plan = await createPricedPlan(seller, { price: 5_000 });
    await setCurrency(seller, plan.id, 'eur', 1);
    ({ id: customerId } = await createCustomer(seller, 'DE'));
    const { body } = await shop.rest<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
      customerId,
      planId: plan.id,
    });
    ({ id } = body);
    const token = body.checkoutUrl.split('/').at(-1) ?? null;
    await debit(token, 'tok_sandbox_sepa_debit_returns_3002', 'DE');
  });

  type Totals = { currency: string; totalPaid: number }[];

  /** Returns the collected amount on each page that shows one: of the customer, of the list of customers, and of today. */
  const collected = async (): Promise<Record<string, unknown>> => {
    const { customer, customers, upcomingPayments } = await shop.graphql<{
      customer: { totals: { collected: unknown } };
      customers: { totals: Totals };
      upcomingPayments: { collected: number };
    }>(
      `query ($id: ID!) { customer(id: $id) { totals { collected { currency amount } } }
         customers(first: 1) { totals { currency totalPaid } }
         upcomingPayments(days: 1, currency: eur) { collected } }`,
      { id: customerId },
    );
    const [{ sortPaid } = { sortPaid: null }] = await shop.app.database.query<{ sortPaid: bigint }>(
      'SELECT "sortPaid" FROM "Customer" WHERE id = $1',
      [customerId],
    );
    return {
      ofCustomer: customer.totals.collected,
      inList: customers.totals.find(({ currency }) => currency === 'eur')?.totalPaid ?? 0,
      today: upcomingPayments.collected,
      sortPaid,
    };
  };

  it('is expected on the day of the result, and collected when it settles', async () => {
    await advance(shop, { frozenTime: '2027-07-12T00:00:00Z' });
    const { upcomingPayments } = await shop.graphql<{ upcomingPayments: unknown }>(
      '{ upcomingPayments(days: 2, currency: eur) { collected expected days { expected } } }',
    );
    expect(upcomingPayments).toEqual({
      collected: 0,
      expected: 5_000,
      days: [{ expected: 0 }, { expected: 5_000 }],
    });
    await advance(shop, { frozenTime: '2027-07-13T12:00:00Z' });
    expect(await collected()).toEqual({
      ofCustomer: [{ currency: 'eur', amount: 5_000 }],
      inList: 5_000,
      today: 5_000,
      sortPaid: 500_000n,
    });
  });

  it("isn't counted after the return", async () => {
    await advance(shop, { frozenTime: '2027-07-27T12:00:00Z' });
    expect(await attempts(customerId)).toMatchObject([{ stage: 'returned', declineCode: 'MD06' }]);
    expect(await collected()).toEqual({ ofCustomer: [], inList: 0, today: 0, sortPaid: 0n });
  });

  it('is counted once after the customer paid by card', async () => {
    const token = await openPortal(firstShop(shop), customerId);
    await shop.graphql(
      'mutation ($input: PortalPaymentRetryInput!) { portalPaymentRetry(input: $input) { status } }',
      { input: { token, card: payment(null)['card'] } },
      { key: null, headers: { authorization: `Bearer ${token}` } },
    );
    expect(await statusOf(id)).toBe('active');
    expect(await collected()).toEqual({
      ofCustomer: [{ currency: 'eur', amount: 5_000 }],
      inList: 5_000,
      today: 5_000,
      sortPaid: 500_000n,
    });
    await expectLedgerBalanced(shop);
  });
});
