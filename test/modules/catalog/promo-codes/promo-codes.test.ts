import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  createOffer,
  createPlan,
  createPromoCode,
  firstShop,
  off,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const morning = '2026-03-01T08:00:00.000Z';
const noon = '2026-03-01T12:00:00.000Z';
const create =
  'mutation ($input: PromoCodeCreateInput!) { promoCodeCreate(input: $input) { id code planIds offer { id } } }';
const update = 'mutation ($input: PromoCodeUpdateInput!) { promoCodeUpdate(input: $input) { id planIds } }';

describe('the promo code API (OFR-33)', () => {
  let t: TestApp;
  let shop: Shop;
  const wall = new MovableClock(morning);

  beforeAll(async () => {
    t = await startApp({ wall });
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  it('stores codes in uppercase, without limits by default', async () => {
    const offer = await createOffer(shop);
    const { status, body } = await shop.rest('POST', '/promo-codes', {
      code: 'hello-2026',
      offerId: offer.id,
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^prc_[0-9A-Za-z]{22}$/),
        code: 'HELLO-2026',
        offerId: offer.id,
        billingInterval: null,
        maxRedemptions: null,
        expiresAt: null,
        isActive: true,
        redemptionCount: 0,
        createdAt: morning,
        updatedAt: morning,
        object: 'promo_code',
        livemode: false,
      },
    });
    expect((await shop.rest('GET', `/promo-codes/${body['id']}`)).body).toEqual(body);
  });

  it('accepts plans by ID or code, and removes duplicates', async () => {
    const [offer, plan, other] = [await createOffer(shop), await createPlan(shop), await createPlan(shop)];
    const input = { code: 'plans', offerId: offer.id, planIds: [plan.code, other.id, plan.id] };
    expect(await t.graphql(create, { input })).toMatchObject({
      promoCodeCreate: { code: 'PLANS', planIds: [plan.id, other.id], offer: { id: offer.id } },
    });
    expect(
      await rejection(t, create, { input: { ...input, code: 'other', planIds: [plan.id, 'pln_none'] } }),
    ).toMatchObject({
      code: 'plan_not_found',
      param: 'planIds.1',
    });
  });

  it.each(['', 'with space', 'umläut', '🎉', 'تخفيض', 'a'.repeat(101)])(
    'rejects the code %j',
    async (code) => {
      const { id } = await createOffer(shop);
      const { status, body } = await shop.rest('POST', '/promo-codes', {
        code,
        offerId: id,
        maxRedemptions: 0,
      });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'validation_error',
            details: [{ field: 'code' }, { field: 'maxRedemptions', message: 'must be at least 1' }],
          },
        },
      });
    },
  );

  it.each<[string, Record<string, unknown>[]]>([
    ['a trial', [off.trial(5)]],
    ['two phases', [off.percent(5), off.percent(6)]],
    ['a fixed price', [{ type: 'fixed_price', durationCycles: 1, prices: [{ currency: 'usd', amount: 1 }] }]],
  ])('rejects an offer with %s', async (_name, phases) => {
    const input = { code: 'REFUSED', offerId: (await createOffer(shop, phases)).id };
    expect(await rejection(t, create, { input })).toMatchObject({
      code: 'offer_not_applicable',
      status: 400,
      param: 'offerId',
    });
  });

  it('requires codes to be unique per environment, ignoring case', async () => {
    const { code } = await createPromoCode(shop, { code: 'Once' });
    const { id } = await createOffer(shop);
    expect(await rejection(t, create, { input: { code: 'oNCE', offerId: id } })).toEqual({
      code: 'duplicate',
      status: 409,
      message: 'A promo code with this code already exists. Choose another code.',
      param: 'code',
    });
    expect((await createPromoCode(await otherShop(t), { code: 'once' })).code).toBe(code);
  });

  it('changes only the limits, and keeps updatedAt if nothing changes', async () => {
    const plan = await createPlan(shop);
    const { id } = await createPromoCode(shop, { code: 'LIMITS' });
    wall.set(noon);
    const limits = { billingInterval: 'yearly', maxRedemptions: Number.MAX_SAFE_INTEGER, expiresAt: noon };
    const changed = (
      await shop.rest('PATCH', `/promo-codes/${id}`, { ...limits, active: false, planIds: [plan.id] })
    ).body;
    expect(changed).toMatchObject({ code: 'LIMITS', ...limits, isActive: false, updatedAt: noon });
    wall.set('2026-03-02T00:00:00.000Z');
    expect(
      (await shop.rest('PATCH', `/promo-codes/${id}`, { ...limits, planIds: [plan.code] })).body,
    ).toEqual(changed);
    wall.set(noon);
    expect(await t.graphql(update, { input: { id } })).toEqual({
      promoCodeUpdate: { id, planIds: [plan.id] },
    });
    expect(await t.graphql(update, { input: { id, planIds: [] } })).toEqual({
      promoCodeUpdate: { id, planIds: [] },
    });
    const open = { billingInterval: null, maxRedemptions: null, expiresAt: null };
    expect((await shop.rest('PATCH', `/promo-codes/${id}`, { ...open, active: true })).body).toMatchObject({
      ...open,
      isActive: true,
    });
    for (const fixed of [{ code: 'OTHER' }, { offerId: 'ofr_none' }]) {
      expect((await shop.rest('PATCH', `/promo-codes/${id}`, fixed)).body).toMatchObject({
        error: { code: 'validation_error' },
      });
    }
  });
});
