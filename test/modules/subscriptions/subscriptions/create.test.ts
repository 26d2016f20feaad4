import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rejection } from '../../../support/refusals.ts';
import { now, openShop, type Shop } from './shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const create = 'mutation ($input: SubscriptionCreateInput!) { subscriptionCreate(input: $input) { id } }';

describe('subscriptionCreate for a paid plan', () => {
  it('returns a subscription that is pending payment, with its checkout URL (SUB-80)', async () => {
    const customerId = await shop.customer('acme');
    const { status, body } = await shop.rest('POST', '/subscriptions', {
      customerId: 'acme',
      planCode: 'pro',
      initialSeats: { people: 5 },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^sub_[0-9A-Za-z]{22}$/),
      customerId,
      plan: { id: shop.proId, name: 'Pro' },
      name: 'Pro',
      description: null,
      status: 'pending_payment',
      billingInterval: 'monthly',
      trialEndsAt: null,
      currentPeriod: null,
      cancellation: null,
      cancelAtPeriodEnd: false,
      scheduledPlanChange: null,
      startDate: now.toISOString(),
      endDate: null,
      billingDayOfMonth: null,
      nextBillingDate: null,
      checkoutUrl: expect.stringMatching(/\/checkout\/[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/),
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      offerApplications: [],
      checkoutProvider: 'platform',
      priceId: shop.proPriceId,
      object: 'subscription',
      livemode: false,
    });
  });

  it('returns the open checkout with the same URL for the same parameters (SUB-12, SUB-14)', async () => {
    const customerId = await shop.customer();
    const first = await shop.subscribe({ customerId, planId: shop.proId });
    expect(await shop.subscribe({ customerId, planId: shop.proId })).toEqual(first);
  });
});

describe('subscriptionCreate for a free plan', () => {
  it('activates the subscription immediately, without a price, checkout, or next billing date', async () => {
    const customerId = await shop.customer();
    const { body } = await shop.rest('POST', '/subscriptions', {
      customerId,
      planId: shop.freeId,
      name: 'Hobby',
    });
    expect(body).toMatchObject({
      plan: { id: shop.freeId, name: 'Free' },
      name: 'Hobby',
      status: 'active',
      billingInterval: null,
      currentPeriod: {
        start: '2026-03-31T00:00:00.000Z',
        end: '2026-04-30T00:00:00.000Z',
        daysRemaining: 30,
      },
      billingDayOfMonth: 31,
      nextBillingDate: null,
      checkoutUrl: null,
      checkoutProvider: null,
      priceId: null,
    });
  });
});

describe('subscriptionCreate for a plan with a trial', () => {
  it('quotes the trial as a separate offer', async () => {
    const customerId = await shop.customer();
    const { body } = await shop.rest<{ offerApplications: unknown[]; priceId: string }>(
      'POST',
      '/subscriptions',
      {
        customerId,
        planId: shop.trialId,
      },
    );
    expect(body.offerApplications).toEqual([
      {
        id: expect.stringMatching(/^oap_[0-9A-Za-z]{22}$/),
        name: 'Free trial of 10 days',
        appliesTo: { type: 'plan_price', id: body.priceId },
        offerId: null,
        source: 'custom',
        status: 'quoted',
        currency: 'usd',
        subtotal: null,
        discountAmount: null,
        total: null,
        phases: [
          { type: 'free_trial', durationDays: 10, durationInterval: null, startsAt: null, endsAt: null },
        ],
        quotedAt: now.toISOString(),
        expiresAt: null,
        appliedAt: null,
      },
    ]);
  });
});

describe('subscriptionCreate', () => {
  it.each([
    ['a missing plan ID and code', {}, [{ field: 'planId', message: 'is required unless planCode is set' }]],
    [
      'a plan ID together with a code, and three selection controls',
      { planId: 'p', planCode: 'p', offerId: 'o', promoCode: 'c', skipTrial: true },
      [
        { field: 'planCode', message: "can't be combined with planId" },
        { field: 'promoCode', message: "can't be combined with offerId" },
        { field: 'skipTrial', message: "can't be combined with offerId" },
      ],
    ],
  ])('rejects %s', async (_title, input, details) => {
    const customerId = await shop.customer();
    expect(await rejection(shop, create, { input: { customerId, ...input } })).toEqual({
      code: 'validation_error',
      status: 400,
      param: details[0]?.field,
      message: `${details[0]?.field}: ${details[0]?.message}.`,
      details,
    });
  });

  it('ignores `skipTrial: false`', async () => {
    const customerId = await shop.customer();
    const input = { customerId, planId: shop.trialId, customTrialDays: 5, skipTrial: false };
    expect((await shop.subscribe(input)).status).toBe('pending_payment');
  });

  it.each([
    ['an unknown customer', { customerId: 'nobody', planCode: 'pro' }, 'customer_not_found', 404],
    ['an unknown plan', { planCode: 'none' }, 'plan_not_found', 404],
    ['an unknown promo code', { planCode: 'pro', promoCode: 'SPRING' }, 'promo_code_not_found', 404],
    ['an unknown offer', { planCode: 'pro', offerId: 'ofr_none' }, 'offer_not_found', 404],
    [
      'seats of a feature outside the plan',
      { planCode: 'free', initialSeats: { people: 1 } },
      'feature_not_in_plan',
      400,
    ],
  ])('rejects %s', async (_title, input, code, status) => {
    const customerId = await shop.customer();
    expect(await rejection(shop, create, { input: { customerId, ...input } })).toMatchObject({
      code,
      status,
    });
  });

  it('rejects a second subscription while another is active', async () => {
    const { customerId } = await shop.activeCustomer();
    expect(await rejection(shop, create, { input: { customerId, planId: shop.proId } })).toMatchObject({
      code: 'already_has_active_subscription',
      status: 409,
    });
  });
});
