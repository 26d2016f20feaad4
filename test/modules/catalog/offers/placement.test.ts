import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createOffer,
  createPlan,
  createPricedPlan,
  firstShop,
  off,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const place = `mutation ($input: PlanPriceIntroductoryOfferSetInput!) {
  planPriceIntroductoryOfferSet(input: $input) { id offerId introductoryOffer { id } } }`;

describe('an introductory offer (CAT-54, OFR-28, OFR-29)', () => {
  let t: TestApp;
  let shop: Shop;
  const set = async (id: string, priceId: string, offerId: string | null) =>
    (
      await t.graphql<{ planPriceIntroductoryOfferSet: object }>(place, {
        input: { planId: id, priceId, offerId },
      })
    ).planPriceIntroductoryOfferSet;
  const listed = async (planId: string) =>
    (await shop.rest<{ prices: { offerId: string | null }[] }>('GET', `/plans/${planId}`)).body.prices.map(
      ({ offerId }) => offerId,
    );

  beforeAll(async () => {
    t = await startApp();
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  it('can be set on a price by plan ID or code, replaced, and removed', async () => {
    const plan = await createPricedPlan(shop);
    const [first, second] = [
      await createOffer(shop, [off.trial(7), off.percent(5_000, 3)]),
      await createOffer(shop, [off.amount(500)]),
    ];
    expect(await listed(plan.id)).toEqual([null]);
    expect(await set(plan.id, plan.priceId, first.id)).toEqual({
      id: plan.priceId,
      offerId: first.id,
      introductoryOffer: { id: first.id },
    });
    expect(await set(plan.code, plan.priceId, second.id)).toMatchObject({ offerId: second.id });
    expect(await listed(plan.id)).toEqual([second.id]);
    expect(await set(plan.id, plan.priceId, null)).toEqual({
      id: plan.priceId,
      offerId: null,
      introductoryOffer: null,
    });
    expect(await listed(plan.id)).toEqual([null]);
  });

  it('is removed from prices when its offer is deleted (OFR-5)', async () => {
    const [plan, offer] = [await createPricedPlan(shop), await createOffer(shop)];
    await set(plan.id, plan.priceId, offer.id);
    await shop.rest('DELETE', `/offers/${offer.id}`);
    expect(await listed(plan.id)).toEqual([null]);
  });

  it.each<[string, Record<string, unknown>[]]>([
    ['a fixed price', [{ type: 'fixed_price', durationCycles: 1, prices: [{ currency: 'usd', amount: 1 }] }]],
    ['an unlimited duration', [off.percent(1_000, null)]],
    ['two discounts', [off.percent(1_000), off.amount(100)]],
  ])('is rejected if its offer has %s', async (_name, phases) => {
    const [plan, offer] = [await createPricedPlan(shop), await createOffer(shop, phases)];
    expect(
      await rejection(t, place, { input: { planId: plan.id, priceId: plan.priceId, offerId: offer.id } }),
    ).toMatchObject({
      code: 'offer_not_applicable',
      status: 400,
      param: 'offerId',
    });
  });

  it("is rejected if the plan, price, or offer doesn't exist", async () => {
    const [plan, other, offer] = [
      await createPricedPlan(shop),
      await createPlan(shop),
      await createOffer(shop),
    ];
    const rejected = async (input: Record<string, unknown>) => (await rejection(t, place, { input })).code;
    expect(await rejected({ planId: 'pln_none', priceId: plan.priceId, offerId: offer.id })).toBe(
      'plan_not_found',
    );
    expect(await rejected({ planId: other.id, priceId: plan.priceId, offerId: offer.id })).toBe(
      'price_not_found',
    );
    expect(await rejected({ planId: plan.id, priceId: plan.priceId, offerId: 'ofr_none' })).toBe(
      'offer_not_found',
    );
  });
});
