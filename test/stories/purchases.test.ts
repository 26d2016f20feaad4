import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards, createAddon, latestTransaction, setCurrency } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { runStory, type Story } from '../support/story.ts';

// Credit packs, top-ups, add-ons, manual adjustments, and declined charges (BIL-22, BIL-23).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

const billed = ['invoice.created', 'payment.received'];
const renewed = ['invoice.upcoming', ...billed];

const creditsPlan = {
  plan: { consumptionModel: 'credits' },
  price: { price: 2_900, includedCredits: 100 },
  features: { exports: { creditsPerUnit: 3 } },
};
const balancePlan = {
  plan: { consumptionModel: 'balance', blockOnExhaustion: true },
  price: { price: 1_900, includedBalance: 100_000 },
  features: { exports: { pricingMode: 'fixed', overage: { unitPrice: 250 } } },
};
const exportUnits = (story: Story, value: number) =>
  story.do('POST', '/usage/events', { customerId: 'ada', featureCode: 'exports', value });
const creditsOf = async (story: Story, id: string) =>
  (await story.do<{ credits: Record<string, number> | null }>('GET', `/subscriptions/${id}`)).credits;

describe('a credit pack', () => {
  it("adds credits that don't expire with the monthly plan credits (CON-18 to CON-20)", () =>
    runStory(t, '2027-05-31', async (story) => {
      await story.sell('cove', creditsPlan);
      const ada = await story.active('ada', 'cove');
      const pack = await story.do<{ id: string }>('POST', '/credit-packs', {
        name: 'Busy week',
        credits: 50,
        price: 1_250,
      });
      await story.news();
      await story.do('POST', `/subscriptions/${ada.id}/credits`, { creditPackId: pack.id });
      expect(await story.news()).toEqual({
        documents: ['INV-0002 credit_purchase paid 2027-05-31 1250 = one_time 1250'],
        events: [...billed, 'credits.purchased'],
      });
      // 40 units at 3 credits each use 100 credits from the plan and 20 credits from the pack.
      await exportUnits(story, 40);
      await story.news();
      await story.on('2027-06-30');
      const { documents, events } = await story.news();
      expect(documents).toEqual(['INV-0003 recurring paid 2027-06-30..2027-07-31 2900 = plan_base 2900']);
      expect(events).toEqual(['invoice.upcoming', 'credits.granted', ...billed]);
      expect(await creditsOf(story, ada.id)).toMatchObject({ included: 100, purchased: 30, remaining: 130 });
    }));

  it('leaves only a voided invoice after a declined charge (BIL-22)', () =>
    runStory(t, '2027-05-31', async (story) => {
      await story.sell('cove', creditsPlan);
      const ada = await story.active('ada', 'cove', cards.declinesLater);
      const pack = await story.do<{ id: string }>('POST', '/credit-packs', {
        name: 'Busy week',
        credits: 50,
        price: 1_250,
      });
      await story.news();
      expect(
        await story.rejected('POST', `/subscriptions/${ada.id}/credits`, { creditPackId: pack.id }),
      ).toBe('charge_failed');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 credit_purchase void 2027-05-31 1250 = one_time 1250'],
        events: ['invoice.created', 'invoice.voided'],
      });
      expect(await story.state(ada)).toBe('active 2027-06-30');
      expect(await creditsOf(story, ada.id)).toMatchObject({ included: 100, purchased: 0, remaining: 100 });
    }));

  it("doesn't lose the purchased credits after a refund (PAY-28, PAY-29)", () =>
    runStory(t, '2027-05-31', async (story) => {
      await story.sell('cove', creditsPlan);
      const ada = await story.active('ada', 'cove');
      const pack = await story.do<{ id: string }>('POST', '/credit-packs', {
        name: 'Busy week',
        credits: 50,
        price: 900,
      });
      await story.do('POST', `/subscriptions/${ada.id}/credits`, { creditPackId: pack.id });
      await story.news();
      await story.do('POST', `/transactions/${await latestTransaction(story.shop, ada.id)}/refund`, {});
      expect(await story.news()).toEqual({
        documents: [],
        events: ['payment.refunded', 'credit_note.created'],
      });
      expect(await story.state(ada)).toBe('active 2027-06-30');
      expect(await creditsOf(story, ada.id)).toMatchObject({ purchased: 50, remaining: 150 });
    }));
});

describe('a top-up', () => {
  it('unblocks a balance until the next reset (CON-24, CON-25)', () =>
    runStory(t, '2028-01-31', async (story) => {
      await story.sell('cove', balancePlan);
      const ada = await story.active('ada', 'cove');
      // 400 units at 0.0250 use up the included balance of 10.00.
      await exportUnits(story, 400);
      expect(
        await story.rejected('POST', '/usage/events', {
          customerId: 'ada',
          featureCode: 'exports',
          value: 1,
        }),
      ).toBe('insufficient_balance');
      await story.news();
      await story.do('POST', `/subscriptions/${ada.id}/balance/topup`, { amount: 500 });
      expect(await story.news()).toEqual({
        documents: ['INV-0002 balance_topup paid 2028-01-31 500 = one_time 500'],
        events: [...billed, 'balance.topped_up'],
      });
      await exportUnits(story, 100);
      await story.on('2028-02-29');
      expect((await story.news()).documents).toEqual([
        'INV-0003 recurring paid 2028-02-29..2028-03-31 1900 = plan_base 1900',
      ]);
      const { balance } = await story.do<{ balance: Record<string, number> }>(
        'GET',
        `/subscriptions/${ada.id}`,
      );
      expect(balance).toMatchObject({ included: 100_000, remaining: 100_000 });
    }));
});

describe('an add-on', () => {
  it("is charged first for the remaining days of the period, and then for each full month until it's deactivated (SUB-71 to SUB-73)", () =>
    runStory(t, '2027-04-05', async (story) => {
      await story.sell('cove', { price: { price: 3_400 } });
      const ada = await story.active('ada', 'cove');
      const addon = await createAddon(story.shop, { basePrice: 1_450 });
      await story.news();
      await story.on('2027-04-22T15:00:00Z');
      await story.do('POST', `/subscriptions/${ada.id}/addons`, { addonId: addon.id });
      expect(await story.news()).toEqual({
        // 14.50 × 13 ÷ 30 days = 6.2833.
        documents: ['INV-0002 addon_activation paid 2027-04-22 628 = addon_base 628'],
        events: [...billed, 'addon.activated', 'state addon_activated'],
      });
      await story.on('2027-05-20');
      await story.do('DELETE', `/subscriptions/${ada.id}/addons/${addon.id}`);
      await story.on('2027-06-05');
      expect(await story.news()).toEqual({
        documents: [
          'INV-0003 recurring paid 2027-05-05..2027-06-05 4850 = plan_base 3400 + addon_base 1450',
          'INV-0004 recurring paid 2027-06-05..2027-07-05 3400 = plan_base 3400',
        ],
        events: [...renewed, 'addon.deactivated', 'state addon_deactivated', ...renewed],
      });
    }));

  it("isn't activated on a free plan if the charge is declined (BIL-10, BIL-11)", () =>
    runStory(t, '2027-01-31', async (story) => {
      await story.sell('free', { plan: { isFree: true } });
      await story.sell('cove', { price: { price: 3_400 } });
      // An earlier subscription stored the card.
      const before = await story.active('ada', 'cove', cards.declinesLater);
      await story.do('POST', `/subscriptions/${before.id}/cancel`, { immediate: true });
      const { id } = await story.do<{ id: string }>('POST', '/subscriptions', {
        customerId: 'ada',
        planCode: 'free',
      });
      const addon = await createAddon(story.shop, { basePrice: 600 });
      await story.news();
      expect(await story.rejected('POST', `/subscriptions/${id}/addons`, { addonId: addon.id })).toBe(
        'charge_failed',
      );
      expect(await story.news()).toEqual({
        documents: ['INV-0002 addon_activation void 2027-01-31 600 = addon_base 600'],
        events: ['invoice.created', 'invoice.voided'],
      });
    }));
});

describe('a manual adjustment', () => {
  it("is outstanding if it's positive and paid if it's negative, and doesn't affect renewals (BIL-23, BIL-28)", () =>
    runStory(t, '2027-02-28', async (story) => {
      await story.sell('cove', { price: { price: 3_400 } });
      await story.active('ada', 'cove');
      await story.news();
      await story.do('POST', '/invoices', { customerId: 'ada', amount: 1_250, description: 'Hours of help' });
      await story.do('POST', '/invoices', { customerId: 'ada', amount: -400, description: 'Sorry' });
      expect(await story.news()).toEqual({
        documents: [
          'INV-0002 adjustment outstanding 2027-02-28 1250 = one_time 1250',
          'INV-0003 adjustment paid 2027-02-28 -400 = credit -400',
        ],
        events: ['invoice.created', 'invoice.created'],
      });
      await story.on('2027-03-28');
      expect(await story.news()).toEqual({
        documents: ['INV-0004 recurring paid 2027-03-28..2027-04-28 3400 = plan_base 3400'],
        // Due seven days after issue.
        events: ['invoice.overdue', ...renewed],
      });
    }));
});

describe('a currency without decimals', () => {
  it('bills whole yen, and rounds each line item once (GLO-11, CAT-29)', () =>
    runStory(t, '2027-07-31', async (story) => {
      const plan = await story.sell('cove', {
        price: { price: 3_400 },
        features: { exports: { includedAmount: 10, overage: { enabled: true, unitPrice: 333 } } },
      });
      await setCurrency(story.shop, plan.id, 'jpy', 150);
      const address = { line1: '1 Main St', city: 'Town', postalCode: '12345', country: 'JP' };
      await story.active('ada', 'cove', cards.pays, {}, { address });
      await story.news();
      await exportUnits(story, 27);
      await story.on('2027-08-31');
      expect((await story.news()).documents).toEqual([
        // At an exchange rate of 150, 34.00 is ¥5,100, and the unit price of 0.0333 is ¥4.995. 17 units above the included 10 cost ¥84.915,
        // rounded to ¥85.
        'INV-0002 recurring paid 2027-08-31..2027-09-30 5185 jpy = plan_base 5100 + feature_overage 85',
      ]);
    }));
});
