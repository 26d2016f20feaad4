import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { runStory, type Story } from '../support/story.ts';

// Invoices and their dates for each billing interval, including short months and a leap day (BIL-6 to BIL-11, GLO-18).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

const exportTerms = (included: number, unitPrice: number) => ({
  exports: { includedAmount: included, overage: { enabled: true, unitPrice } },
});
const exportUnits = (story: Story, customerId: string, value: number) =>
  story.do('POST', '/usage/events', { customerId, featureCode: 'exports', value });

const renewed = ['invoice.upcoming', 'invoice.created', 'payment.received'];
const billed = ['invoice.created', 'payment.received'];
const used = ['usage.recorded', 'quota.exceeded'];
const blocked = [...used, 'state quota_exceeded'];
const usedUp = ['usage.recorded', 'quota.threshold_reached'];

describe('recurring billing by interval', () => {
  it("renews a weekly plan every seven days and charges the week's overage (BIL-6)", () =>
    runStory(t, '2028-02-16T13:00:00Z', async (story) => {
      await story.sell('cove', {
        price: { price: 900, billingInterval: 'weekly' },
        features: exportTerms(10, 333),
      });
      await story.active('ada', 'cove');
      await story.news();
      await exportUnits(story, 'ada', 27);
      await story.on('2028-03-01T06:00:00Z');
      expect(await story.news()).toEqual({
        documents: [
          // 17 units above the included 10 cost 0.0333 each, which is 0.5661, rounded to 0.57.
          'INV-0002 recurring paid 2028-02-23..2028-03-01 957 = plan_base 900 + feature_overage 57',
          'INV-0003 recurring paid 2028-03-01..2028-03-08 900 = plan_base 900',
        ],
        events: [...used, ...renewed, ...renewed],
      });
    }));

  it('renews a monthly plan that starts on the 31st on the last day of each month, including February 29', () =>
    runStory(t, '2027-12-31T23:59:59Z', async (story) => {
      await story.sell('cove', { price: { price: 3_401 } });
      const ada = await story.active('ada', 'cove');
      await story.on('2028-06-30');
      expect((await story.news()).documents).toEqual([
        'INV-0001 recurring paid 2027-12-31..2028-01-31 3401 = plan_base 3401',
        'INV-0002 recurring paid 2028-01-31..2028-02-29 3401 = plan_base 3401',
        'INV-0003 recurring paid 2028-02-29..2028-03-31 3401 = plan_base 3401',
        'INV-0004 recurring paid 2028-03-31..2028-04-30 3401 = plan_base 3401',
        'INV-0005 recurring paid 2028-04-30..2028-05-31 3401 = plan_base 3401',
        'INV-0006 recurring paid 2028-05-31..2028-06-30 3401 = plan_base 3401',
        'INV-0007 recurring paid 2028-06-30..2028-07-31 3401 = plan_base 3401',
      ]);
      const { billingDayOfMonth, nextBillingDate } = await story.do<{
        billingDayOfMonth: number;
        nextBillingDate: string;
      }>('GET', `/subscriptions/${ada.id}`);
      expect([billingDayOfMonth, nextBillingDate]).toEqual([31, '2028-07-31T00:00:00.000Z']);
    }));

  it('bills a quarterly plan monthly for usage and every third month for the base price (BIL-9)', () =>
    runStory(t, '2027-11-30', async (story) => {
      await story.sell('cove', {
        price: { price: 9_000, billingInterval: 'quarterly' },
        features: exportTerms(100, 50),
      });
      await story.active('ada', 'cove');
      await story.news();
      await exportUnits(story, 'ada', 500);
      await story.on('2027-12-31');
      await exportUnits(story, 'ada', 100);
      await story.on('2028-02-01');
      await exportUnits(story, 'ada', 321);
      await story.on('2028-02-29');
      expect(await story.news()).toEqual({
        documents: [
          // 400 units of overage at 0.0050 each cost 2.00. The second month has no overage. In the third month, 221 units cost 1.105,
          // rounded half up to 1.11.
          'INV-0002 overage paid 2027-11-30..2027-12-30 200 = feature_overage 200',
          'INV-0003 recurring paid 2028-02-29..2028-05-30 9111 = plan_base 9000 + feature_overage 111',
        ],
        events: [...used, ...billed, ...usedUp, ...used, ...renewed],
      });
    }));

  it('divides a yearly plan into twelve usage windows, and bills the last usage window with the renewal (BIL-E3)', () =>
    runStory(t, '2027-01-31', async (story) => {
      await story.sell('cove', {
        price: { price: 41_000, billingInterval: 'yearly' },
        features: exportTerms(0, 70),
      });
      await story.active('ada', 'cove');
      await story.news();
      // Usage in the second usage window.
      await story.on('2027-03-10');
      await exportUnits(story, 'ada', 288);
      // Usage in the fifth usage window.
      await story.on('2027-06-01');
      await exportUnits(story, 'ada', 1_415);
      // Usage in the last usage window.
      await story.on('2028-01-30');
      await exportUnits(story, 'ada', 100);
      await story.on('2028-02-01');
      expect((await story.news()).documents).toEqual([
        // At 0.0070 each, 288 units cost 2.016, 1,415 units cost 9.905 (rounded half up to 9.91), and 100 units cost 0.70.
        'INV-0002 overage paid 2027-02-28..2027-03-31 202 = feature_overage 202',
        'INV-0003 overage paid 2027-05-31..2027-06-30 991 = feature_overage 991',
        'INV-0004 recurring paid 2028-01-31..2029-01-31 41070 = plan_base 41000 + feature_overage 70',
      ]);
    }));

  it('renews a yearly plan that starts on a leap day on February 28, and four years later on February 29', () =>
    runStory(t, '2028-02-29T11:00:00Z', async (story) => {
      await story.sell('cove', { price: { price: 41_000, billingInterval: 'yearly' } });
      await story.active('ada', 'cove');
      await story.on('2032-03-01');
      expect((await story.news()).documents.map((text) => text.slice(0, 47))).toEqual([
        'INV-0001 recurring paid 2028-02-29..2029-02-28 ',
        'INV-0002 recurring paid 2029-02-28..2030-02-28 ',
        'INV-0003 recurring paid 2030-02-28..2031-02-28 ',
        'INV-0004 recurring paid 2031-02-28..2032-02-29 ',
        'INV-0005 recurring paid 2032-02-29..2033-02-28 ',
      ]);
    }));

  it('bills a one-time plan once and its overage monthly, and keeps the plan active if the overage is unpaid (BIL-10, BIL-11)', () =>
    runStory(t, '2027-08-31', async (story) => {
      await story.sell('cove', {
        price: { price: 20_000, billingInterval: 'one_time' },
        features: exportTerms(10, 1_000),
      });
      const ada = await story.active('ada', 'cove', cards.declinesLater);
      const bo = await story.active('bo', 'cove');
      await story.news();
      await exportUnits(story, 'ada', 15);
      await exportUnits(story, 'bo', 12);
      await story.on('2027-10-31');
      expect(await story.news()).toEqual({
        documents: [
          // 5 units of overage at 0.10 cost 0.50, which is declined four times. 2 units cost 0.20, which is below the minimum charge and is
          // therefore carried over (BIL-35).
          'INV-0003 overage uncollectible 2027-08-31..2027-09-30 50 = feature_overage 50',
          'INV-0004 overage void 2027-08-31..2027-09-30 20 = feature_overage 20',
        ],
        events: [
          ...used,
          ...used,
          'invoice.created',
          'payment.failed',
          'subscription.past_due',
          'state past_due',
          'invoice.created',
          'invoice.voided',
          'invoice.overdue',
          'payment.retry_failed',
        ],
      });
      expect([await story.state(ada), await story.state(bo)]).toEqual([
        'active 2027-11-30',
        'active 2027-11-30',
      ]);
      expect(await story.rejected('POST', `/subscriptions/${ada.id}/cancel`, {})).toBe(
        'one_time_subscription_not_cancelable',
      );
    }));

  it("resets a free plan's allowance each month without billing (BIL-10)", () =>
    runStory(t, '2027-01-31', async (story) => {
      await story.sell('free', { plan: { isFree: true }, features: { exports: { includedAmount: 5 } } });
      const ada = await story.active('ada', 'free');
      await exportUnits(story, 'ada', 5);
      expect(
        await story.rejected('POST', '/usage/events', {
          customerId: 'ada',
          featureCode: 'exports',
          value: 1,
        }),
      ).toBe('included_limit_reached');
      await story.on('2027-02-28');
      await exportUnits(story, 'ada', 5);
      expect(await story.state(ada)).toBe('active 2027-03-31');
      expect(await story.news()).toEqual({
        documents: [],
        events: [
          'customer.created',
          'subscription.created',
          'subscription.activated',
          'state subscription_created',
          'state subscription_activated',
          ...blocked,
          ...blocked,
        ],
      });
    }));
});
