import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { advance, allEvents, expectLedgerBalanced, invoicesOf, pay, sellPlan, setClock, subscribe, word } from '../support/stories.ts';

// A card that pays the first checkout and declines ever after (BIL-40 … BIL-46).

let shop: TestApp;

beforeAll(async () => {
  shop = await startApp();
  await setClock(shop, '2027-02-12T15:00:00Z');
});
afterAll(() => closeStory(shop));

describe('a card that stops paying', () => {
  it('is tried on four slots, then the subscription is canceled and the invoice uncollectible', async () => {
    await sellPlan(shop, 'pro', { billingInterval: 'monthly', price: 1_000 });
    const { id, token } = await subscribe(shop, 'bob', 'pro');
    expect(await pay(shop, token, '4000000000000341')).toBe('paid');
    const before = (await allEvents(shop)).length;

    await advance(shop, { frozenTime: '2027-03-12T06:00:00Z' });

    expect((await shop.rest('GET', `/subscriptions/${id}`)).body).toMatchObject({
      status: 'past_due',
      nextBillingDate: '2027-03-13T00:00:00.000Z',
    });
    const run = await advance(shop, { frozenTime: '2027-05-01T00:00:00Z' });
    expect(run).toMatchObject({ status: 'completed', completed: 4, failed: 0 });
    const { body: clock } = await shop.rest<{ latestRun: { items: { kind: string; dueAt: string; outcome: string }[] } }>(
      'GET',
      '/test-clock',
    );
    expect(clock.latestRun.items.map(({ kind, dueAt, outcome }) => [kind, dueAt.slice(0, 10), outcome])).toEqual([
      ['dunning_retry', '2027-03-13', 'declined'],
      ['dunning_retry', '2027-03-15', 'declined'],
      ['dunning_retry', '2027-03-17', 'declined'],
      ['dunning_retry', '2027-03-19', 'exhausted'],
    ]);
    expect((await invoicesOf(shop, id)).map(({ invoiceNumber, status }) => [invoiceNumber, status])).toEqual([
      ['INV-0001', 'paid'],
      ['INV-0002', 'uncollectible'],
    ]);
    expect((await shop.rest('GET', `/subscriptions/${id}`)).body).toMatchObject({
      status: 'canceled',
      endDate: '2027-03-19T00:00:00.000Z',
      nextBillingDate: null,
    });
    expect((await allEvents(shop)).slice(before).map(word)).toEqual([
      'invoice.upcoming',
      'invoice.created',
      'payment.failed',
      'subscription.past_due',
      'customer.state_changed:past_due',
      'invoice.overdue',
      'payment.retry_failed',
      'subscription.canceled',
      'customer.state_changed:subscription_canceled',
    ]);
    const { transactions } = await shop.graphql<{ transactions: { edges: { node: { status: string } }[] } }>(
      '{ transactions(first: 50) { edges { node { status } } } }',
    );
    expect(transactions.edges.map((edge) => edge.node.status)).toEqual(['failed', 'failed', 'failed', 'failed', 'failed', 'succeeded']);
    await expectLedgerBalanced(shop);
  });
});
