import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixedClock } from '../../../../src/platform/clock.ts';
import { watchChanges } from '../../../support/changes.ts';
import {
  attachFeature,
  cards,
  createClimber,
  createCustomer,
  createFeature,
  createLadder,
  createOffer,
  createPlan,
  firstShop,
  off,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Plan changes through the public API. The clock is fixed at noon on April 15, 2026, the first day of each billing period.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp({ wall: fixedClock(new Date('2026-04-15T12:00:00.000Z')) });
  shop = firstShop(t);
});
afterAll(() => t.close());

type Failure = { error: { code: string; param?: string; details?: unknown } };
const changePath = (id: string) => `/subscriptions/${id}/change-plan`;
const change = <T = Record<string, unknown>>(id: string, body: object) =>
  shop.rest<T>('POST', changePath(id), body);
const shown = async (id: string) =>
  (await shop.rest<Record<string, unknown>>('GET', `/subscriptions/${id}`)).body;

const union = `__typename
  ... on PlanChangeCompleted { outcome scheduled previousPlan { id: planId } currentPlan { id: planId price } billingInterval invoiceId billing { credit charge totalCharged } }
  ... on PlanChangeScheduled { outcome scheduled changeType scheduledFor newPlanId newBillingInterval seatLimitWarning { featureCode } }
  ... on PlanChangeCheckout { outcome requiresCheckout checkoutUrl offerApplication { offerId } }`;
const byGraphql = (input: object, fields = union) =>
  t.graphql<{ subscriptionChangePlan: Record<string, unknown> }>(
    `mutation ($input: SubscriptionChangePlanInput!) { subscriptionChangePlan(input: $input) { ${fields} } }`,
    { input },
  );

describe('an immediate plan change', () => {
  test('returns the outcome, the amounts, the invoice, and the offer (SUB-38, SUB-42)', async () => {
    const { id, lowId, highId, customerId } = await createClimber(shop);
    const { id: offerId } = await createOffer(shop, [off.percent(5_000, 2)]);
    const { status, body } = await change(id, { newPlanId: highId, offerId });
    expect(status).toBe(200);
    expect(body).toEqual({
      outcome: 'completed',
      id,
      scheduled: false,
      customerId,
      previousPlan: { id: lowId, name: expect.any(String) },
      currentPlan: { id: highId, name: expect.any(String), price: 11_800 },
      billingInterval: 'monthly',
      // All 30 days of the period remain.
      billing: {
        credit: 3_400,
        creditsApplied: 0,
        charge: 5_900,
        taxAmount: 0,
        netAmount: 2_500,
        totalCharged: 2_500,
        remainingCreditBalance: 0,
      },
      invoiceId: expect.stringMatching(/^inv_/),
      offerApplication: {
        id: expect.stringMatching(/^oap_/),
        offerId,
        name: expect.any(String),
        appliesTo: { type: 'plan_price', id: expect.stringMatching(/^pp_|^prc_/) },
        currency: 'usd',
        subtotal: 11_800,
        discountAmount: 5_900,
        total: 5_900,
        phases: [
          {
            type: 'percentage',
            percentage: 5_000,
            durationCycles: 2,
            durationInterval: null,
            startsAt: '2026-04-15T00:00:00.000Z',
            endsAt: '2026-06-15T00:00:00.000Z',
          },
        ],
      },
      object: 'plan_change',
      livemode: false,
    });
    expect(await shown(id)).toMatchObject({
      plan: { id: highId, basePrice: 11_800 },
      billingInterval: 'monthly',
      status: 'active',
      scheduledPlanChange: null,
      currentPeriod: {
        start: '2026-04-15T00:00:00.000Z',
        end: '2026-05-15T00:00:00.000Z',
        daysRemaining: 30,
      },
    });
  });

  test('returns the same result over GraphQL as over REST', async () => {
    const { id, lowId } = await createClimber(shop);
    expect((await byGraphql({ id, newBillingInterval: 'yearly' })).subscriptionChangePlan).toEqual({
      __typename: 'PlanChangeCompleted',
      outcome: 'completed',
      scheduled: false,
      previousPlan: { id: lowId },
      currentPlan: { id: lowId, price: 33_600 },
      billingInterval: 'yearly',
      invoiceId: expect.any(String),
      billing: { credit: 3_400, charge: 33_600, totalCharged: 30_200 },
    });
  });

  test('returns the decline code, voids the invoice, and changes nothing else', async () => {
    const { id, highId } = await createClimber(shop, cards.declinesLater);
    const before = await shown(id);
    const { status, body } = await change<Failure>(id, { newPlanId: highId });
    expect({ status, body }).toMatchObject({
      status: 402,
      body: { error: { code: 'charge_failed', details: { declineCode: 'card_declined' } } },
    });
    expect(await shown(id)).toEqual(before);
    const { body: invoices } = await shop.rest<{ data: { status: string; total: number }[] }>(
      'GET',
      `/invoices?subscriptionId=${id}`,
    );
    expect(invoices.data.map(({ status: shownStatus, total }) => [shownStatus, total])).toEqual([
      ['void', 8_400],
      ['paid', 3_400],
    ]);
  });

  test('is executed once for two requests with the same idempotency key', async () => {
    const { id, highId } = await createClimber(shop);
    const headers = { 'idempotency-key': `climb-${id}` };
    const [first, second] = [
      await shop.rest('POST', changePath(id), { newPlanId: highId }, { headers }),
      await shop.rest('POST', changePath(id), { newPlanId: highId }, { headers }),
    ];
    expect(second.body).toEqual(first.body);
    expect((await change<Failure>(id, { newPlanId: highId })).body.error.code).toBe('no_change_requested');
  });
});

describe('a scheduled plan change', () => {
  test('is returned with the subscription, including a warning about excess seats (SUB-48)', async () => {
    const { lowId, highId } = await createLadder(shop);
    const { id: featureId, code } = await createFeature(shop);
    await attachFeature(shop, lowId, featureId, { includedAmount: 1 });
    await attachFeature(shop, highId, featureId, { includedAmount: 5 });
    const customer = await createCustomer(shop);
    const { id, token } = await subscribeTo(shop, customer.id, highId);
    await t.graphql(
      'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
      {
        input: { token, card: { number: cards.pays, expMonth: 12, expYear: 2099, cvc: '123' } },
      },
      { key: null },
    );
    await shop.rest('POST', '/seats', { customerId: customer.id, featureCode: code, count: 3 });
    const { body } = await change(id, { newPlanId: lowId });
    expect(body).toEqual({
      outcome: 'scheduled',
      id,
      scheduled: true,
      scheduledFor: '2026-05-15T00:00:00.000Z',
      changeType: 'subscription.plan_downgrade',
      customerId: customer.id,
      newPlanId: lowId,
      newPlanName: expect.any(String),
      seatLimitWarning: {
        featureCode: code,
        featureName: `Name of ${code}`,
        currentSeats: 3,
        included: 1,
        newPlanName: expect.any(String),
        effectiveDate: '2026-05-15T00:00:00.000Z',
      },
      object: 'plan_change',
      livemode: false,
    });
    expect((await shown(id))['scheduledPlanChange']).toEqual({
      changeType: 'plan_downgrade',
      newPlanId: lowId,
      newPlanName: expect.any(String),
      newBillingInterval: null,
      scheduledFor: '2026-05-15T00:00:00.000Z',
    });
    expect((await shown(id))['plan']).toMatchObject({ id: highId });
  });

  test('is canceled without a charge by a request to change to the current plan (OQ-13)', async () => {
    const { id, lowId, freeId } = await createClimber(shop);
    await change(id, { newPlanId: freeId });
    const { body } = await change(id, { newPlanId: lowId });
    expect(body).toMatchObject({
      outcome: 'completed',
      previousPlan: { id: lowId },
      currentPlan: { id: lowId, price: 3_400 },
      billing: { credit: 0, charge: 0, totalCharged: 0 },
    });
    expect(body).not.toHaveProperty('invoiceId');
    expect((await shown(id))['scheduledPlanChange']).toBeNull();
  });

  test('is canceled once by a separate GraphQL mutation', async () => {
    const { id, freeId } = await createClimber(shop);
    await change(id, { newPlanId: freeId });
    const revoke =
      'mutation ($input: SubscriptionScheduledChangeRevokeInput!) { subscriptionScheduledChangeRevoke(input: $input) { id scheduledPlanChange { newPlanId } } }';
    expect(await t.graphql(revoke, { input: { id } })).toEqual({
      subscriptionScheduledChangeRevoke: { id, scheduledPlanChange: null },
    });
    await expect(t.graphql(revoke, { input: { id } })).rejects.toThrow(/has no scheduled change/);
  });
});

describe('a plan change from a free plan', () => {
  const free = async () => {
    const ladder = await createLadder(shop);
    const customer = await createCustomer(shop);
    return { ...ladder, ...(await subscribeTo(shop, customer.id, ladder.freeId)) };
  };
  const checkout =
    'query ($token: String!) { checkout(token: $token) { status kind planName price billingInterval amountDue lineItems { amount } } }';

  test('returns a checkout for the requested plan (SUB-47)', async () => {
    const { id, lowId, freeId } = await free();
    const { id: offerId } = await createOffer(shop, [off.amount(400)]);
    const { body } = await change<{ checkoutUrl: string }>(id, {
      newPlanId: lowId,
      offerId,
      successUrl: 'https://shop.test/thanks',
    });
    expect(body).toMatchObject({
      outcome: 'requires_checkout',
      requiresCheckout: true,
      offerApplication: { offerId, total: 3_000 },
    });
    const token = body.checkoutUrl.split('/').at(-1) ?? '';
    expect(await shown(id)).toMatchObject({ plan: { id: freeId }, status: 'active', checkoutUrl: null });
    expect(await t.graphql(checkout, { token }, { key: null })).toEqual({
      checkout: {
        status: 'open',
        kind: 'payment',
        planName: expect.any(String),
        price: 3_400,
        billingInterval: 'monthly',
        amountDue: 3_000,
        lineItems: [{ amount: 3_400 }, { amount: -400 }],
      },
    });
    const pay =
      'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status subscription { plan { id: planId } status } } }';
    const card = { number: cards.pays, expMonth: 12, expYear: 2099, cvc: '123' };
    expect(await t.graphql(pay, { input: { token, card } }, { key: null })).toEqual({
      checkoutPay: { status: 'paid', subscription: { plan: { id: lowId }, status: 'active' } },
    });
    expect(await t.graphql(checkout, { token }, { key: null })).toMatchObject({
      checkout: { status: 'paid', amountDue: 0 },
    });
    expect(await shown(id)).toMatchObject({ plan: { id: lowId }, billingInterval: 'monthly' });
  });

  test('charges nothing if the new plan is free', async () => {
    const { id } = await free();
    const { planGroupId } = (
      await shop.rest<{ planGroupId: string }>(
        'GET',
        `/plans/${((await shown(id)) as { plan: { id: string } }).plan.id}`,
      )
    ).body;
    const other = await createPlan(shop, { isFree: true, planGroupId });
    const { body } = await change(id, { newPlanId: other.id });
    expect(body).toMatchObject({
      outcome: 'completed',
      billingInterval: null,
      currentPlan: { id: other.id, price: 0 },
      billing: { charge: 0 },
    });
  });
});

describe('the preview of a plan change (SUB-51)', () => {
  test('returns the plan amounts and stores nothing', async () => {
    const { id, highId } = await createClimber(shop);
    const { id: offerId } = await createOffer(shop);
    const changes = await watchChanges(t.app.database.query);
    const { status, body } = await shop.rest('POST', `/subscriptions/${id}/preview-change`, {
      planId: highId,
      offerId,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      currency: 'usd',
      currentPlanCredit: 3_400,
      newPlanCharge: 8_850,
      estimatedTotal: 5_450,
      effectiveDate: '2026-04-15T12:00:00.000Z',
      daysRemaining: 30,
      totalDays: 30,
      isUpgrade: true,
      offerApplication: expect.objectContaining({
        offerId,
        subtotal: 11_800,
        discountAmount: 2_950,
        total: 8_850,
      }),
      object: 'plan_change_preview',
      livemode: false,
    });
    expect(await changes()).toEqual([]);
  });

  test('equals the actual charge if only the plan is charged', async () => {
    const { id, highId } = await createClimber(shop);
    const input = { id, planId: highId };
    const { subscriptionPreviewChange } = await t.graphql<{
      subscriptionPreviewChange: { estimatedTotal: number };
    }>(
      'query ($input: SubscriptionPreviewChangeInput!) { subscriptionPreviewChange(input: $input) { estimatedTotal } }',
      { input },
    );
    const { body } = await change<{ billing: { totalCharged: number } }>(id, { newPlanId: highId });
    expect(body.billing.totalCharged).toBe(subscriptionPreviewChange.estimatedTotal);
  });
});

test('a plan change without a plan or an interval is rejected', async () => {
  const { id } = await createClimber(shop);
  const { status, body } = await change<Failure>(id, {});
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error', param: 'newPlanId' } },
  });
});
