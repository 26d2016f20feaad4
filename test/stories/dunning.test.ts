import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visit } from '../modules/pages/portal/visit.ts';
import { watchChanges } from '../support/changes.ts';
import { cards, payment } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import {
  advance,
  allEvents,
  expectLedgerBalanced,
  invoicesOf,
  pay,
  sellPlan,
  setClock,
  subscribe,
  word,
} from '../support/stories.ts';
import { runStory } from '../support/story.ts';

// A card that is declined after the first checkout (BIL-40 to BIL-46).

let shop: TestApp;

beforeAll(async () => {
  shop = await startApp();
  await setClock(shop, '2027-02-12T15:00:00Z');
});
afterAll(() => closeStory(shop));

describe('a card that is declined at renewals', () => {
  it('is retried four times, then the subscription is canceled and the invoice becomes uncollectible', async () => {
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
    const { body: clock } = await shop.rest<{
      latestRun: { items: { kind: string; dueAt: string; outcome: string }[] };
    }>('GET', '/test-clock');
    expect(
      clock.latestRun.items.map(({ kind, dueAt, outcome }) => [kind, dueAt.slice(0, 10), outcome]),
    ).toEqual([
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
    expect(transactions.edges.map((edge) => edge.node.status)).toEqual([
      'failed',
      'failed',
      'failed',
      'failed',
      'failed',
      'succeeded',
    ]);
    await expectLedgerBalanced(shop);
  });

  it("is retried on the same days regardless of the payer's own attempts, and only failed retries end the subscription", () =>
    runStory(shop, '2027-01-12', async (story) => {
      await story.sell('cove', { price: { price: 2_900 } });
      const subscriber = await story.active('ada', 'cove', cards.declinesLater);
      await story.on('2027-02-12T06:00:00Z');
      await story.news();
      const { url } = await story.do<{ url: string }>(
        'POST',
        `/subscriptions/${subscriber.id}/recovery-links`,
      );
      const token = url.split('/').at(-1) ?? '';
      const shown = 'subscriptionStatus status nextRetryAt accessEndsAt';
      const see = async () =>
        (
          await shop.graphql<{ recovery: object }>(
            `query ($token: String!) { recovery(token: $token) { ${shown} } }`,
            { token },
            { key: null },
          )
        ).recovery;
      const overdue = {
        subscriptionStatus: 'past_due',
        status: 'open',
        accessEndsAt: '2027-02-19T00:00:00.000Z',
      };
      const tryCard = (number: string) =>
        story.page<{ recoveryPay: { status: string } }>(
          'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }',
          payment(token, number),
          ({ recoveryPay }) => recoveryPay.status,
        );
      const attempts = async () =>
        (await story.do<{ data: { status: string }[] }>('GET', '/transactions?limit=100')).data.map(
          ({ status }) => status,
        );

      expect(await see()).toEqual({ ...overdue, nextRetryAt: '2027-02-13T00:00:00.000Z' });
      for (let tried = 0; tried < 10; tried++)
        expect(await tryCard(cards.declines)).toBe('charge_failed card_declined');
      expect(await attempts()).toHaveLength(12);
      const changes = await watchChanges(shop.app.database.query);
      expect(await tryCard(cards.pays)).toBe('rate_limited');
      expect(await changes()).toEqual([]);
      expect(await see()).toEqual({ ...overdue, nextRetryAt: '2027-02-13T00:00:00.000Z' });
      expect(await story.state(subscriber)).toBe('past_due 2027-03-12');
      expect(await story.news()).toEqual({ documents: [], events: [] });

      const portal = await visit(story);
      await story.on('2027-02-15T06:00:00Z');
      for (let tried = 0; tried < 3; tried++)
        expect(await portal.declined('portalPaymentRetry')).toBe('charge_failed');
      expect(await see()).toEqual({ ...overdue, nextRetryAt: '2027-02-17T00:00:00.000Z' });
      await story.on('2027-02-18T23:59:59Z');
      expect(await tryCard(cards.declines)).toBe('charge_failed card_declined');
      expect(await see()).toEqual({ ...overdue, nextRetryAt: '2027-02-19T00:00:00.000Z' });
      expect(await story.state(subscriber)).toBe('past_due 2027-03-12');

      await story.on('2027-04-12');
      // The checkout, the renewal, 14 attempts by the payer (10 + 3 + 1), and four retries.
      expect((await attempts()).toSorted()).toEqual([...Array(19).fill('failed'), 'succeeded']);
      expect(await story.state(subscriber)).toBe('canceled 2027-02-19');
      expect((await story.news()).events).toEqual([
        'invoice.overdue',
        'payment.retry_failed',
        'subscription.canceled',
        'state subscription_canceled',
      ]);
      expect(await see()).toMatchObject({
        subscriptionStatus: 'canceled',
        status: 'closed',
        nextRetryAt: null,
        accessEndsAt: null,
      });
    }));

  it("is retried on the organization's retry days, and stays past due after the last retry until the customer pays", async () => {
    const { organizationUpdate } = await shop.graphql<{ organizationUpdate: object }>(
      'mutation { organizationUpdate(input: { retryDays: [2, 20], lastRetryAction: keep_past_due }) { retryDays lastRetryAction } }',
      {},
      { key: shop.liveKey },
    );
    expect(organizationUpdate).toEqual({ retryDays: [2, 20], lastRetryAction: 'keep_past_due' });
    const { id, token } = await subscribe(shop, 'eve', 'pro');
    expect(await pay(shop, token, cards.declinesLater)).toBe('paid');
    await advance(shop, { frozenTime: '2027-06-01T06:00:00Z' });
    const dunning = async () =>
      (
        await shop.graphql<{ subscription: { dunning: object } }>(
          'query ($id: ID!) { subscription(id: $id) { dunning { attempts attemptsLeft nextAttemptAt lastRetryAction } } }',
          { id },
        )
      ).subscription.dunning;
    expect(await dunning()).toEqual({
      attempts: 0,
      attemptsLeft: 2,
      nextAttemptAt: '2027-06-03T00:00:00.000Z',
      lastRetryAction: 'keep_past_due',
    });
    const before = (await allEvents(shop)).length;
    await advance(shop, { frozenTime: '2027-07-15T00:00:00Z' });
    const items = async () =>
      (
        await shop.rest<{ latestRun: { items: { dueAt: string; outcome: string }[] } }>('GET', '/test-clock')
      ).body.latestRun.items.map(({ dueAt, outcome }) => [dueAt.slice(0, 10), outcome]);
    expect(await items()).toEqual([
      ['2027-06-03', 'declined'],
      ['2027-06-21', 'exhausted'],
    ]);
    expect((await allEvents(shop)).slice(before).map(word)).toEqual([
      'invoice.overdue',
      'payment.retry_failed',
    ]);
    expect(await dunning()).toMatchObject({ attempts: 2, attemptsLeft: 0, nextAttemptAt: null });
    const { body: link } = await shop.rest<{ url: string }>('POST', `/subscriptions/${id}/recovery-links`);
    const recovery = link.url.split('/').at(-1) ?? '';
    const page = await shop.graphql(
      'query ($token: String!) { recovery(token: $token) { subscriptionStatus status nextRetryAt accessEndsAt } }',
      { token: recovery },
      { key: null },
    );
    expect(page).toEqual({
      recovery: { subscriptionStatus: 'past_due', status: 'open', nextRetryAt: null, accessEndsAt: null },
    });
    const paid = await shop.graphql(
      'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }',
      { input: payment(recovery, cards.pays) },
      { key: null },
    );
    expect(paid).toEqual({ recoveryPay: { status: 'paid' } });
    await advance(shop, { frozenTime: '2027-07-16T00:00:00Z' });
    expect((await shop.rest('GET', `/subscriptions/${id}`)).body).toMatchObject({
      status: 'active',
      nextBillingDate: '2027-08-01T00:00:00.000Z',
    });
    expect((await invoicesOf(shop, id)).map(({ status, total }) => [status, total])).toEqual([
      ['paid', 1_000],
      ['paid', 1_000],
      ['paid', 1_000],
    ]);
    await expectLedgerBalanced(shop);
  });
});
