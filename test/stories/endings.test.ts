import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards, latestInvoice, latestTransaction, mendMethods } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { runStory, type Story, type Subscriber } from '../support/story.ts';

// Subscriptions that are canceled or recovered, with their charges (SUB-23 to SUB-36, BIL-40 to BIL-48, PAY-26 to PAY-32).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

const canceled = ['subscription.canceled', 'state subscription_canceled'];
const scheduled = [
  'subscription.cancellation_scheduled',
  'subscription.updated',
  'state cancellation_scheduled',
];
const failed = [
  'invoice.upcoming',
  'invoice.created',
  'payment.failed',
  'subscription.past_due',
  'state past_due',
];
const renewed = ['invoice.upcoming', 'invoice.created', 'payment.received'];

/** 52.00 a month with 100 exports included, and 0.0045 for each additional export. */
const mesa = {
  price: { price: 5_200 },
  features: { exports: { includedAmount: 100, overage: { enabled: true, unitPrice: 45 } } },
};
/** 34.00 a month. */
const cove = { price: { price: 3_400 } };

const exportUnits = (story: Story, customerId: string, value: number) =>
  story.do('POST', '/usage/events', { customerId, featureCode: 'exports', value });

/**
 * Subscribes a customer for 34.00 a month from January 31, 2028. The renewal on February 29 is declined. Discards all events up to then.
 */
async function pastDue(story: Story, customerId = 'ada'): Promise<Subscriber> {
  await story.sell('cove', cove);
  const subscriber = await story.active(customerId, 'cove', cards.declinesLater);
  await story.news();
  await story.on('2028-02-29');
  expect(await story.news()).toEqual({
    documents: ['INV-0002 recurring outstanding 2028-02-29..2028-03-31 3400 = plan_base 3400'],
    events: failed,
  });
  return subscriber;
}

describe("a subscription's cancellation", () => {
  it('bills only the overage at the end of the period (BIL-E6, SUB-25)', () =>
    runStory(t, '2027-09-10', async (story) => {
      await story.sell('mesa', mesa);
      const ada = await story.active('ada', 'mesa');
      await story.news();
      await story.on('2027-09-20T12:00:00Z');
      await exportUnits(story, 'ada', 1_000);
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, { reason: 'done' });
      expect(await story.news()).toEqual({
        documents: [],
        events: ['usage.recorded', 'quota.exceeded', ...scheduled],
      });
      expect(await story.state(ada)).toBe('active 2027-10-10');
      await story.on('2027-11-30');
      expect(await story.news()).toEqual({
        // 900 units above the included 100 units cost 0.0045 each, which is 4.05.
        documents: ['INV-0002 overage paid 2027-09-10..2027-10-10 405 = feature_overage 405'],
        events: ['invoice.created', 'payment.received', ...canceled],
      });
      expect(await story.state(ada)).toBe('canceled 2027-10-10');
    }));

  it('marks the last invoice as uncollectible after a declined charge, without dunning (SUB-25)', () =>
    runStory(t, '2027-09-10', async (story) => {
      await story.sell('mesa', mesa);
      const ada = await story.active('ada', 'mesa', cards.declinesLater);
      await exportUnits(story, 'ada', 300);
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, {});
      await story.news();
      await story.on('2027-11-30');
      expect(await story.news()).toEqual({
        // 200 units cost 0.0045 each, which is 0.90.
        documents: ['INV-0002 overage uncollectible 2027-09-10..2027-10-10 90 = feature_overage 90'],
        events: ['invoice.created', 'payment.failed', ...canceled],
      });
    }));

  it("doesn't end the subscription if it's undone in time, and refunds nothing if it's immediate (SUB-24, SUB-29)", () =>
    runStory(t, '2027-05-31', async (story) => {
      await story.sell('mesa', mesa);
      const ada = await story.active('ada', 'mesa');
      await story.news();
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, {});
      await story.on('2027-06-29T23:59:59Z');
      await story.do('POST', `/subscriptions/${ada.id}/uncancel`);
      expect((await story.news()).events).toEqual([
        ...scheduled,
        'subscription.cancellation_revoked',
        'subscription.updated',
        'state cancellation_revoked',
      ]);
      await story.on('2027-06-30');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 recurring paid 2027-06-30..2027-07-31 5200 = plan_base 5200'],
        events: ['invoice.created', 'payment.received'],
      });
      await exportUnits(story, 'ada', 5_000);
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, { immediate: true });
      await story.on('2027-12-31');
      expect(await story.news()).toEqual({
        documents: [],
        events: ['usage.recorded', 'quota.exceeded', ...canceled],
      });
      expect(await story.state(ada)).toBe('canceled 2027-06-30');
    }));

  it('takes effect at the end of a trial, without a charge (SUB-23)', () =>
    runStory(t, '2028-02-20T09:00:00Z', async (story) => {
      await story.sell('cove', { price: { price: 3_400, trialDays: 9 } });
      const ada = await story.active('ada', 'cove');
      expect((await story.news()).events).toEqual([
        'customer.created',
        'subscription.created',
        'trial.checkout_ready',
        'state subscription_created',
        'payment_method.attached',
        'trial.started',
        'state trial_started',
      ]);
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, {});
      expect(await story.state(ada)).toBe('trialing 2028-02-29');
      await story.on('2028-06-01');
      expect(await story.news()).toEqual({
        documents: [],
        events: [...scheduled, 'trial.will_end', 'trial.expired', ...canceled],
      });
      expect(await story.state(ada)).toBe('canceled 2028-02-29');
    }));

  it('voids an outstanding invoice (BIL-48)', () =>
    runStory(t, '2028-01-31', async (story) => {
      const ada = await pastDue(story);
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, {});
      await story.on('2028-05-01');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 recurring void 2028-02-29..2028-03-31 3400 = plan_base 3400'],
        events: ['invoice.voided', 'credit_note.created', ...canceled],
      });
    }));
});

describe('a declined renewal', () => {
  it('is retried on days 1, 3, 5, and 7, after which the subscription ends (BIL-41, BIL-43)', () =>
    runStory(t, '2028-01-31', async (story) => {
      const ada = await pastDue(story);
      await story.on('2028-03-06');
      expect(await story.news()).toEqual({ documents: [], events: ['invoice.overdue'] });
      expect(await story.state(ada)).toBe('past_due 2028-03-31');
      await story.on('2028-05-01');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 recurring uncollectible 2028-02-29..2028-03-31 3400 = plan_base 3400'],
        events: ['payment.retry_failed', ...canceled],
      });
      expect(await story.state(ada)).toBe('canceled 2028-03-07');
    }));

  it('is paid with another card on the recovery page, without changing the billing anchor (SUB-35, SUB-61)', () =>
    runStory(t, '2028-01-31', async (story) => {
      const ada = await pastDue(story);
      const { token } = await story.do<{ token: string }>('POST', `/subscriptions/${ada.id}/recovery-links`);
      await story.on('2028-03-02T08:00:00Z');
      const input = { token, card: { number: cards.pays, expMonth: 1, expYear: 2099, cvc: '123' } };
      const operation = 'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }';
      expect(
        await story.page<{ recoveryPay: { status: string } }>(
          operation,
          input,
          ({ recoveryPay }) => recoveryPay.status,
        ),
      ).toBe('paid');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 recurring paid 2028-02-29..2028-03-31 3400 = plan_base 3400'],
        events: [
          'invoice.overdue',
          'payment_method.updated',
          'payment.received',
          'payment.recovered',
          'state subscription_activated',
        ],
      });
      await story.on('2028-03-31');
      expect(await story.news()).toEqual({
        documents: ['INV-0003 recurring paid 2028-03-31..2028-04-30 3400 = plan_base 3400'],
        events: renewed,
      });
    }));

  it('is paid by the second payment retry or a manual retry (BIL-44, SUB-30)', () =>
    runStory(t, '2028-01-31', async (story) => {
      const ada = await pastDue(story);
      const bo = await story.active('bo', 'cove', cards.declinesLater);
      await story.news();
      await story.on('2028-03-02');
      await mendMethods(story.shop, (await story.do<{ id: string }>('GET', '/customers/ada')).id);
      await story.on('2028-03-04');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 recurring paid 2028-02-29..2028-03-31 3400 = plan_base 3400'],
        events: ['invoice.overdue', 'payment.received', 'payment.recovered', 'state subscription_activated'],
      });
      expect(await story.state(ada)).toBe('active 2028-03-31');
      await story.on('2028-03-29');
      expect((await story.news()).events).toEqual(['invoice.upcoming', ...failed]);
      expect(await story.rejected('POST', `/subscriptions/${bo.id}/reactivate`, {})).toBe('charge_failed');
      await mendMethods(story.shop, (await story.do<{ id: string }>('GET', '/customers/bo')).id);
      await story.do('POST', `/subscriptions/${bo.id}/reactivate`, {});
      expect(await story.news()).toEqual({
        documents: ['INV-0004 recurring paid 2028-03-29..2028-04-29 3400 = plan_base 3400'],
        events: ['payment.received', 'payment.recovered', 'state subscription_activated'],
      });
    }));

  it("isn't charged again after the invoice is marked as paid or void (BIL-26)", () =>
    runStory(t, '2028-01-31', async (story) => {
      const ada = await pastDue(story);
      await story.do('PATCH', `/invoices/${await latestInvoice(story.shop, ada.id)}/status`, {
        status: 'paid',
      });
      expect(await story.news()).toEqual({
        documents: ['INV-0002 recurring paid 2028-02-29..2028-03-31 3400 = plan_base 3400'],
        events: ['payment.recovered', 'state subscription_activated'],
      });
      await story.on('2028-03-31');
      expect((await story.news()).events).toEqual(failed);
      await story.do('PATCH', `/invoices/${await latestInvoice(story.shop, ada.id)}/status`, {
        status: 'void',
      });
      expect(await story.news()).toEqual({
        documents: ['INV-0003 recurring void 2028-03-31..2028-04-30 3400 = plan_base 3400'],
        events: ['invoice.voided', 'credit_note.created', 'state subscription_activated'],
      });
      expect(await story.state(ada)).toBe('active 2028-04-30');
    }));

  it('postpones the next period until the outstanding invoice is paid (BIL-8)', () =>
    runStory(t, '2028-01-03', async (story) => {
      await story.sell('weekly', { price: { price: 700, billingInterval: 'weekly' } });
      const ada = await story.active('ada', 'weekly', cards.declinesLater);
      await story.news();
      // The renewal was declined on the 10th. The fourth retry and the next period end are both due on the 17th, and the retry runs first.
      await story.on('2028-01-16');
      expect((await story.news()).events).toEqual([...failed, 'invoice.overdue']);
      await mendMethods(story.shop, (await story.do<{ id: string }>('GET', '/customers/ada')).id);
      await story.on('2028-01-17');
      expect(await story.news()).toEqual({
        documents: [
          'INV-0002 recurring paid 2028-01-10..2028-01-17 700 = plan_base 700',
          'INV-0003 recurring paid 2028-01-17..2028-01-24 700 = plan_base 700',
        ],
        events: [
          'payment.received',
          'payment.recovered',
          'state subscription_activated',
          'invoice.created',
          'payment.received',
        ],
      });
      expect(await story.state(ada)).toBe('active 2028-01-24');
    }));
});

describe('a refund or dispute', () => {
  const refund = async (story: Story, { id }: Subscriber) =>
    story.do('POST', `/transactions/${await latestTransaction(story.shop, id)}/refund`, {});

  it('ends the subscription immediately after a full refund (PAY-29)', () =>
    runStory(t, '2027-03-27', async (story) => {
      await story.sell('cove', cove);
      const ada = await story.active('ada', 'cove');
      await story.news();
      await story.on('2027-04-02T10:00:00Z');
      await refund(story, ada);
      expect(await story.news()).toEqual({
        documents: [],
        events: ['payment.refunded', 'credit_note.created', ...canceled],
      });
      expect(await story.state(ada)).toBe('canceled 2027-04-02');
      await story.on('2027-07-01');
      expect(await story.news()).toEqual({ documents: [], events: [] });
      expect(
        await story.rejected(
          'POST',
          `/transactions/${await latestTransaction(story.shop, ada.id)}/refund`,
          {},
        ),
      ).toBe('validation_error');
    }));

  it("doesn't end the subscription after a dispute, but prevents reactivation (PAY-32, SUB-22)", () =>
    runStory(t, '2027-03-31', async (story) => {
      await story.sell('cove', cove);
      const ada = await story.active('ada', 'cove', '4000000000000259');
      expect((await story.news()).events.slice(-5)).toEqual([
        'payment_method.attached',
        'payment.received',
        'subscription.activated',
        'state subscription_activated',
        'payment.disputed',
      ]);
      const transactionId = await latestTransaction(story.shop, ada.id);
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, { immediate: true });
      expect(await story.rejected('POST', `/subscriptions/${ada.id}/reactivate`, {})).toBe(
        'subscription_has_open_dispute',
      );
      const operation =
        'mutation ($input: TransactionDisputeResolveInput!) { transactionDisputeResolve(input: $input) { status } }';
      await story.ask(operation, { input: { id: transactionId, outcome: 'won' } });
      expect((await story.news()).events).toEqual([...canceled, 'payment.dispute_resolved']);
      await story.on('2027-04-15');
      await mendMethods(story.shop, (await story.do<{ id: string }>('GET', '/customers/ada')).id);
      await story.do('POST', `/subscriptions/${ada.id}/reactivate`, {});
      expect(await story.news()).toEqual({
        documents: ['INV-0002 reactivation paid 2027-04-15..2027-05-15 3400 = plan_base 3400'],
        events: [
          'invoice.created',
          'payment.received',
          'subscription.reactivated',
          'state subscription_activated',
        ],
      });
    }));
});

describe('the reactivation of a canceled subscription', () => {
  it('voids the invoice from an earlier declined attempt, and takes effect once the charge succeeds (SUB-31, SUB-32)', () =>
    runStory(t, '2027-10-31', async (story) => {
      await story.sell('mesa', mesa);
      const ada = await story.active('ada', 'mesa', cards.declinesLater);
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, { immediate: true });
      await story.on('2027-11-30');
      await story.news();
      expect(await story.rejected('POST', `/subscriptions/${ada.id}/reactivate`, {})).toBe('charge_failed');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 reactivation outstanding 2027-11-30 5200 = plan_base 5200'],
        events: ['invoice.created'],
      });
      // The newer attempt voids the older invoice.
      await story.on('2027-12-01');
      expect(await story.rejected('POST', `/subscriptions/${ada.id}/reactivate`, {})).toBe('charge_failed');
      expect(await story.news()).toEqual({
        documents: [
          'INV-0002 reactivation void 2027-11-30 5200 = plan_base 5200',
          'INV-0003 reactivation outstanding 2027-12-01 5200 = plan_base 5200',
        ],
        events: ['invoice.voided', 'invoice.created'],
      });
      const recovery = 'query ($id: ID!) { subscription(id: $id) { status } }';
      expect(await story.ask(recovery, { id: ada.id })).toEqual({ subscription: { status: 'canceled' } });
      await mendMethods(story.shop, (await story.do<{ id: string }>('GET', '/customers/ada')).id);
      await story.do('POST', `/subscriptions/${ada.id}/reactivate`, {});
      expect(await story.news()).toEqual({
        documents: [
          'INV-0003 reactivation void 2027-12-01 5200 = plan_base 5200',
          'INV-0004 reactivation paid 2027-12-01..2028-01-01 5200 = plan_base 5200',
        ],
        events: [
          'invoice.voided',
          'invoice.created',
          'payment.received',
          'subscription.reactivated',
          'state subscription_activated',
        ],
      });
      await story.on('2028-01-01');
      expect((await story.news()).events).toEqual(renewed);
    }));
});
