import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import {
  advance,
  allEvents,
  expectLedgerBalanced,
  pay,
  sellPlan,
  setClock,
  word,
} from '../support/stories.ts';

// Six months at 34.00, with credits that are granted, partly used, expired, revoked, or returned (BIL-18, BIL-19, BIL-34).

let shop: TestApp;

beforeAll(async () => {
  shop = await startApp();
  await setClock(shop, '2027-01-15T10:00:00Z');
});
afterAll(() => closeStory(shop));

const grant = async (amount: number, reason: string, expiresAt: string | null = null): Promise<string> => {
  const { status, body } = await shop.rest<{ id: string }>('POST', '/customers/ada/credits', {
    amount,
    currency: 'usd',
    reason,
    expiresAt,
  });
  expect(status).toBe(201);
  return body.id;
};

type Credit = {
  reason: string;
  appliedAmount: number;
  reversedAmount: number;
  revokedAmount: number;
  remainingAmount: number;
};

/** Returns the credits as "reason: applied − reversed, revoked, remaining", from oldest to newest. */
const credits = async (): Promise<(string | number)[][]> => {
  const { body } = await shop.rest<{ data: Credit[] }>('GET', '/customers/ada/credits');
  return body.data
    .map((credit) => [
      credit.reason,
      credit.appliedAmount,
      credit.reversedAmount,
      credit.revokedAmount,
      credit.remainingAmount,
    ])
    .toReversed();
};

type Invoice = {
  id: string;
  status: string;
  subtotal: number;
  creditApplied: number;
  taxAmount: number;
  total: number;
  transactions: unknown;
};

/** Returns the latest invoice's totals and line items. */
const latest = async (id: string) => {
  const { subscription } = await shop.graphql<{ subscription: { invoices: { edges: { node: Invoice }[] } } }>(
    `query ($id: ID!) { subscription(id: $id) { invoices(first: 1) { edges { node {
       id status subtotal creditApplied taxAmount total lineItems { lineType amount } } } } } }`,
    { id },
  );
  const node = subscription.invoices.edges[0]?.node;
  if (node === undefined) throw new Error('no invoice');
  return node;
};

describe('six months of a subscription with customer credits', () => {
  let id: string;
  let seen = 0;
  const recentEvents = async (): Promise<string[]> => {
    const events = (await allEvents(shop)).map(word);
    const fresh = events.slice(seen);
    seen = events.length;
    return fresh;
  };

  it('starts with a first invoice that is partly paid with a customer credit', async () => {
    await sellPlan(shop, 'cove', { billingInterval: 'monthly', price: 3_400 });
    expect(
      (
        await shop.rest('POST', '/customers', {
          email: 'ada@example.com',
          externalId: 'ada',
          fullName: 'ada',
        })
      ).status,
    ).toBe(201);
    await grant(900, 'Welcome', '2027-03-01T00:00:00Z');
    const { body } = await shop.rest<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
      customerId: 'ada',
      planCode: 'cove',
    });
    id = body.id;
    await recentEvents();
    expect(await pay(shop, body.checkoutUrl.split('/').at(-1) ?? '', '4000000000000341')).toBe('paid');
    expect(await latest(id)).toMatchObject({
      status: 'paid',
      subtotal: 3_400,
      creditApplied: 900,
      taxAmount: 0,
      total: 2_500,
    });
    expect(await recentEvents()).toEqual([
      'payment_method.attached',
      'payment.received',
      'subscription.activated',
      'customer.state_changed:subscription_activated',
    ]);
  });

  it('renews without a payment while customer credits are available', async () => {
    await grant(3_000, 'First outage', '2027-02-10T00:00:00Z');
    await grant(2_000, 'Second outage');
    await grant(5_000, 'Third outage');
    expect(await advance(shop, { frozenTime: '2027-02-16T00:00:00Z' })).toMatchObject({
      status: 'completed',
      completed: 1,
      failed: 0,
    });
    expect(await latest(id)).toMatchObject({
      status: 'paid',
      creditApplied: 3_400,
      total: 0,
      lineItems: [
        { lineType: 'plan_base', amount: 3_400 },
        { lineType: 'credit', amount: -2_000 },
        { lineType: 'credit', amount: -1_400 },
      ],
    });
    expect(await credits()).toEqual([
      ['Welcome', 900, 0, 0, 0],
      ['First outage', 0, 0, 0, 0],
      ['Second outage', 2_000, 0, 0, 0],
      ['Third outage', 1_400, 0, 0, 3_600],
    ]);
    expect(await recentEvents()).toEqual(['lot.expired', 'invoice.upcoming', 'invoice.created']);
  });

  it('ignores revoked credits, and enters dunning after a declined charge', async () => {
    const { body } = await shop.rest<{ data: { id: string }[] }>('GET', '/customers/ada/credits');
    expect((await shop.rest('POST', `/customers/ada/credits/${body.data[0]?.id}/revoke`)).body).toMatchObject(
      { revokedAmount: 3_600 },
    );
    await grant(1_000, 'Goodwill', '2027-03-16T00:00:00Z');
    await advance(shop, { frozenTime: '2027-03-15T12:00:00Z' });
    expect(await latest(id)).toMatchObject({ status: 'outstanding', creditApplied: 1_000, total: 2_400 });
    expect(await recentEvents()).toEqual([
      'invoice.upcoming',
      'invoice.created',
      'payment.failed',
      'subscription.past_due',
      'customer.state_changed:past_due',
    ]);
  });

  it("restores a voided invoice's credits, even if they have expired", async () => {
    await advance(shop, { frozenTime: '2027-03-17T12:00:00Z' });
    const { id: invoiceId } = await latest(id);
    expect((await shop.rest('PATCH', `/invoices/${invoiceId}/status`, { status: 'void' })).status).toBe(200);
    expect((await credits()).slice(3)).toEqual([
      ['Third outage', 1_400, 0, 3_600, 0],
      ['Goodwill', 1_000, 1_000, 0, 0],
    ]);
    expect(
      await shop.graphql('{ customer(id: "ada") { creditBalance { amount } subscription { status } } }'),
    ).toEqual({
      customer: { creditBalance: [], subscription: { status: 'active' } },
    });
    expect(await recentEvents()).toContain('invoice.voided');
  });

  it("doesn't restore an uncollectible invoice's credits", async () => {
    await grant(400, 'Last one');
    await advance(shop, { frozenTime: '2027-04-30T00:00:00Z' });
    expect(await latest(id)).toMatchObject({ status: 'uncollectible', creditApplied: 400, total: 3_000 });
    expect((await credits()).at(-1)).toEqual(['Last one', 400, 0, 0, 0]);
    expect(await shop.graphql('{ customer(id: "ada") { subscription { status } } }')).toEqual({
      customer: { subscription: null },
    });
  });

  it('leaves a balanced ledger', async () => {
    await expectLedgerBalanced(shop);
    const moves = await shop.app.database.query(
      `SELECT fact, count(*)::int AS count, SUM("amountMinor")::int AS amount FROM "LedgerTransfer"
       WHERE "debitAccount" = 'customer_credit' OR "creditAccount" = 'customer_credit' GROUP BY fact ORDER BY fact`,
    );
    expect(moves).toEqual([
      { fact: 'credit.expired', count: 2, amount: 4_000 },
      { fact: 'credit.granted', count: 6, amount: 12_300 },
      { fact: 'credit.released', count: 1, amount: 900 },
      { fact: 'credit.reserved', count: 1, amount: 900 },
      { fact: 'credit.revoked', count: 1, amount: 3_600 },
      { fact: 'invoice.credit_applied', count: 4, amount: 5_700 },
      { fact: 'invoice.credit_returned', count: 1, amount: 1_000 },
    ]);
  });
});
