import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards, createOffer, latestInvoice, off } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { runStory } from '../support/story.ts';

// The start of subscriptions: paid, declined, authenticated, replaced, and scheduled checkouts, and the end of trials (SUB-9 to SUB-20).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

const cove = { price: { price: 3_400 } };
const trial = { price: { price: 4_000, trialDays: 10 } };
const ready = ['subscription.created', 'invoice.created', 'checkout.ready', 'state subscription_created'];
const activated = [
  'payment_method.attached',
  'payment.received',
  'subscription.activated',
  'state subscription_activated',
];
const trialReady = ['subscription.created', 'trial.checkout_ready', 'state subscription_created'];
const trialStarted = ['payment_method.attached', 'trial.started', 'state trial_started'];

describe('a checkout', () => {
  it('is paid with the third card after two declined charges, and the period starts on the payment day (SUB-15, SUB-18)', () =>
    runStory(t, '2028-01-29T20:00:00Z', async (story) => {
      await story.sell('cove', cove);
      const ada = await story.subscribe('ada', 'cove');
      expect(await story.news()).toEqual({
        documents: ['INV-0001 recurring outstanding 2028-01-29 3400 = plan_base 3400'],
        events: ['customer.created', ...ready],
      });
      expect(await story.pay(ada, cards.declines)).toBe('charge_failed card_declined');
      expect(await story.pay(ada, '4000000000009995')).toBe('charge_failed insufficient_funds');
      await story.on('2028-01-31T01:00:00Z');
      expect(await story.pay(ada)).toBe('paid');
      expect(await story.news()).toEqual({
        documents: ['INV-0001 recurring paid 2028-01-31..2028-02-29 3400 = plan_base 3400'],
        events: [...activated],
      });
      expect(await story.pay(ada)).toBe('invalid_subscription_status');
      await story.on('2028-04-30');
      // The 31st is clamped to the last day in shorter months (SUB-E6).
      expect((await story.news()).documents).toEqual([
        'INV-0002 recurring paid 2028-02-29..2028-03-31 3400 = plan_base 3400',
        'INV-0003 recurring paid 2028-03-31..2028-04-30 3400 = plan_base 3400',
        'INV-0004 recurring paid 2028-04-30..2028-05-31 3400 = plan_base 3400',
      ]);
    }));

  it('is completed after one failed and one successful authentication', () =>
    runStory(t, '2027-06-15', async (story) => {
      await story.sell('cove', cove);
      const ada = await story.subscribe('ada', 'cove');
      await story.news();
      expect(await story.pay(ada, cards.authenticates)).toBe('requires_action');
      expect(await story.authenticate(ada, false)).toBe('charge_failed authentication_failed');
      expect(await story.news()).toEqual({ documents: [], events: [] });
      expect(await story.pay(ada, cards.authenticates)).toBe('requires_action');
      expect(await story.authenticate(ada, true)).toBe('paid');
      expect((await story.news()).events).toEqual(activated);
      expect(await story.state(ada)).toBe('active 2027-07-15');
    }));

  it('is replaced by a request with different choices, which voids the first invoice (SUB-12)', () =>
    runStory(t, '2027-06-15', async (story) => {
      await story.sell('cove', cove);
      await story.sell('ridge', { price: { price: 11_800 } });
      const first = await story.subscribe('ada', 'cove');
      await story.news();
      const again = await story.do<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
        customerId: 'ada',
        planCode: 'cove',
      });
      expect(again.id).toBe(first.id);
      expect(await story.news()).toEqual({ documents: [], events: [] });
      const other = await story.do<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
        customerId: 'ada',
        planCode: 'ridge',
      });
      expect(await story.news()).toEqual({
        documents: [
          'INV-0001 recurring void 2027-06-15 3400 = plan_base 3400',
          'INV-0002 recurring outstanding 2027-06-15 11800 = plan_base 11800',
        ],
        events: ['invoice.voided', 'subscription.canceled', 'state subscription_canceled', ...ready],
      });
      const token = other.checkoutUrl.split('/').at(-1) ?? null;
      expect(await story.pay({ id: other.id, customerId: 'ada', token })).toBe('paid');
      expect(await story.state(first)).toBe('canceled 2027-06-15');
    }));

  it("opens on a future start date with that date's price (SUB-10)", () =>
    runStory(t, '2028-02-10', async (story) => {
      const { id, priceId } = await story.sell('cove', cove);
      const ada = await story.subscribe('ada', 'cove', { startDate: '2028-02-29T15:00:00Z' });
      expect(await story.news()).toEqual({ documents: [], events: ['customer.created'] });
      expect(await story.state(ada)).toBe('draft');
      await story.do('PATCH', `/plans/${id}/prices/${priceId}`, { price: 3_900 });
      await story.on('2028-03-01');
      expect(await story.news()).toEqual({
        documents: ['INV-0001 recurring outstanding 2028-02-29 3900 = plan_base 3900'],
        events: ready,
      });
    }));

  it('stores a card if the total is 0, activates the subscription without a payment, and charges from the next period (SUB-17)', () =>
    runStory(t, '2027-08-31', async (story) => {
      await story.sell('cove', cove);
      const offer = await createOffer(story.shop, [off.percent(10_000)]);
      const ada = await story.subscribe('ada', 'cove', { offerId: offer.id });
      expect(await story.pay(ada)).toBe('paid');
      await story.on('2027-09-30');
      expect(await story.news()).toEqual({
        documents: [
          // A discount of 100% on 34.00.
          'INV-0001 recurring paid 2027-08-31..2027-09-30 0 = plan_base 3400 + discount -3400',
          'INV-0002 recurring paid 2027-09-30..2027-10-31 3400 = plan_base 3400',
        ],
        events: [
          'customer.created',
          ...ready,
          'payment_method.attached',
          'subscription.activated',
          'state subscription_activated',
          'invoice.upcoming',
          'invoice.created',
          'payment.received',
        ],
      });
    }));

  it('activates the subscription without a payment method if the invoice is marked as paid, and the first renewal fails (BIL-26)', () =>
    runStory(t, '2027-05-18', async (story) => {
      await story.sell('cove', cove);
      const ada = await story.subscribe('ada', 'cove');
      await story.news();
      await story.on('2027-05-20');
      await story.do('PATCH', `/invoices/${await latestInvoice(story.shop, ada.id)}/status`, {
        status: 'paid',
      });
      expect(await story.news()).toEqual({
        documents: ['INV-0001 recurring paid 2027-05-20..2027-06-20 3400 = plan_base 3400'],
        events: ['subscription.activated', 'state subscription_activated'],
      });
      await story.on('2027-06-20');
      expect((await story.news()).events).toEqual([
        'invoice.upcoming',
        'invoice.created',
        'payment.failed',
        'subscription.past_due',
        'state past_due',
      ]);
    }));
});

describe('a trial', () => {
  it('becomes a paid subscription at the price on its last day (SUB-E7)', () =>
    runStory(t, '2027-06-03T18:45:00Z', async (story) => {
      const { id, priceId } = await story.sell('cove', trial);
      const ada = await story.active('ada', 'cove');
      expect(await story.news()).toEqual({
        documents: [],
        events: ['customer.created', ...trialReady, ...trialStarted],
      });
      expect(await story.state(ada)).toBe('trialing 2027-06-13');
      await story.on('2027-06-08');
      await story.do('PATCH', `/plans/${id}/prices/${priceId}`, { price: 4_400 });
      await story.on('2027-07-13');
      expect(await story.news()).toEqual({
        documents: [
          'INV-0001 recurring paid 2027-06-13..2027-07-13 4400 = plan_base 4400',
          'INV-0002 recurring paid 2027-07-13..2027-08-13 4400 = plan_base 4400',
        ],
        events: [
          'trial.will_end',
          'trial.expired',
          'invoice.created',
          'payment.received',
          'subscription.activated',
          'state trial_expired',
          'invoice.upcoming',
          'invoice.created',
          'payment.received',
        ],
      });
    }));

  it('enters dunning after a declined charge, and a payment on the recovery page activates the subscription (SUB-19)', () =>
    runStory(t, '2027-06-03', async (story) => {
      await story.sell('cove', trial);
      const ada = await story.active('ada', 'cove', cards.declinesLater);
      await story.news();
      await story.on('2027-06-13');
      expect(await story.news()).toEqual({
        documents: ['INV-0001 recurring outstanding 2027-06-13..2027-07-13 4000 = plan_base 4000'],
        events: [
          'trial.will_end',
          'trial.expired',
          'invoice.created',
          'payment.failed',
          'subscription.past_due',
          'state past_due',
        ],
      });
      const { token } = await story.do<{ token: string }>('POST', `/subscriptions/${ada.id}/recovery-links`);
      const card = { number: cards.pays, expMonth: 12, expYear: 2099, cvc: '123' };
      const operation = 'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }';
      expect(
        await story.page<{ recoveryPay: { status: string } }>(
          operation,
          { token, card },
          (data) => data.recoveryPay.status,
        ),
      ).toBe('paid');
      expect((await story.news()).events).toEqual([
        'payment_method.updated',
        'payment.received',
        'payment.recovered',
        'subscription.activated',
        'state subscription_activated',
      ]);
    }));
});
