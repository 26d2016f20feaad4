import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import {
  advance,
  allEvents,
  expectLedgerBalanced,
  pay,
  sellPlan,
  setClock,
  subscribe,
  word,
} from '../support/stories.ts';

// Three months at 49.00 a month, with a workshop paid through a payment link and support charged to the stored card (PAY-1 to PAY-10).

let shop: TestApp;
beforeAll(async () => {
  shop = await startApp();
  await setClock(shop, '2027-01-15T10:00:00Z');
});
afterAll(() => closeStory(shop));

const card = (number: string) => ({ number, expMonth: 12, expYear: 2099, cvc: '123' });

async function payLink(url: string, number: string): Promise<string | undefined> {
  const { body } = await shop.rest<{ url: string }>('GET', url);
  const input = { token: body.url.split('/').at(-1), card: card(number) };
  const operation = 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';
  const answer = await fetch(`${shop.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: operation, variables: { input } }),
  });
  const { data, errors } = (await answer.json()) as {
    data: { paymentLinkPay: { status: string } } | null;
    errors?: { extensions: { code: string } }[];
  };
  return data?.paymentLinkPay?.status ?? errors?.[0]?.extensions.code;
}

it('a subscription with two one-time payments renews on schedule for a quarter', async () => {
  await sellPlan(shop, 'pro', { billingInterval: 'monthly', price: 4_900 });
  const { id, token } = await subscribe(shop, 'ada', 'pro');
  await pay(shop, token);
  let seen = (await allEvents(shop)).length;
  const recentEvents = async (): Promise<string[]> => {
    const events = await allEvents(shop);
    const fresh = events.slice(seen).map(word);
    seen = events.length;
    return fresh;
  };

  // February 10: a payment link for 184.50 is declined, then paid.
  await setClock(shop, '2027-02-10T09:00:00Z');
  await recentEvents();
  const workshop = { amount: 18_450, currency: 'usd', description: 'Workshop', customerId: 'ada' };
  const { body: link } = await shop.rest<{ id: string }>('POST', '/payments', workshop);
  expect(await payLink(`/payments/${link.id}`, '4000000000000002')).toBe('payment_failed');
  expect(await payLink(`/payments/${link.id}`, '4242424242424242')).toBe('paid');
  expect(await payLink(`/payments/${link.id}`, '4242424242424242')).toBe('no_outstanding_invoice');
  expect(await recentEvents()).toEqual([
    'payment_link.created',
    'payment_link.failed',
    'invoice.created',
    'payment.received',
    'payment_link.completed',
  ]);

  // March 1: two hours of support at 75.00 are charged to the stored card.
  await setClock(shop, '2027-03-01T09:00:00Z');
  await recentEvents();
  const support = { amount: 15_000, currency: 'usd', description: 'Support', customerId: 'ada' };
  expect((await shop.rest('POST', '/payments/charge', support)).status).toBe(201);
  expect(await recentEvents()).toEqual(['invoice.created', 'payment.received']);

  // The subscription renews on February 15, March 15, and April 15, regardless of the one-time payments.
  await advance(shop, { frozenTime: '2027-04-16T00:00:00Z' });
  const { body } = await shop.rest<{ data: Record<string, unknown>[] }>('GET', '/invoices?limit=100');
  expect(
    body.data
      .map((invoice) => [
        invoice['issueDate'],
        invoice['total'],
        invoice['status'],
        invoice['subscriptionId'],
      ])
      .toReversed(),
  ).toEqual([
    ['2027-01-15T00:00:00.000Z', 4_900, 'paid', id],
    // 184.50 before tax.
    ['2027-02-10T00:00:00.000Z', 18_450, 'paid', null],
    ['2027-02-15T00:00:00.000Z', 4_900, 'paid', id],
    // 2 × 75.00.
    ['2027-03-01T00:00:00.000Z', 15_000, 'paid', null],
    ['2027-03-15T00:00:00.000Z', 4_900, 'paid', id],
    ['2027-04-15T00:00:00.000Z', 4_900, 'paid', id],
  ]);
  expect((await shop.rest('GET', `/subscriptions/${id}`)).body).toMatchObject({ status: 'active' });
  await expectLedgerBalanced(shop);
});
