import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import { cards, latestTransaction, openPortal, otherShop, payment } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { LiveStory } from '../support/live-story.ts';
import { Story, type Subscriber } from '../support/story.ts';
import { openStripe, type StripeServer, stripeMethods } from '../support/stripe.ts';
import { StripeShop } from '../support/stripe-shop.ts';

// A live environment with a Stripe account: real time, charges over HTTP, and the product's worker (PAY-16, BIL-59).

const began = '2027-01-15T09:00:00.000Z';
const machineClock = new MovableClock(began);

let stripe: StripeServer;
let t: TestApp;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ wall: machineClock, env: { STRIPE_URL: stripe.url, WORKER_POLL_MS: '50' } });
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});

type Body = Readonly<Record<string, unknown>>;
/** Returns the payment input that a page sends for a card with the given behavior. */
type Provided = (how: 'pays' | 'declinesLater') => Body;

const atStripe = (method: string): Body => ({ paymentMethod: method });

async function live(): Promise<{ story: LiveStory; shop: StripeShop }> {
  machineClock.set(began);
  const shop = await StripeShop.open({ t, stripe, wall: machineClock }, 'live');
  return { story: new LiveStory(shop, machineClock), shop };
}

const pages = {
  checkout: 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
  authenticate:
    'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }',
  store:
    'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { status } }',
  recover: 'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }',
};
/** Sends a request as a hosted page does, and returns the status or error code. */
const page = (story: Story, operation: string, input: Body): Promise<string> =>
  story.page<Record<string, { status: string }>>(
    operation,
    input,
    (data) => Object.values(data)[0]?.status ?? '',
  );
const store = async (story: Story, { customerId }: Subscriber, provided: Body): Promise<string> =>
  page(story, pages.store, { token: await openPortal(story.shop, customerId), ...provided });
async function recover(story: Story, { id }: Subscriber, provided: Body): Promise<string> {
  const { recoveryUrl, url } = await story.do<{ recoveryUrl?: string; url?: string }>(
    'POST',
    `/subscriptions/${id}/recovery-links`,
    {},
  );
  return page(story, pages.recover, { token: (recoveryUrl ?? url ?? '').split('/').at(-1), ...provided });
}

const renewed = ['invoice.upcoming', 'invoice.created', 'payment.received'];
const recovered = [
  'payment_method.updated',
  'payment.received',
  'payment.recovered',
  'state subscription_activated',
];

describe('a subscription with a renewal, a declined charge, dunning, a recovery, and a refund (PAY-16)', () => {
  /** Runs the story with a payment connection, and returns all observable results. */
  async function outcomesOf(story: Story, provided: Provided): Promise<unknown[]> {
    const seen: unknown[] = [];
    await story.sell('pro', { price: { price: 4_900 } });
    const ada = await story.subscribe('ada', 'pro');
    const look = async (outcome: string): Promise<void> =>
      void seen.push(outcome, await story.state(ada), await story.news());
    await look(await page(story, pages.checkout, { token: ada.token, ...provided('pays') }));
    await story.on('2027-02-15T00:00:00Z');
    await look('renewed');
    await story.on('2027-02-20T10:00:00Z');
    await look(await store(story, ada, provided('declinesLater')));
    await story.on('2027-03-15T00:00:00Z');
    await look('declined');
    await story.on('2027-03-16T00:00:00Z');
    await look('declined again');
    await story.on('2027-03-17T08:00:00Z');
    await look(await recover(story, ada, provided('pays')));
    await story.on('2027-04-15T00:00:00Z');
    await look('renewed');
    await story.on('2027-04-20T12:00:00Z');
    const transaction = await latestTransaction(story.shop, ada.id);
    const { status } = await story.do<{ status: string }>('POST', `/transactions/${transaction}/refund`);
    await look(status);
    await story.on('2027-05-15T00:00:00Z');
    await look('over');
    return seen;
  }

  const plan = (number: string, status: string, period: string): string =>
    `INV-${number} recurring ${status} ${period} 4900 = plan_base 4900`;
  const expected = [
    ...['paid', 'active 2027-02-15'],
    {
      documents: [plan('0001', 'paid', '2027-01-15..2027-02-15')],
      events: [
        'customer.created',
        'subscription.created',
        'invoice.created',
        'checkout.ready',
        'state subscription_created',
        'payment_method.attached',
        'payment.received',
        'subscription.activated',
        'state subscription_activated',
      ],
    },
    ...['renewed', 'active 2027-03-15'],
    { documents: [plan('0002', 'paid', '2027-02-15..2027-03-15')], events: renewed },
    ...['active', 'active 2027-03-15'],
    { documents: [], events: ['payment_method.updated'] },
    ...['declined', 'past_due 2027-04-15'],
    {
      documents: [plan('0003', 'outstanding', '2027-03-15..2027-04-15')],
      events: [
        'invoice.upcoming',
        'invoice.created',
        'payment.failed',
        'subscription.past_due',
        'state past_due',
      ],
    },
    ...['declined again', 'past_due 2027-04-15'],
    { documents: [], events: ['invoice.overdue'] },
    ...['paid', 'active 2027-04-15'],
    { documents: [plan('0003', 'paid', '2027-03-15..2027-04-15')], events: recovered },
    ...['renewed', 'active 2027-05-15'],
    { documents: [plan('0004', 'paid', '2027-04-15..2027-05-15')], events: renewed },
    ...['succeeded', 'canceled 2027-04-20'],
    {
      documents: [],
      events: [
        'payment.refunded',
        'credit_note.created',
        'subscription.canceled',
        'state subscription_canceled',
      ],
    },
    ...['over', 'canceled 2027-04-20'],
    { documents: [], events: [] },
  ];

  it('has the expected result in a sandbox with test cards', async () => {
    // A test clock can only move forward, and starts at the current time.
    machineClock.set('2027-01-15T08:59:00.000Z');
    const story = new Story(await otherShop(t));
    await story.on(began);
    expect(await outcomesOf(story, (how) => ({ card: payment(null, cards[how])['card'] }))).toEqual(expected);
    await story.close();
  });

  it("has the same result in real time on the organization's own account", async () => {
    const { story, shop } = await live();
    // Connecting the account created an event.
    expect((await story.news()).events).toEqual(['payment_connection.created']);
    expect(await outcomesOf(story, (how) => atStripe(stripeMethods[how]))).toEqual(expected);
    expect(await shop.attempts()).toEqual([
      'succeeded',
      'succeeded',
      'failed',
      'failed',
      'succeeded',
      'refunded',
    ]);
    // Five charges were requested, plus one on the recovery page. Four succeeded, and one of those was refunded.
    expect(shop.own('pi').map(({ amount, status }) => [amount, status])).toEqual([
      [4_900, 'succeeded'],
      [4_900, 'succeeded'],
      [4_900, 'requires_payment_method'],
      [4_900, 'requires_payment_method'],
      [4_900, 'succeeded'],
      [4_900, 'succeeded'],
    ]);
    expect([shop.own('re').length, shop.own('cus').length]).toEqual([1, 1]);
    await story.close();
  });
});

describe('a live subscription in real time', () => {
  it('processes lost and late results, authentications, disputes, and refunds made at Stripe exactly once', async () => {
    const { story, shop } = await live();
    await story.sell('pro', { price: { price: 4_900 } });
    const ada = await story.subscribe('ada', 'pro');
    const news = async (): Promise<[string, ...unknown[]]> => {
      const { documents, events } = await story.news();
      return [await story.state(ada), documents.map((text) => text.split(' ').slice(0, 3).join(' ')), events];
    };
    const intent = (): Record<string, unknown> => shop.own('pi').at(-1) ?? {};
    const emit = (type: string, id: string): Promise<number> => shop.emit(type, stripe.rows.get(id));

    // The issuer requires authentication, and the customer is present at the checkout.
    expect(
      await page(story, pages.checkout, { token: ada.token, ...atStripe(stripeMethods.authenticates) }),
    ).toBe('requires_action');
    stripe.authenticates(String(intent()['id']), true);
    expect(await page(story, pages.authenticate, { token: ada.token, succeed: true })).toBe('paid');
    expect((await news())[0]).toBe('active 2027-02-15');

    // The charge succeeds, but its response is lost. The webhook arrives before the first status request.
    stripe.fails('/v1/payment_intents', 'goes silent');
    await story.on('2027-02-15T00:00:00Z');
    expect(await news()).toEqual([
      'active 2027-03-15',
      ['INV-0002 recurring outstanding'],
      ['invoice.upcoming', 'invoice.created'],
    ]);
    await story.on('2027-02-15T00:00:40Z');
    expect(await shop.emit('payment_intent.succeeded', intent())).toBe(200);
    expect(await news()).toEqual(['active 2027-03-15', ['INV-0002 recurring paid'], ['payment.received']]);
    await story.on('2027-02-15T03:00:00Z');
    expect(await news()).toEqual(['active 2027-03-15', [], []]);

    // Stripe is unavailable for five minutes, so the second status request makes the charge.
    stripe.fails(
      '/v1/payment_intents',
      ...Array.from({ length: 20 }, (_none, index) => (index % 2 === 0 ? 503 : 429) as 503 | 429),
    );
    await story.on('2027-03-15T00:04:59Z');
    expect(await news()).toEqual([
      'active 2027-04-15',
      ['INV-0003 recurring outstanding'],
      ['invoice.upcoming', 'invoice.created'],
    ]);
    stripe.fails('/v1/payment_intents');
    await story.on('2027-03-15T00:05:00Z');
    expect(await news()).toEqual(['active 2027-04-15', ['INV-0003 recurring paid'], ['payment.received']]);
    expect(shop.own('pi').map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);

    // The issuer of another card requires authentication while the customer is absent.
    expect(await store(story, ada, atStripe(stripeMethods.wantsLater))).toBe('active');
    await story.on('2027-04-15T00:00:00Z');
    expect(await news()).toEqual([
      'past_due 2027-05-15',
      ['INV-0004 recurring outstanding'],
      [
        'payment_method.updated',
        'invoice.upcoming',
        'invoice.created',
        'payment.failed',
        'subscription.past_due',
        'state past_due',
      ],
    ]);
    const { transactions } = await shop.run<{ transactions: { edges: { node: object }[] } }>(
      '{ transactions(first: 1) { edges { node { status provider declineCode } } } }',
    );
    expect(transactions.edges).toEqual([
      { node: { status: 'failed', provider: 'stripe', declineCode: 'authentication_required' } },
    ]);
    await story.on('2027-04-15T18:00:00Z');
    expect(await recover(story, ada, atStripe(stripeMethods.pays))).toBe('paid');
    expect(await news()).toEqual(['active 2027-05-15', ['INV-0004 recurring paid'], recovered]);

    // The payment is disputed, and the dispute is won. Each event arrives twice and out of order.
    const paid = String(intent()['id']);
    await story.on('2027-04-20T10:00:00Z');
    const won = stripe.opens(paid, 'needs_response');
    expect([await emit('charge.dispute.created', won), await emit('charge.dispute.created', won)]).toEqual([
      200, 200,
    ]);
    expect(await news()).toEqual(['active 2027-05-15', [], ['payment.disputed']]);
    await story.on('2027-05-15T00:00:00Z');
    expect(await news()).toEqual(['active 2027-06-15', ['INV-0005 recurring paid'], renewed]);
    stripe.resolves(won, 'won');
    expect([await emit('charge.dispute.closed', won), await emit('charge.dispute.updated', won)]).toEqual([
      200, 200,
    ]);
    expect(await news()).toEqual(['active 2027-06-15', [], ['payment.dispute_resolved']]);

    // The next payment is disputed, and the dispute is lost. The subscription continues.
    const lost = stripe.opens(String(intent()['id']), 'lost');
    await story.on('2027-05-20T10:00:00Z');
    expect(await emit('charge.dispute.closed', lost)).toBe(200);
    expect(await news()).toEqual(['active 2027-06-15', [], ['payment.disputed', 'payment.dispute_resolved']]);

    // The payment whose dispute was won is refunded manually: first partially, then in full, which ends the subscription.
    const part = stripe.returns(paid, 900);
    expect([await emit('refund.updated', part), await emit('refund.created', part)]).toEqual([200, 200]);
    expect(await news()).toEqual(['active 2027-06-15', [], ['payment.refunded', 'credit_note.created']]);
    await story.on('2027-06-01T10:00:00Z');
    const rest = stripe.returns(paid, 4_000);
    expect(await emit('refund.created', rest)).toBe(200);
    expect(await news()).toEqual([
      'canceled 2027-06-01',
      [],
      ['payment.refunded', 'credit_note.created', 'subscription.canceled', 'state subscription_canceled'],
    ]);
    await story.on('2027-07-15T00:00:00Z');
    expect(await news()).toEqual(['canceled 2027-06-01', [], []]);
    expect(await shop.attempts()).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
      'failed',
      'refunded',
      'disputed',
    ]);
    expect(
      await shop.run('mutation { gatewayReconcile(input: {}) { open isComplete differences { kind } } }'),
    ).toEqual({
      gatewayReconcile: { open: 0, isComplete: true, differences: [] },
    });
    await story.close();
  });
});
