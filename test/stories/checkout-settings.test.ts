import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { runStory, type Story, type Subscriber } from '../support/story.ts';

// An organization's checkout settings: the lifetime of links (SUB-14), and one trial per customer (OFR-30).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const set = (story: Story, input: object) => t.settings(input, story.shop.environmentId);

const look = async ({ token }: Subscriber, fields: string): Promise<unknown> =>
  (
    await t.graphql<{ checkout: unknown }>(
      `query ($token: String!) { checkout(token: $token) { ${fields} } }`,
      { token },
      { key: null },
    )
  ).checkout;

describe('the lifetime of a checkout link', () => {
  it('is unlimited by default', () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', { price: { price: 4_900 } });
      const ada = await story.subscribe('ada', 'cove');
      await story.on('2029-03-01');
      expect(await look(ada, 'status')).toEqual({ status: 'open' });
      expect(await story.pay(ada)).toBe('paid');
    }));

  it('is limited to the configured number of hours, after which the subscription is canceled and the invoice is voided', () =>
    runStory(t, '2027-03-01T10:00:00Z', async (story) => {
      await story.sell('cove', { price: { price: 4_900 } });
      await story.sell('trial', { price: { price: 4_900, trialDays: 7 } });
      await set(story, { checkoutExpiryHours: 24 });
      const [ada, bob, eve, fay] = [
        await story.subscribe('ada', 'cove'),
        await story.subscribe('bob', 'cove'),
        await story.subscribe('eve', 'trial'),
        await story.subscribe('fay', 'trial'),
      ];
      const upcoming = await story.ask<{ upcomingDeadlines: { nodes: { kind: string; dueAt: string }[] } }>(
        '{ upcomingDeadlines(first: 1) { nodes { kind dueAt } } }',
      );
      expect(upcoming.upcomingDeadlines.nodes).toEqual([
        { kind: 'checkout_expiry', dueAt: '2027-03-02T10:00:00.000Z' },
      ]);
      expect(await story.pay(bob)).toBe('paid');
      expect(await story.pay(fay)).toBe('paid');
      await story.news();
      await story.on('2027-03-02T09:59:59Z');
      expect(await look(ada, 'status')).toEqual({ status: 'open' });
      await story.on('2027-03-02T10:00:00Z');
      expect(await story.news()).toEqual({
        documents: ['INV-0001 recurring void 2027-03-01 4900 = plan_base 4900'],
        events: [
          'invoice.voided',
          'subscription.canceled',
          'state subscription_canceled',
          'checkout.expired',
          'subscription.canceled',
          'state subscription_canceled',
          'checkout.expired',
        ],
      });
      expect(await look(ada, 'status nextStep')).toEqual({ status: 'expired', nextStep: 'none' });
      expect(await look(eve, 'status')).toEqual({ status: 'expired' });
      expect(await story.pay(ada)).toBe('invalid_subscription_status');
      const canceled = await story.do<{ cancellation: { reason: string } | null; status: string }>(
        'GET',
        `/subscriptions/${ada.id}`,
      );
      expect(canceled.status).toBe('canceled');
      expect(await story.state(bob)).toMatch(/^active/);
      expect(await story.state(fay)).toMatch(/^trialing/);
    }));

  it('can be set to 1 to 8,760 hours, and removed with null', () =>
    runStory(t, '2027-03-01', async (story) => {
      for (const hours of [0, -1, 8_761])
        expect(await set(story, { checkoutExpiryHours: hours }).catch(String)).toContain('validation_error');
      await set(story, { checkoutExpiryHours: 8760 });
      await set(story, { checkoutExpiryHours: null });
      expect(await story.ask('{ organization { checkoutExpiryHours oneTrialPerCustomer } }')).toEqual({
        organization: { checkoutExpiryHours: null, oneTrialPerCustomer: false },
      });
    }));
});

describe('the limit of one trial per customer', () => {
  const begin = async (story: Story, customerId: string, body: object = {}): Promise<Subscriber> => {
    const made = await story.do<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
      customerId,
      planCode: 'cove',
      ...body,
    });
    return { id: made.id, customerId, token: made.checkoutUrl.split('/').at(-1) ?? null };
  };
  const trials = 'kind trialDays amountDue';

  it('is turned off by default, so each new subscription starts with a trial', () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', { price: { price: 4_900, trialDays: 14 } });
      const ada = await story.subscribe('ada', 'cove');
      for (const one of [ada, null]) {
        const subscription = one ?? (await begin(story, 'ada'));
        expect(await look(subscription, trials)).toEqual({ kind: 'setup', trialDays: 14, amountDue: 0 });
        expect(await story.pay(subscription)).toBe('paid');
        expect(await story.state(subscription)).toMatch(/^trialing/);
        await story.do('POST', `/subscriptions/${subscription.id}/cancel`, { immediate: true });
      }
    }));

  it('applies to a customer, and to an email address regardless of case', () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', { price: { price: 4_900, trialDays: 14 } });
      await set(story, { oneTrialPerCustomer: true });
      const ada = await story.subscribe('ada', 'cove', {}, { email: 'Ada@Story.test' });
      // This checkout was opened before the other trial started.
      const open = await story.subscribe('ada2', 'cove', {}, { email: 'ada@story.test' });
      expect(await look(open, trials)).toEqual({ kind: 'setup', trialDays: 14, amountDue: 0 });
      expect(await story.pay(ada)).toBe('paid');
      expect(await story.state(ada)).toMatch(/^trialing/);
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, { immediate: true });

      const again = await begin(story, 'ada');
      expect(await look(again, trials)).toEqual({ kind: 'payment', trialDays: 0, amountDue: 4_900 });
      expect(await story.pay(again)).toBe('paid');
      expect(await story.state(again)).toMatch(/^active/);

      // The other customer with this email address now gets a quote at the full price, which requires confirmation.
      const quote = await t.graphql<{ checkoutQuote: unknown }>(
        'query ($input: CheckoutQuoteInput!) { checkoutQuote(input: $input) { kind trialDays amountDue } }',
        { input: { token: open.token } },
        { key: null },
      );
      expect(quote.checkoutQuote).toEqual({ kind: 'payment', trialDays: 0, amountDue: 4_900 });
      expect(await story.pay(open)).toMatch(/^offer_not_applicable/);
      expect(await look(open, trials)).toEqual({ kind: 'payment', trialDays: 0, amountDue: 4_900 });
      expect(await story.pay(open)).toBe('paid');
      const eve = await story.subscribe('eve', 'cove');
      expect(await look(eve, trials)).toEqual({ kind: 'setup', trialDays: 14, amountDue: 0 });
    }));

  it('rejects a trial that is explicitly requested a second time, and changes nothing', () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', { price: { price: 4_900, trialDays: 14 } });
      await set(story, { oneTrialPerCustomer: true });
      const ada = await story.subscribe('ada', 'cove');
      expect(await story.pay(ada, cards.pays)).toBe('paid');
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, { immediate: true });
      await story.news();
      const asked = { customerId: 'ada', planCode: 'cove', customTrialDays: 3 };
      expect(await story.rejected('POST', '/subscriptions', asked)).toBe('offer_not_applicable');
      expect(await story.news()).toEqual({ documents: [], events: [] });
      expect(
        await story
          .ask(
            'query ($c: SubscriptionPreviewInput!) { subscriptionPreview(command: $c) { invoices { total } } }',
            { c: { create: { customerId: 'ada', planCode: 'cove' } } },
          )
          .catch(String),
      ).toMatchObject({ subscriptionPreview: { invoices: [{ total: 4_900 }] } });
    }));
});
