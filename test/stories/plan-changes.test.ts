import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards, createAddon, createOffer, createPlanGroup, createPrice, off } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { runStory, type Story, type Subscriber } from '../support/story.ts';

// Plan changes made immediately, at the end of a period, and through a checkout, with every document (SUB-37 to SUB-52).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Terms = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Creates a group's plans in the given order. Each plan either has a monthly price or is free. */
async function sellGroup(
  story: Story,
  plans: readonly (readonly [code: string, price: number | null, features?: Terms])[],
) {
  const { id: planGroupId } = await createPlanGroup(story.shop);
  const ids: Record<string, string> = {};
  for (const [code, price, features = {}] of plans) {
    const isFree = price === null;
    const made = await story.sell(code, {
      plan: { planGroupId, isFree },
      features,
      ...(isFree ? {} : { price: { price } }),
    });
    ids[code] = made.id;
  }
  const id = (code: string): string => ids[code] ?? '';
  return { id, price: (code: string, body: object) => createPrice(story.shop, id(code), { ...body }) };
}

type Changed = {
  outcome: string;
  checkoutUrl?: string;
  billing?: Record<string, number>;
  seatLimitWarning?: object;
};

const change = (story: Story, { id }: Subscriber, body: object) =>
  story.do<Changed>('POST', `/subscriptions/${id}/change-plan`, { ...body });

const changed = ['invoice.created', 'payment.received', 'subscription.plan_changed', 'state plan_change'];
const boundary = [
  'invoice.upcoming',
  'subscription.plan_changed',
  'state plan_change',
  'invoice.created',
  'payment.received',
];

describe('an immediate plan change', () => {
  it('starts a new period for an upgrade, and charges the next base price a month later (SUB-E1)', () =>
    runStory(t, '2027-03-09T10:00:00Z', async (story) => {
      const { id } = await sellGroup(story, [
        ['cove', 3_400],
        ['ridge', 11_800],
      ]);
      const ada = await story.active('ada', 'cove');
      await story.news();
      await story.on('2027-03-27T16:20:00Z');
      // 13 of 31 days: 3400 × 13 ÷ 31 = 1425.81.
      expect(await change(story, ada, { newPlanId: id('ridge') })).toMatchObject({
        outcome: 'completed',
        billing: {
          credit: 1_426,
          creditsApplied: 0,
          charge: 11_800,
          taxAmount: 0,
          netAmount: 10_374,
          totalCharged: 10_374,
        },
      });
      expect(await story.news()).toEqual({
        documents: [
          'INV-0002 plan_change paid 2027-03-27..2027-04-27 10374 = plan_base 11800 + credit -1426',
        ],
        events: changed,
      });
      await story.on('2027-04-27');
      expect(await story.news()).toEqual({
        documents: ['INV-0003 recurring paid 2027-04-27..2027-05-27 11800 = plan_base 11800'],
        events: ['invoice.upcoming', 'invoice.created', 'payment.received'],
      });
    }));

  it('leaves the plan unchanged after a declined charge, and the plan renews on schedule (SUB-43)', () =>
    runStory(t, '2027-03-09', async (story) => {
      const { id } = await sellGroup(story, [
        ['cove', 3_400],
        ['ridge', 11_800],
      ]);
      const ada = await story.active('ada', 'cove', cards.declinesLater);
      await story.on('2027-03-27');
      await story.news();
      expect(
        await story.rejected('POST', `/subscriptions/${ada.id}/change-plan`, { newPlanId: id('ridge') }),
      ).toBe('charge_failed');
      expect(await story.news()).toEqual({
        documents: [
          'INV-0002 plan_change void 2027-03-27..2027-04-27 10374 = plan_base 11800 + credit -1426',
        ],
        events: ['invoice.created', 'invoice.voided'],
      });
      expect(await story.state(ada)).toBe('active 2027-04-09');
      await story.on('2027-04-09');
      expect((await story.news()).documents).toEqual([
        'INV-0003 recurring outstanding 2027-04-09..2027-05-09 3400 = plan_base 3400',
      ]);
    }));

  it('turns a proration credit above the charge into a customer credit (SUB-E4)', () =>
    runStory(t, '2027-02-01', async (story) => {
      const { id, price } = await sellGroup(story, [
        ['ridge', 11_800],
        ['atlas', 9_000],
      ]);
      await price('ridge', { billingInterval: 'yearly', price: 118_000 });
      await price('atlas', { billingInterval: 'yearly', price: 70_000 });
      const ada = await story.active('ada', 'ridge', cards.pays, { billingInterval: 'yearly' });
      await story.on('2027-04-12');
      await story.news();
      // 295 of 365 days: 118000 × 295 ÷ 365 = 95369.86.
      expect(await change(story, ada, { newPlanId: id('atlas') })).toMatchObject({
        outcome: 'completed',
        billing: {
          credit: 95_370,
          charge: 70_000,
          netAmount: 0,
          totalCharged: 0,
          remainingCreditBalance: 25_370,
        },
      });
      expect(await story.news()).toEqual({
        documents: ['INV-0002 plan_change paid 2027-04-12..2028-04-12 0 = plan_base 70000 + credit -95370'],
        events: ['invoice.created', 'subscription.plan_changed', 'state plan_change'],
      });
      await story.on('2028-04-12');
      expect((await story.news()).documents).toEqual([
        'INV-0003 recurring paid 2028-04-12..2029-04-12 44630 = plan_base 70000 + credit -25370',
      ]);
    }));

  it('charges for a longer interval minus the unused part of the month, and schedules a change back for the end of the year (SUB-E3)', () =>
    runStory(t, '2027-05-09', async (story) => {
      const { price } = await sellGroup(story, [['cove', 3_400]]);
      await price('cove', { billingInterval: 'yearly', price: 33_600 });
      const ada = await story.active('ada', 'cove');
      await story.on('2027-05-20');
      await story.news();
      await change(story, ada, { newBillingInterval: 'yearly' });
      // 20 of 31 days: 3400 × 20 ÷ 31 = 2193.55.
      expect(await story.news()).toEqual({
        documents: [
          'INV-0002 plan_change paid 2027-05-20..2028-05-20 31406 = plan_base 33600 + credit -2194',
        ],
        events: changed,
      });
      expect(await change(story, ada, { newBillingInterval: 'monthly' })).toMatchObject({
        outcome: 'scheduled',
        newBillingInterval: 'monthly',
      });
      await story.on('2028-06-20');
      expect(await story.news()).toEqual({
        documents: [
          'INV-0003 recurring paid 2028-05-20..2028-06-20 3400 = plan_base 3400',
          'INV-0004 recurring paid 2028-06-20..2028-07-20 3400 = plan_base 3400',
        ],
        events: [
          'subscription.plan_change_scheduled',
          ...boundary,
          'invoice.upcoming',
          'invoice.created',
          'payment.received',
        ],
      });
    }));

  it('bills usage, seats, an add-on, and a customer credit once each (SUB-E5)', () =>
    runStory(t, '2027-04-01T08:00:00Z', async (story) => {
      const overage = (unitPrice: number) => ({ overage: { enabled: true, unitPrice } });
      const { id } = await sellGroup(story, [
        [
          'mesa',
          5_200,
          {
            exports: { includedAmount: 1_000, ...overage(130) },
            editors: { type: 'seats', includedAmount: 7, ...overage(90_000) },
          },
        ],
        [
          'delta',
          13_900,
          {
            exports: { includedAmount: 2_000, ...overage(100) },
            editors: { type: 'seats', includedAmount: 6, ...overage(135_000) },
          },
        ],
      ]);
      const ada = await story.active('ada', 'mesa', cards.pays, { initialSeats: { editors: 7 } });
      const { id: addonId } = await createAddon(story.shop, { basePrice: 1_500 });
      await story.do('POST', `/subscriptions/${ada.id}/addons`, { addonId });
      await story.on('2027-04-14T09:00:00Z');
      await story.do('POST', '/seats', { customerId: 'ada', featureCode: 'editors', count: 2 });
      await story.do('POST', '/usage/events', { customerId: 'ada', featureCode: 'exports', value: 1_640 });
      await story.do('POST', '/customers/ada/credits', { amount: 1_000, currency: 'usd', reason: 'Sorry.' });
      await story.on('2027-04-20T18:00:00Z');
      await story.news();
      expect(await change(story, ada, { newPlanId: id('delta') })).toMatchObject({
        // 5200 × 11 ÷ 30 = 1906.67. 640 × 1.3 = 832. 2 × 900 × 6 ÷ 30 = 360. 3 × 1350 = 4050. The add-on is charged in full.
        billing: {
          credit: 1_907,
          creditsApplied: 1_000,
          charge: 20_642,
          netAmount: 17_735,
          totalCharged: 17_735,
          remainingCreditBalance: 0,
        },
      });
      expect(await story.news()).toEqual({
        documents: [
          'INV-0003 plan_change paid 2027-04-20..2027-05-20 17735 = plan_base 13900 + feature_overage 832 + feature_seats true_up 360 + feature_seats 4050 + addon_base 1500 + credit -1907 + credit -1000',
        ],
        events: changed,
      });
      const quota = await story.do<{ features: { code: string; usage?: { current: number } }[] }>(
        'GET',
        `/subscriptions/${ada.id}`,
      );
      expect(quota.features.find(({ code }) => code === 'exports')?.usage?.current).toBe(0);
      await story.do('POST', '/usage/events', { customerId: 'ada', featureCode: 'exports', value: 2_010 });
      await story.on('2027-05-20');
      expect((await story.news()).documents).toEqual([
        // 10 units above 2,000, at 1 cent each.
        'INV-0004 recurring paid 2027-05-20..2027-06-20 19460 = plan_base 13900 + feature_overage 10 + feature_seats 4050 + addon_base 1500',
      ]);
    }));

  it('ends an add-on whose feature is included in the new plan (SUB-45)', () =>
    runStory(t, '2027-04-01', async (story) => {
      const { id } = await sellGroup(story, [
        ['cove', 3_400],
        ['ridge', 11_800, { sso: { type: 'boolean' } }],
      ]);
      const ada = await story.active('ada', 'cove');
      const { data } = await story.do<{ data: { id: string }[] }>('GET', '/features');
      const { id: addonId } = await createAddon(story.shop, { basePrice: 900, featureId: data[0]?.id });
      await story.do('POST', `/subscriptions/${ada.id}/addons`, { addonId });
      await story.news();
      await change(story, ada, { newPlanId: id('ridge') });
      expect(await story.news()).toEqual({
        documents: ['INV-0003 plan_change paid 2027-04-01..2027-05-01 8400 = plan_base 11800 + credit -3400'],
        events: [...changed, 'addon.deactivated', 'state addon_deactivated'],
      });
      await story.on('2027-05-01');
      expect((await story.news()).documents).toEqual([
        'INV-0004 recurring paid 2027-05-01..2027-06-01 11800 = plan_base 11800',
      ]);
    }));

  it("ends the old plan's offer, and can start an offer on the new plan (OFR-19, SUB-E2)", () =>
    runStory(t, '2027-03-09', async (story) => {
      const { id } = await sellGroup(story, [
        ['cove', 3_400],
        ['ridge', 11_800],
      ]);
      const { id: offerId } = await createOffer(story.shop, [off.percent(3_500, null)]);
      const ada = await story.active('ada', 'cove', cards.pays, { offerId });
      await story.on('2027-03-27');
      await story.news();
      const { id: welcome } = await createOffer(story.shop, [off.amount(1_800, 2)]);
      await change(story, ada, { newPlanId: id('ridge'), offerId: welcome });
      await story.on('2027-05-27');
      expect((await story.news()).documents).toEqual([
        // 2210 × 13 ÷ 31 = 926.77 of the paid amount.
        'INV-0002 plan_change paid 2027-03-27..2027-04-27 9073 = plan_base 11800 + discount -1800 + credit -927',
        'INV-0003 recurring paid 2027-04-27..2027-05-27 10000 = plan_base 11800 + discount -1800',
        'INV-0004 recurring paid 2027-05-27..2027-06-27 11800 = plan_base 11800',
      ]);
    }));

  it('resets plan credits and the balance, but keeps purchased credits (SUB-45)', () =>
    runStory(t, '2027-04-01', async (story) => {
      const { id: planGroupId } = await createPlanGroup(story.shop);
      const credits = {
        plan: { consumptionModel: 'credits', planGroupId },
        features: { calls: { creditsPerUnit: 2 } },
      };
      await story.sell('small', { ...credits, price: { price: 1_000, includedCredits: 100 } });
      const large = await story.sell('large', { ...credits, price: { price: 5_000, includedCredits: 500 } });
      const ada = await story.active('ada', 'small');
      await story.do('POST', `/subscriptions/${ada.id}/balance/adjust`, { type: 'credits', amount: 30 });
      await story.do('POST', '/usage/events', { customerId: 'ada', featureCode: 'calls', value: 20 });
      await story.news();
      await change(story, ada, { newPlanId: large.id });
      expect((await story.news()).events).toEqual([...changed, 'credits.expired', 'credits.granted']);
      expect((await story.do<{ credits: object }>('GET', `/subscriptions/${ada.id}`)).credits).toEqual({
        remaining: 530,
        included: 500,
        purchased: 30,
      });
    }));

  it('bills a negative balance, then resets the balance (SUB-39)', () =>
    runStory(t, '2027-04-01', async (story) => {
      const { id: planGroupId } = await createPlanGroup(story.shop);
      const balance = {
        plan: { consumptionModel: 'balance', planGroupId },
        features: { calls: { pricingMode: 'fixed', overage: { unitPrice: 10_000 } } },
      };
      await story.sell('small', { ...balance, price: { price: 1_000, includedBalance: 50_000 } });
      const large = await story.sell('large', {
        ...balance,
        price: { price: 5_000, includedBalance: 400_000 },
      });
      const ada = await story.active('ada', 'small');
      await story.do('POST', '/usage/events', { customerId: 'ada', featureCode: 'calls', value: 8 });
      await story.on('2027-04-16');
      await story.news();
      await change(story, ada, { newPlanId: large.id });
      // 8.00 was used, 3.00 more than the included 5.00. The price of 10.00 covers 30 days, of which 15 remain.
      expect((await story.news()).documents).toEqual([
        'INV-0002 plan_change paid 2027-04-16..2027-05-16 4800 = plan_base 5000 + balance_overage 300 + credit -500',
      ]);
      expect((await story.do<{ balance: object }>('GET', `/subscriptions/${ada.id}`)).balance).toMatchObject({
        remaining: 400_000,
      });
    }));

  it('is postponed to the end of a trial if the new interval is shorter (SUB-44)', () =>
    runStory(t, '2027-06-03T18:45:00Z', async (story) => {
      const { id, price } = await sellGroup(story, [
        ['cove', null],
        ['reef', 3_400],
        ['ridge', 11_800],
      ]);
      await price('reef', { billingInterval: 'yearly', price: 30_000, trialDays: 10 });
      const ada = await story.active('ada', 'reef', cards.pays, { billingInterval: 'yearly' });
      expect(await story.state(ada)).toBe('trialing 2027-06-13');
      await story.on('2027-06-08');
      await story.news();
      await change(story, ada, { newPlanId: id('ridge'), newBillingInterval: 'monthly' });
      // A shorter interval is scheduled for the end of the trial.
      expect((await story.news()).events).toEqual(['subscription.plan_change_scheduled']);
      await story.on('2027-06-13');
      expect(await story.news()).toEqual({
        documents: ['INV-0001 recurring paid 2027-06-13..2027-07-13 11800 = plan_base 11800'],
        events: [
          'trial.will_end',
          'subscription.plan_changed',
          'state plan_change',
          'trial.expired',
          'invoice.created',
          'payment.received',
          'subscription.activated',
          'state trial_expired',
        ],
      });
    }));

  it('converts a trial to a paid plan at the full price, and prevents a second trial', () =>
    runStory(t, '2027-06-03T18:45:00Z', async (story) => {
      const { id } = await sellGroup(story, [
        ['cove', 3_400],
        ['ridge', 11_800],
      ]);
      const ada = await story.active('ada', 'cove', cards.pays, { customTrialDays: 10 });
      await story.on('2027-06-08');
      await story.news();
      await change(story, ada, { newPlanId: id('ridge') });
      expect(await story.news()).toEqual({
        documents: ['INV-0001 plan_change paid 2027-06-08..2027-07-08 11800 = plan_base 11800'],
        events: [
          'invoice.created',
          'payment.received',
          'subscription.activated',
          'trial.converted',
          'subscription.plan_changed',
          'state plan_change',
          'state trial_converted',
        ],
      });
      await story.on('2027-07-08');
      expect((await story.news()).documents).toEqual([
        'INV-0002 recurring paid 2027-07-08..2027-08-08 11800 = plan_base 11800',
      ]);
    }));

  it('replaces a one-time plan at the full price (OQ-14)', () =>
    runStory(t, '2027-03-31', async (story) => {
      const { id: planGroupId } = await createPlanGroup(story.shop);
      await story.sell('once', {
        plan: { planGroupId },
        price: { price: 9_900, billingInterval: 'one_time' },
      });
      const more = await story.sell('more', {
        plan: { planGroupId },
        price: { price: 19_900, billingInterval: 'one_time' },
      });
      const ada = await story.active('ada', 'once');
      await story.on('2027-05-15');
      await story.news();
      await change(story, ada, { newPlanId: more.id });
      await story.on('2027-12-31');
      expect((await story.news()).documents).toEqual([
        'INV-0002 plan_change paid 2027-05-15..2027-06-15 19900 = plan_base 19900',
      ]);
    }));
});

describe('a scheduled plan change', () => {
  it("bills the old plan's overage for a downgrade, and renews on the same day of the month (SUB-49)", () =>
    runStory(t, '2027-12-31', async (story) => {
      const { id } = await sellGroup(story, [
        ['cove', 3_400],
        ['ridge', 11_800, { exports: { includedAmount: 100, overage: { enabled: true, unitPrice: 5_000 } } }],
      ]);
      const ada = await story.active('ada', 'ridge');
      await story.news();
      await story.on('2028-01-31');
      await story.do('POST', '/usage/events', { customerId: 'ada', featureCode: 'exports', value: 104 });
      await change(story, ada, { newPlanId: id('cove') });
      await story.news();
      await story.on('2028-03-31');
      // 4 units at 50 cents, in a leap year.
      expect(await story.news()).toEqual({
        documents: [
          'INV-0003 recurring paid 2028-02-29..2028-03-31 3600 = plan_base 3400 + feature_overage 200',
          'INV-0004 recurring paid 2028-03-31..2028-04-30 3400 = plan_base 3400',
        ],
        events: [...boundary, 'invoice.upcoming', 'invoice.created', 'payment.received'],
      });
    }));

  it("doesn't affect the renewal if it's canceled (OQ-13)", () =>
    runStory(t, '2027-03-09', async (story) => {
      const { id } = await sellGroup(story, [
        ['cove', 3_400],
        ['ridge', 11_800],
      ]);
      const ada = await story.active('ada', 'ridge');
      await change(story, ada, { newPlanId: id('cove') });
      await story.news();
      await story.ask(
        'mutation ($input: SubscriptionScheduledChangeRevokeInput!) { subscriptionScheduledChangeRevoke(input: $input) { id } }',
        {
          input: { id: ada.id },
        },
      );
      await story.on('2027-04-09');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 recurring paid 2027-04-09..2027-05-09 11800 = plan_base 11800'],
        events: [
          'subscription.plan_change_revoked',
          'invoice.upcoming',
          'invoice.created',
          'payment.received',
        ],
      });
    }));

  it('switches to a free plan, and a change back requires a checkout (SUB-47)', () =>
    runStory(t, '2027-03-09', async (story) => {
      const { id } = await sellGroup(story, [
        ['gratis', null],
        ['cove', 3_400],
      ]);
      const ada = await story.active('ada', 'cove');
      expect(await change(story, ada, { newPlanId: id('gratis') })).toMatchObject({ outcome: 'scheduled' });
      await story.news();
      await story.on('2027-05-20');
      expect(await story.news()).toEqual({
        documents: [],
        events: ['invoice.upcoming', 'subscription.plan_changed', 'state plan_change'],
      });
      const first = await change(story, ada, { newPlanId: id('cove') });
      expect(first).toMatchObject({ outcome: 'requires_checkout', requiresCheckout: true });
      const second = await change(story, ada, { newPlanId: id('cove') });
      expect(await story.news()).toEqual({
        documents: [
          'INV-0002 plan_change void 2027-05-20..2027-06-20 3400 = plan_base 3400',
          'INV-0003 plan_change outstanding 2027-05-20..2027-06-20 3400 = plan_base 3400',
        ],
        events: ['invoice.created', 'checkout.ready', 'invoice.voided', 'invoice.created', 'checkout.ready'],
      });
      expect(await story.state(ada)).toBe('active 2027-06-09');
      await story.on('2027-05-25');
      const payer = { ...ada, token: second.checkoutUrl?.split('/').at(-1) ?? null };
      expect(await story.pay(payer, cards.declines)).toBe('charge_failed card_declined');
      expect(await story.pay(payer)).toBe('paid');
      expect(await story.news()).toEqual({
        documents: ['INV-0003 plan_change paid 2027-05-25..2027-06-25 3400 = plan_base 3400'],
        events: [
          'payment_method.updated',
          'payment.received',
          'subscription.plan_changed',
          'state plan_change',
        ],
      });
      await story.on('2027-06-25');
      expect((await story.news()).documents).toEqual([
        'INV-0004 recurring paid 2027-06-25..2027-07-25 3400 = plan_base 3400',
      ]);
    }));

  it('charges a retained add-on from the first month if a trial changes to a free plan (BIL-10, SUB-72)', () =>
    runStory(t, '2027-06-03T18:45:00Z', async (story) => {
      const { id } = await sellGroup(story, [
        ['gratis', null],
        ['cove', 3_400],
      ]);
      const ada = await story.active('ada', 'cove', cards.pays, { customTrialDays: 10 });
      const { id: addonId } = await createAddon(story.shop, { basePrice: 900 });
      await story.on('2027-06-08');
      await story.do('POST', `/subscriptions/${ada.id}/addons`, { addonId });
      // 5 of 30 days: 900 × 5 ÷ 30 = 150.
      expect((await story.news()).documents).toEqual([
        'INV-0001 addon_activation paid 2027-06-08 150 = addon_base 150',
      ]);
      expect(await change(story, ada, { newPlanId: id('gratis') })).toMatchObject({ outcome: 'scheduled' });
      await story.on('2027-06-13');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 overage paid 2027-06-03..2027-06-13 900 = addon_base 900'],
        events: [
          'subscription.plan_change_scheduled',
          'trial.will_end',
          'trial.expired',
          'subscription.activated',
          'state trial_expired',
          'subscription.plan_changed',
          'state plan_change',
          'invoice.created',
          'payment.received',
        ],
      });
      expect(await story.state(ada)).toBe('active 2027-07-13');
      await story.on('2027-07-13');
      expect(await story.news()).toEqual({
        documents: ['INV-0003 overage paid 2027-06-13..2027-07-13 900 = addon_base 900'],
        events: ['invoice.created', 'payment.received'],
      });
    }));

  it('activates a free plan after a trial even if an add-on is unpaid, and removes that add-on (BIL-11)', () =>
    runStory(t, '2027-06-03T18:45:00Z', async (story) => {
      const { id, price } = await sellGroup(story, [
        ['gratis', null],
        ['cove', 3_400],
      ]);
      await price('cove', { billingInterval: 'yearly', price: 30_000 });
      const ada = await story.active('ada', 'cove', cards.declinesLater, {
        billingInterval: 'yearly',
        customTrialDays: 10,
      });
      const { id: addonId } = await createAddon(story.shop, { basePrice: 100 });
      await story.on('2027-06-12');
      // 1 of 366 days: 100 ÷ 366 rounds to 0, so nothing is charged yet.
      await story.do('POST', `/subscriptions/${ada.id}/addons`, { addonId });
      await change(story, ada, { newPlanId: id('gratis') });
      await story.news();
      await story.on('2027-06-13');
      expect(await story.news()).toEqual({
        documents: ['INV-0001 overage uncollectible 2027-06-03..2027-06-13 100 = addon_base 100'],
        events: [
          'trial.expired',
          'subscription.activated',
          'state trial_expired',
          'subscription.plan_changed',
          'state plan_change',
          'invoice.created',
          'payment.failed',
          'addon.deactivated',
          'state addon_deactivated',
        ],
      });
      await story.on('2027-07-13');
      expect(await story.state(ada)).toBe('active 2027-08-13');
      expect(await story.news()).toEqual({ documents: [], events: [] });
    }));
});
