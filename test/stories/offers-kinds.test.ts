import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attachFeature,
  createAddon,
  createFeature,
  createPlan,
  createPlanGroup,
  createPrice,
  off,
} from '../support/factories.ts';
import { OfferStories } from '../support/offer-stories.ts';
import { pay } from '../support/stories.ts';

// One story for each type of offer, using only the API and the clock. Each story checks every event for the subscription.

const fixed = (amount: number, more: Record<string, unknown> = {}) => ({
  type: 'fixed_price',
  durationCycles: 1,
  prices: [{ currency: 'usd', amount }],
  ...more,
});

const paidCheckout = [
  'subscription.created',
  'invoice.created',
  'checkout.ready',
  'customer.state_changed:subscription_created',
];
const activated = [
  'payment_method.attached',
  'payment.received',
  'subscription.activated',
  'customer.state_changed:subscription_activated',
];
const trialCheckout = [
  'subscription.created',
  'trial.checkout_ready',
  'customer.state_changed:subscription_created',
];
const trialStarted = ['payment_method.attached', 'trial.started', 'customer.state_changed:trial_started'];
const trialPaid = [
  'trial.will_end',
  'trial.expired',
  'invoice.created',
  'payment.received',
  'subscription.activated',
  'customer.state_changed:trial_expired',
];
const renewal = ['invoice.upcoming', 'invoice.created', 'payment.received'];
const repriced = ['invoice.updated'];

let stories: OfferStories;
beforeAll(async () => {
  stories = await OfferStories.at('2031-01-10T09:00:00Z');
});
afterAll(() => stories.close());

describe('a free trial', () => {
  it("delays a monthly plan's first charge, and doesn't change later charges (OFR-4, OFR-11)", async () => {
    await stories.to('2031-01-15T09:00:00Z');
    const plan = await stories.plan('monthly', 2_900);
    const subscription = await stories.begin(plan.id, { offerId: (await stories.offer(off.trial(14))).id });
    expect(await stories.offers(subscription)).toEqual([
      'direct applied null',
      '  free_trial 2031-01-15 2031-01-29',
    ]);
    await stories.to('2031-03-01T00:00:00Z');
    // The anchor is the 29th, which this February doesn't have.
    expect(await stories.charged(subscription)).toEqual([
      '2031-01-29 2031-02-28 2900 paid',
      '2031-02-28 2031-03-29 2900 paid',
    ]);
    expect(await stories.events(subscription)).toEqual([
      ...trialCheckout,
      ...trialStarted,
      ...trialPaid,
      ...renewal,
    ]);
    await stories.end(subscription);
  });

  it("delays a yearly plan's first charge by the number of days set at creation (OFR-26 line 4, OFR-27)", async () => {
    await stories.to('2031-03-05T09:00:00Z');
    const plan = await stories.plan('yearly', 30_000, { trialDays: 7 });
    const subscription = await stories.begin(plan.id, { customTrialDays: 30 });
    expect(await stories.offers(subscription)).toEqual([
      'custom applied null',
      '  free_trial 2031-03-05 2031-04-04',
    ]);
    expect((await stories.read(subscription)).nextBillingDate).toBe('2031-04-04T00:00:00.000Z');
    await stories.to('2032-04-04T00:00:00Z');
    expect(await stories.charged(subscription)).toEqual([
      '2031-04-04 2032-04-04 30000 paid',
      '2032-04-04 2033-04-04 30000 paid',
    ]);
    expect(await stories.events(subscription)).toEqual([
      ...trialCheckout,
      ...trialStarted,
      ...trialPaid,
      ...renewal,
    ]);
    await stories.end(subscription);
  });

  it('can be skipped on request, and the customer is charged immediately (OFR-26 line 5)', async () => {
    const plan = await stories.plan('quarterly', 6_000, { trialDays: 7 });
    await stories.to('2032-05-01T09:00:00Z');
    const subscription = await stories.begin(plan.id, { skipTrial: true });
    expect(await stories.offers(subscription)).toEqual([]);
    expect(await stories.charged(subscription)).toEqual(['2032-05-01 2032-08-01 6000 paid']);
    expect(await stories.events(subscription)).toEqual([...paidCheckout, ...activated]);
    await stories.end(subscription);
  });

  it("is rejected if it's shorter than 1 day or longer than 730 days, and no subscription is created (OFR-27)", async () => {
    const plan = await stories.plan('monthly', 2_900);
    for (const customTrialDays of [0, 731, 1.5]) {
      const { status, body } = await stories.create(plan.id, { customTrialDays });
      expect([status, body.error?.code]).toEqual([400, 'validation_error']);
    }
    expect((await stories.create(plan.id, { customTrialDays: 730 })).status).toBe(201);
  });
});

describe('a percentage discount', () => {
  it('reduces the base price for two quarters, but not the price of usage in the months between (OFR-9, OFR-14)', async () => {
    await stories.to('2032-06-01T09:00:00Z');
    const plan = await stories.plan('quarterly', 9_000);
    const feature = await createFeature(stories.shop, 'usage');
    await attachFeature(stories.shop, plan.id, feature.id, {
      includedAmount: 100,
      overage: { enabled: true, unitPrice: 5_000 },
    });
    const subscription = await stories.begin(plan.id, {
      offerId: (await stories.offer(off.percent(2_000, 2))).id,
    });
    expect(await stories.offers(subscription)).toEqual([
      'direct applied 7200',
      '  percentage 2032-06-01 2032-12-01',
    ]);
    const use = await stories.shop.rest('POST', '/usage/events', {
      customerId: subscription.customerId,
      featureCode: feature.code,
      value: 110,
    });
    expect(use.status).toBe(200);
    await stories.to('2032-12-01T00:00:00Z');
    // 90.00 − 20% = 72.00. The 10 units of overage at 0.50 cost 5.00 and aren't discounted.
    expect(await stories.charged(subscription)).toEqual([
      '2032-06-01 2032-09-01 7200 paid',
      '2032-06-01 2032-07-01 500 paid',
      '2032-09-01 2032-12-01 7200 paid',
      '2032-12-01 2033-03-01 9000 paid',
    ]);
    expect(await stories.events(subscription)).toEqual([
      ...paidCheckout,
      ...activated,
      'usage.recorded',
      'quota.exceeded',
      'invoice.created',
      'payment.received',
      ...renewal,
      ...renewal,
    ]);
    await stories.end(subscription);
  });
});

describe('an amount discount', () => {
  it('reduces only the base price, and an add-on is still charged in full (OFR-E3, OFR-14)', async () => {
    await stories.to('2033-01-01T09:00:00Z');
    const plan = await stories.plan('monthly', 1_200);
    const addon = await createAddon(stories.shop, { basePrice: 400 });
    const subscription = await stories.begin(plan.id, {
      offerId: (await stories.offer(off.amount(1_500, 2))).id,
    });
    expect(await stories.offers(subscription)).toEqual([
      'direct applied 0',
      '  amount_off 2033-01-01 2033-03-01',
    ]);
    expect(
      (await stories.shop.rest('POST', `/subscriptions/${subscription.id}/addons`, { addonId: addon.id }))
        .status,
    ).toBeLessThan(300);
    await stories.to('2033-03-01T00:00:00Z');
    // The add-on for 4.00 is charged immediately for a whole month, then with each renewal. The base price of 12.00 is discounted by 12.00
    // twice, and charged in full from the third month on.
    expect(await stories.charged(subscription)).toEqual([
      '2033-01-01 2033-02-01 0 paid',
      '2033-01-01 2033-01-01 400 paid',
      '2033-02-01 2033-03-01 400 paid',
      '2033-03-01 2033-04-01 1600 paid',
    ]);
    await stories.end(subscription);
  });

  it('lasts one year per cycle on a yearly plan, then ends', async () => {
    await stories.to('2033-04-30T09:00:00Z');
    const plan = await stories.plan('yearly', 10_000);
    const subscription = await stories.begin(plan.id, {
      offerId: (await stories.offer(off.amount(2_500, 1), off.amount(1_000, 1))).id,
    });
    await stories.to('2035-04-30T00:00:00Z');
    expect(await stories.charged(subscription)).toEqual([
      '2033-04-30 2034-04-30 7500 paid',
      '2034-04-30 2035-04-30 9000 paid',
      '2035-04-30 2036-04-30 10000 paid',
    ]);
    expect(await stories.events(subscription)).toEqual([
      ...paidCheckout,
      ...activated,
      ...renewal,
      ...renewal,
    ]);
    await stories.end(subscription);
  });
});

describe('a fixed price', () => {
  it('is charged once on a one-time plan (OFR-12)', async () => {
    await stories.to('2035-06-01T09:00:00Z');
    const plan = await stories.plan('one_time', 30_000);
    const subscription = await stories.begin(plan.id, { offerId: (await stories.offer(fixed(25_000))).id });
    expect(await stories.offers(subscription)).toEqual([
      'direct applied 25000',
      '  fixed_price 2035-06-01 –',
    ]);
    await stories.to('2035-10-01T00:00:00Z');
    expect(await stories.charged(subscription)).toHaveLength(1);
    expect((await stories.charged(subscription))[0]).toContain(' 25000 paid');
    expect(await stories.events(subscription)).toEqual([...paidCheckout, ...activated]);
  });

  it('bills a yearly plan monthly for three months, then the year starts (OFR-13, BIL-3)', async () => {
    await stories.to('2035-10-31T09:00:00Z');
    const plan = await stories.plan('yearly', 30_000);
    const offer = await stories.offer(fixed(2_000, { durationCycles: 3, durationInterval: 'monthly' }));
    const subscription = await stories.begin(plan.id, { offerId: offer.id });
    expect(await stories.offers(subscription)).toEqual([
      'direct applied 2000',
      '  fixed_price 2035-10-31 2036-01-31',
    ]);
    expect(await stories.read(subscription)).toMatchObject({
      nextBillingDate: '2035-11-30T00:00:00.000Z',
      currentPeriod: { start: '2035-10-31T00:00:00.000Z', end: '2035-11-30T00:00:00.000Z' },
    });
    await stories.to('2036-02-15T00:00:00Z');
    expect(await stories.charged(subscription)).toEqual([
      '2035-10-31 2035-11-30 2000 paid',
      '2035-11-30 2035-12-31 2000 paid',
      '2035-12-31 2036-01-31 2000 paid',
      '2036-01-31 2037-01-31 30000 paid',
    ]);
    expect((await stories.read(subscription)).nextBillingDate).toBe('2037-01-31T00:00:00.000Z');
    expect(await stories.events(subscription)).toEqual([
      ...paidCheckout,
      ...activated,
      ...renewal,
      ...renewal,
      ...renewal,
    ]);
    await stories.end(subscription);
  });

  it('bills a monthly plan weekly, and its usage in monthly usage windows (OFR-13, GLO-21)', async () => {
    await stories.to('2036-03-01T09:00:00Z');
    const plan = await stories.plan('monthly', 4_000);
    const feature = await createFeature(stories.shop, 'usage');
    await attachFeature(stories.shop, plan.id, feature.id, {
      includedAmount: 100,
      overage: { enabled: true, unitPrice: 10_000 },
    });
    const offer = await stories.offer(fixed(500, { durationCycles: 5, durationInterval: 'weekly' }));
    const subscription = await stories.begin(plan.id, { offerId: offer.id });
    const use = (value: number) =>
      stories.shop.rest('POST', '/usage/events', {
        customerId: subscription.customerId,
        featureCode: feature.code,
        value,
      });
    await use(60);
    await stories.to('2036-03-10T09:00:00Z');
    await use(45);
    await stories.to('2036-04-02T09:00:00Z');
    await use(101);
    await stories.to('2036-05-06T00:00:00Z');
    // Weekly periods start on Saturday, March 1. The fifth period ends on April 5. In the March window, 105 units include 5 units of
    // overage at 1.00. The window that starts on April 1 is shortened to April 5, and its 101 units include 1 unit of overage.
    expect(await stories.charged(subscription)).toEqual([
      '2036-03-01 2036-03-08 500 paid',
      '2036-03-08 2036-03-15 500 paid',
      '2036-03-15 2036-03-22 500 paid',
      '2036-03-22 2036-03-29 500 paid',
      '2036-03-29 2036-04-05 500 paid',
      '2036-03-01 2036-04-01 500 paid',
      '2036-04-05 2036-05-05 4100 paid',
      '2036-05-05 2036-06-05 4000 paid',
    ]);
    await stories.end(subscription);
  });
});

describe('an introductory offer', () => {
  it('applies automatically, even after a cancellation, but never to a reactivation (OFR-29, OFR-30, OFR-31)', async () => {
    await stories.to('2036-06-01T09:00:00Z');
    const plan = await stories.plan('monthly', 2_000, { trialDays: 9 });
    const [first, second] = [
      await stories.offer(off.trial(3), off.percent(5_000, 1)),
      await stories.offer(off.percent(1_000, 1)),
    ];
    const place = (offerId: string) =>
      stories.t.graphql(
        `mutation { planPriceIntroductoryOfferSet(input: { planId: "${plan.id}", priceId: "${plan.priceId}", offerId: "${offerId}" }) { id } }`,
      );
    await place(first.id);
    const subscription = await stories.begin(plan.id);
    await place(second.id);
    await stories.to('2036-07-05T00:00:00Z');
    expect(await stories.offers(subscription)).toEqual([
      'introductory applied 1000',
      '  free_trial 2036-06-01 2036-06-04',
      '  percentage 2036-06-04 2036-07-04',
    ]);
    // 20.00 − 50% = 10.00.
    expect(await stories.charged(subscription)).toEqual([
      '2036-06-04 2036-07-04 1000 paid',
      '2036-07-04 2036-08-04 2000 paid',
    ]);
    expect(await stories.events(subscription)).toEqual([
      ...trialCheckout,
      ...trialStarted,
      ...trialPaid,
      ...renewal,
    ]);

    await stories.shop.rest('POST', `/subscriptions/${subscription.id}/cancel`, { immediate: true });
    expect((await stories.shop.rest('POST', `/subscriptions/${subscription.id}/reactivate`, {})).status).toBe(
      200,
    );
    expect((await stories.charged(subscription)).at(-1)).toBe('2036-07-05 2036-08-05 2000 paid');
    expect((await stories.read(subscription)).offerApplications).toHaveLength(1);

    // Earlier subscriptions don't matter. The customer gets the current introductory offer: 20.00 − 10% = 18.00.
    await stories.shop.rest('POST', `/subscriptions/${subscription.id}/cancel`, { immediate: true });
    const again = await stories.begin(plan.id, { customerId: subscription.customerId });
    expect(await stories.offers(again)).toEqual([
      'introductory applied 1800',
      '  percentage 2036-07-05 2036-08-05',
    ]);
    await stories.end(again);
  });
});

describe('a promo code', () => {
  it("can be redeemed once per customer, and doesn't apply to another subscription (OFR-36, OFR-37)", async () => {
    await stories.to('2036-09-01T09:00:00Z');
    const plan = await stories.plan('quarterly', 8_000);
    const offer = await stories.offer(off.percent(2_500, 2));
    const { body: code } = await stories.shop.rest<{ id: string }>('POST', '/promo-codes', {
      code: 'AUTUMN36',
      offerId: offer.id,
    });
    const subscription = await stories.open(plan.id);
    await stories.t.graphql(
      'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
      {
        input: {
          token: subscription.token,
          card: { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' },
          promoCode: 'autumn36',
        },
      },
      { key: null },
    );
    // The subscription keeps the discount that the offer had when it was redeemed.
    await stories.shop.rest('PATCH', `/offers/${offer.id}`, { name: 'Less', phases: [off.percent(100, 1)] });
    await stories.to('2037-03-01T00:00:00Z');
    // 80.00 − 25% = 60.00.
    expect(await stories.charged(subscription)).toEqual([
      '2036-09-01 2036-12-01 6000 paid',
      '2036-12-01 2037-03-01 6000 paid',
      '2037-03-01 2037-06-01 8000 paid',
    ]);
    expect(await stories.events(subscription)).toEqual([
      ...paidCheckout,
      ...repriced,
      ...activated,
      ...renewal,
      ...renewal,
    ]);

    await stories.shop.rest('POST', `/subscriptions/${subscription.id}/cancel`, { immediate: true });
    await stories.shop.rest('POST', `/subscriptions/${subscription.id}/reactivate`, {});
    expect((await stories.charged(subscription)).at(-1)).toBe('2037-03-01 2037-06-01 8000 paid');
    await stories.end(subscription);
    const { body } = await stories.create(plan.id, {
      customerId: subscription.customerId,
      promoCode: 'AUTUMN36',
    });
    expect(body.error).toMatchObject({
      code: 'offer_not_applicable',
      details: { reason: 'already_redeemed' },
    });
    expect(
      (await stories.shop.rest<{ redemptionCount: number }>('GET', `/promo-codes/${code.id}`)).body
        .redemptionCount,
    ).toBe(1);
  });
});

describe('an offer that is applied directly', () => {
  it('applies to a reactivation unless the offer includes a trial, and starts immediately (OFR-32)', async () => {
    await stories.to('2037-04-10T09:00:00Z');
    const plan = await stories.plan('monthly', 2_000);
    const subscription = await stories.begin(plan.id, {
      offerId: (await stories.offer(off.percent(1_000, 12))).id,
    });
    await stories.to('2037-05-01T09:00:00Z');
    await stories.shop.rest('POST', `/subscriptions/${subscription.id}/cancel`, { immediate: true });
    const reactivate = `/subscriptions/${subscription.id}/reactivate`;
    const withTrial = await stories.offer(off.trial(5), off.percent(5_000, 1));
    expect(await stories.rejected('POST', reactivate, { offerId: withTrial.id })).toEqual([
      'offer_not_applicable',
      'free_trial',
    ]);
    expect(
      (
        await stories.shop.rest('POST', reactivate, {
          offerId: (await stories.offer(off.percent(5_000, 1))).id,
        })
      ).status,
    ).toBe(200);
    await stories.to('2037-06-01T00:00:00Z');
    // 20.00 − 10% = 18.00. After the reactivation, 20.00 − 50% = 10.00 once, because the cancellation ended the earlier offer (OFR-19).
    expect(await stories.charged(subscription)).toEqual([
      '2037-04-10 2037-05-10 1800 paid',
      '2037-05-01 2037-06-01 1000 paid',
      '2037-06-01 2037-07-01 2000 paid',
    ]);
    expect(await stories.events(subscription)).toEqual([
      ...paidCheckout,
      ...activated,
      'subscription.canceled',
      'customer.state_changed:subscription_canceled',
      'invoice.created',
      'payment.received',
      'subscription.reactivated',
      'customer.state_changed:subscription_activated',
      ...renewal,
    ]);
    await stories.end(subscription);
  });

  it("applies its fixed price's billing interval to a reactivation (OFR-13)", async () => {
    await stories.to('2037-08-01T09:00:00Z');
    const plan = await stories.plan('monthly', 1_000);
    const subscription = await stories.begin(plan.id);
    await stories.shop.rest('POST', `/subscriptions/${subscription.id}/cancel`, { immediate: true });
    const offer = await stories.offer(fixed(9_000, { durationInterval: 'yearly' }));
    expect(
      (await stories.shop.rest('POST', `/subscriptions/${subscription.id}/reactivate`, { offerId: offer.id }))
        .status,
    ).toBe(200);
    await stories.to('2038-09-01T00:00:00Z');
    expect((await stories.charged(subscription)).slice(1)).toEqual([
      '2037-08-01 2038-08-01 9000 paid',
      '2038-08-01 2038-09-01 1000 paid',
      '2038-09-01 2038-10-01 1000 paid',
    ]);
    await stories.end(subscription);
  });
});

describe('an offer during a plan change', () => {
  it('ends with an immediate change or when a scheduled change takes effect, and can start with an immediate change (OFR-19, OFR-21, OFR-32)', async () => {
    await stories.to('2038-09-10T09:00:00Z');
    const { id: planGroupId } = await createPlanGroup(stories.shop);
    const low = await createPlan(stories.shop, { planGroupId });
    const high = await createPlan(stories.shop, { planGroupId });
    await createPrice(stories.shop, low.id, { price: 1_000 });
    await createPrice(stories.shop, high.id, { price: 5_000 });
    const ten = await stories.offer(off.percent(1_000, 12));
    const move = (target: { id: string }, body: Record<string, unknown>) =>
      stories.shop.rest<{ status: string }>('POST', `/subscriptions/${target.id}/change-plan`, body);
    const subscription = await stories.begin(low.id, { offerId: ten.id });
    await stories.to('2038-09-20T09:00:00Z');
    const half = await stories.offer(off.percent(5_000, 2));
    expect((await move(subscription, { newPlanId: high.id, offerId: half.id })).status).toBe(200);
    // The customer paid 9.00 (10.00 − 10%) for 30 days. The credit for the remaining 20 days is 6.00, so the charge is
    // 50.00 − 50% − 6.00 = 19.00. No other credit applies.
    expect(await stories.charged(subscription)).toEqual([
      '2038-09-10 2038-10-10 900 paid',
      '2038-09-20 2038-10-20 1900 paid',
    ]);
    expect(await stories.offers(subscription)).toEqual([
      'direct applied 2500',
      '  percentage 2038-09-20 2038-11-20',
      'direct applied 900',
      '  percentage 2038-09-10 2039-09-10',
    ]);
    // A scheduled change accepts no offer, and ends the current offer when it takes effect.
    expect(
      await stories.rejected('POST', `/subscriptions/${subscription.id}/change-plan`, {
        newPlanId: low.id,
        offerId: ten.id,
      }),
    ).toEqual(['offer_not_applicable', 'scheduled']);
    expect((await move(subscription, { newPlanId: low.id })).status).toBe(200);
    await stories.to('2038-11-20T00:00:00Z');
    expect((await stories.charged(subscription)).slice(2)).toEqual([
      '2038-10-20 2038-11-20 1000 paid',
      '2038-11-20 2038-12-20 1000 paid',
    ]);
    await stories.end(subscription);
  });
});

describe('a card promotion', () => {
  it('is selected by the longest matching BIN, and removed for other cards (OFR-E6)', async () => {
    await stories.to('2038-12-01T09:00:00Z');
    const { shop, t } = stories;
    await t.app.database.query('UPDATE "Organization" SET "cardPromotions" = true', []);
    const promote = async (bins: string[], share: number) => {
      const { cardPromotionCreate } = await t.graphql<{ cardPromotionCreate: { id: string } }>(
        'mutation ($input: CardPromotionCreateInput!) { cardPromotionCreate(input: $input) { id } }',
        { input: { offerId: (await stories.offer(off.percent(share, 1))).id, bins, autoDiscovered: true } },
        { key: shop.key },
      );
      return cardPromotionCreate.id;
    };
    const [, q] = [await promote(['400000'], 1_500), await promote(['40000025'], 3_000)];
    const plan = await stories.plan('monthly', 2_000);
    // 4000 0000 0000 0341 matches only the six-digit prefix: 20.00 − 15% = 17.00.
    const six = await stories.begin(plan.id, {}, '4000000000000341');
    expect(await stories.offers(six)).toEqual([
      'card_promotion applied 1700',
      '  percentage 2038-12-01 2039-01-01',
    ]);
    expect(await stories.events(six)).toEqual([...paidCheckout, ...repriced, ...activated]);
    await stories.end(six);

    const lost = await stories.open(plan.id, { cardPromotionId: q });
    expect(await stories.offers(lost)).toEqual(['card_promotion quoted 1400', '  percentage – –']);
    await expect(pay(t, lost.token)).rejects.toThrow('card_not_eligible');
    expect(await stories.offers(lost)).toEqual(['card_promotion failed 1400', '  percentage – –']);
    expect(await pay(t, lost.token)).toBe('paid');
    await stories.to('2039-01-01T00:00:00Z');
    expect(await stories.charged(lost)).toEqual([
      '2038-12-01 2039-01-01 2000 paid',
      '2039-01-01 2039-02-01 2000 paid',
    ]);
    expect(await stories.events(lost)).toEqual([...paidCheckout, ...repriced, ...activated, ...renewal]);
    await stories.end(lost);

    // If the start date is later, the offer is quoted on the first day, with the same card condition.
    const later = await stories.open(plan.id, { cardPromotionId: q, startDate: '2039-02-01T00:00:00Z' });
    expect(await stories.offers(later)).toEqual([]);
    await stories.to('2039-02-01T08:00:00Z');
    expect(await stories.offers(later)).toEqual(['card_promotion quoted 1400', '  percentage – –']);
    expect(await stories.charged(later)).toEqual(['2039-02-01 2039-02-01 1400 outstanding']);
    await stories.end(later);
  });
});
