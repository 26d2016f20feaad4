import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visit } from '../modules/pages/portal/visit.ts';
import { cards, createAddon, createOffer, createPlanGroup, off, setCurrency } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { runStory, type Story, type Subscriber } from '../support/story.ts';

// Minimum spend of a price: the invoice at the end of each billing period adds the difference to the charges of that period (PRM-33).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

const calls = { calls: { includedAmount: 0, overage: { enabled: true, unitPrice: 1_000 } } };
const use = (story: Story, value: number) =>
  story.do('POST', '/usage/events', { customerId: 'ada', featureCode: 'calls', value });
const documents = async (story: Story): Promise<readonly string[]> => (await story.news()).documents;
/** Returns the date and amount of the next charge in the portal. */
async function nextCharge(story: Story): Promise<string> {
  const shown = await (await visit(story, 'ada')).see('nextCharge { amount date }');
  const charge = shown?.['nextCharge'] as { amount: number; date: string } | undefined;
  return `${charge?.date.slice(0, 10)} ${charge?.amount}`;
}
const minimumOf = (story: Story, { id }: Subscriber) =>
  story
    .ask<{ subscription: { minimumSpend: unknown } }>(
      'query ($id: ID!) { subscription(id: $id) { minimumSpend { amount charged remaining } } }',
      { id },
    )
    .then(({ subscription }) => subscription.minimumSpend);

describe('a minimum spend of $50 per month', () => {
  it('adds the difference to the base price and the overage of each period', () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', { price: { price: 1_000, minimumSpend: 5_000 }, features: calls });
      const ada = await story.active('ada', 'cove');
      expect(await documents(story)).toEqual([
        'INV-0001 recurring paid 2027-03-01..2027-04-01 1000 = plan_base 1000',
      ]);
      expect(await minimumOf(story, ada)).toEqual({ amount: 5_000, charged: 1_000, remaining: 4_000 });
      await use(story, 150);
      expect(await nextCharge(story)).toBe('2027-04-01 5000');
      await story.on('2027-04-01');
      await use(story, 500);
      expect(await nextCharge(story)).toBe('2027-05-01 6000');
      await story.on('2027-06-01');
      expect(await documents(story)).toEqual([
        'INV-0002 recurring paid 2027-04-01..2027-05-01 5000 = plan_base 1000 + feature_overage 1500 + plan_base true_up 2500',
        // April: 10.00 and 500 calls at 0.10 exceed the minimum.
        'INV-0003 recurring paid 2027-05-01..2027-06-01 6000 = plan_base 1000 + feature_overage 5000',
        'INV-0004 recurring paid 2027-06-01..2027-07-01 5000 = plan_base 1000 + plan_base true_up 4000',
      ]);
    }));

  it('is charged with the final invoice, and not in a trial', () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', { price: { price: 0, minimumSpend: 5_000, trialDays: 14 }, features: calls });
      const ada = await story.subscribe('ada', 'cove');
      await story.pay(ada);
      expect(await minimumOf(story, ada)).toBeNull();
      await story.on('2027-03-15');
      expect(await documents(story)).toEqual([
        'INV-0001 recurring paid 2027-03-15..2027-04-15 0 = plan_base 0',
      ]);
      expect(await minimumOf(story, ada)).toEqual({ amount: 5_000, charged: 0, remaining: 5_000 });
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, {});
      await use(story, 20);
      await story.on('2027-04-15');
      expect(await documents(story)).toEqual([
        'INV-0002 overage paid 2027-03-15..2027-04-15 5000 = feature_overage 200 + plan_base true_up 4800',
      ]);
      expect(await story.state(ada)).toBe('canceled 2027-04-15');
    }));

  it('is prorated for the days before a plan change, and the credit for unused days lowers the charges', () =>
    runStory(t, '2027-03-01', async (story) => {
      const { id: planGroupId } = await createPlanGroup(story.shop);
      await story.sell('cove', {
        plan: { planGroupId },
        price: { price: 3_100, minimumSpend: 6_200 },
        features: calls,
      });
      const { id } = await story.sell('ridge', {
        plan: { planGroupId },
        price: { price: 9_000, minimumSpend: 9_500 },
      });
      const ada = await story.active('ada', 'cove');
      await use(story, 30);
      await documents(story);
      await story.on('2027-03-11');
      await story.do('POST', `/subscriptions/${ada.id}/change-plan`, { newPlanId: id });
      // 10 of 31 days: minimum 20.00. The base price of these days is 10.00, and 30 calls cost 3.00.
      expect(await documents(story)).toEqual([
        'INV-0002 plan_change paid 2027-03-11..2027-04-11 7900 = plan_base 9000 + feature_overage 300 + plan_base true_up 700 + credit -2100',
      ]);
      expect(await minimumOf(story, ada)).toEqual({ amount: 9_500, charged: 9_000, remaining: 500 });
      await story.on('2027-04-11');
      expect(await documents(story)).toEqual([
        'INV-0003 recurring paid 2027-04-11..2027-05-11 9500 = plan_base 9000 + plan_base true_up 500',
      ]);
    }));

  it('counts seats, add-ons, and discounts', () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', {
        price: { price: 2_000, minimumSpend: 5_000 },
        features: {
          seat: { type: 'seats', includedAmount: 1, overage: { enabled: true, unitPrice: 50_000 } },
        },
      });
      const { id: addonId } = await createAddon(story.shop, { basePrice: 620 });
      const { id: offerId } = await createOffer(story.shop, [off.percent(5_000, 1)]);
      const ada = await story.active('ada', 'cove', cards.pays, { offerId });
      expect(await minimumOf(story, ada)).toEqual({ amount: 5_000, charged: 1_000, remaining: 4_000 });
      await story.on('2027-03-16');
      await story.do('POST', `/subscriptions/${ada.id}/addons`, { addonId });
      // 16 of 31 days: 6.20 × 16 ÷ 31 = 3.20.
      expect(await minimumOf(story, ada)).toEqual({ amount: 5_000, charged: 1_320, remaining: 3_680 });
      await story.do('POST', '/seats', { customerId: 'ada', featureCode: 'seat', count: 3 });
      await documents(story);
      await story.on('2027-04-01');
      // Two seats for 16 of 31 days cost 5.16.
      expect(await documents(story)).toEqual([
        'INV-0003 recurring paid 2027-04-01..2027-05-01 7300 = plan_base 2000 + feature_seats true_up 516 + feature_seats 1000 + addon_base 620 + plan_base true_up 3164',
      ]);
      expect(await minimumOf(story, ada)).toEqual({ amount: 5_000, charged: 3_620, remaining: 1_380 });
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, { immediate: true });
      expect(await minimumOf(story, ada)).toBeNull();
    }));
});

describe('the minimum spend of a yearly price', () => {
  it('counts the overage of all usage windows of the year', () =>
    runStory(t, '2027-01-01', async (story) => {
      await story.sell('cove', {
        price: { price: 12_000, billingInterval: 'yearly', minimumSpend: 60_000 },
        features: calls,
      });
      const ada = await story.active('ada', 'cove');
      for (const month of ['02', '03', '04']) {
        await use(story, 1_000);
        await story.on(`2027-${month}-01`);
      }
      await documents(story);
      expect(await minimumOf(story, ada)).toEqual({ amount: 60_000, charged: 42_000, remaining: 18_000 });
      await story.on('2028-01-01');
      expect(await documents(story)).toEqual([
        'INV-0005 recurring paid 2028-01-01..2029-01-01 30000 = plan_base 12000 + plan_base true_up 18000',
      ]);
    }));
});

describe('a changed minimum spend', () => {
  it('applies from the next period', () =>
    runStory(t, '2027-03-01', async (story) => {
      const { id, priceId } = await story.sell('cove', { price: { price: 1_000 } });
      const ada = await story.active('ada', 'cove');
      await story.on('2027-03-10');
      await story.do('PATCH', `/plans/${id}/prices/${priceId}`, { minimumSpend: 5_000 });
      expect(await minimumOf(story, ada)).toBeNull();
      await story.on('2027-04-10');
      expect(await minimumOf(story, ada)).toEqual({ amount: 5_000, charged: 1_000, remaining: 4_000 });
      await story.do('PATCH', `/plans/${id}/prices/${priceId}`, { minimumSpend: null });
      await documents(story);
      await story.on('2027-06-01');
      expect(await documents(story)).toEqual([
        'INV-0003 recurring paid 2027-05-01..2027-06-01 5000 = plan_base 1000 + plan_base true_up 4000',
        'INV-0004 recurring paid 2027-06-01..2027-07-01 1000 = plan_base 1000',
      ]);
      expect(await minimumOf(story, ada)).toBeNull();
    }));
});

describe('a minimum spend in another currency', () => {
  it('is converted at the exchange rate of the plan, and counts again after a reactivation', () =>
    runStory(t, '2027-03-01', async (story) => {
      const { id } = await story.sell('cove', { price: { price: 1_000, minimumSpend: 5_000 } });
      await setCurrency(story.shop, id, 'eur', 0.9333);
      const ada = await story.active(
        'ada',
        'cove',
        cards.pays,
        {},
        { address: { line1: '1 Main St', city: 'Berlin', postalCode: '10115', country: 'DE' } },
      );
      // 50.00 × 0.9333 = 46.665, rounded to 46.67.
      expect(await minimumOf(story, ada)).toEqual({ amount: 4_667, charged: 933, remaining: 3_734 });
      await documents(story);
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, { immediate: true });
      await story.on('2027-03-11');
      // An immediate cancellation charges neither usage nor the minimum spend.
      expect(await documents(story)).toEqual([]);
      await story.do('POST', `/subscriptions/${ada.id}/reactivate`);
      expect(await minimumOf(story, ada)).toEqual({ amount: 4_667, charged: 933, remaining: 3_734 });
      await story.on('2027-04-11');
      expect((await documents(story)).at(-1)).toBe(
        'INV-0003 recurring paid 2027-04-11..2027-05-11 4667 eur = plan_base 933 + plan_base true_up 3734',
      );
    }));
});

describe('a rejected minimum spend', () => {
  it('changes nothing', () =>
    runStory(t, '2027-03-01', async (story) => {
      const { id, priceId } = await story.sell('cove', { price: { price: 1_000, minimumSpend: 5_000 } });
      const price = `/plans/${id}/prices/${priceId}`;
      const before = await story.do('GET', `/plans/${id}`);
      for (const minimumSpend of [0, -1, 0.5, '5000', 900_000_000_000_001])
        expect(await story.rejected('PATCH', price, { minimumSpend })).toBe('validation_error');
      const oneTime = { billingInterval: 'one_time', price: 1_000, minimumSpend: 5_000 };
      expect(await story.rejected('POST', `/plans/${id}/prices`, oneTime)).toBe('validation_error');
      expect(await story.do('GET', `/plans/${id}`)).toEqual(before);
    }));
});
