import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  attachFeature,
  cards,
  createActiveSubscription,
  createCustomer,
  createFeature,
  createOffer,
  createPricedPlan,
  createPromoCode,
  firstShop,
  off,
  otherShop,
  payment,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

type Created = {
  id: string;
  status: string;
  checkoutUrl: string;
  offerApplications: {
    status: string;
    source: string;
    offerId: string | null;
    phases: Record<string, unknown>[];
  }[];
};
type Invoice = {
  id: string;
  status: string;
  subtotal: number;
  discountAmount: number;
  total: number;
  lineItems: Record<string, unknown>[];
};

const payOperation =
  'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status subscription { status } } }';
const fixedPrice = (amount: number, more = {}) => ({
  type: 'fixed_price',
  durationCycles: 2,
  prices: [{ currency: 'usd', amount }],
  ...more,
});

describe('an offer on a new subscription', () => {
  let t: TestApp;
  let shop: Shop;
  const post = async (body: Record<string, unknown>, at = shop) =>
    at.rest<Created>('POST', '/subscriptions', body);
  const subscribe = async (
    planId: string,
    choices: Record<string, unknown>,
    customerId?: string,
    at = shop,
  ) => {
    const { status, body } = await post(
      { customerId: customerId ?? (await createCustomer(at)).id, planId, ...choices },
      at,
    );
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { ...body, token: body.checkoutUrl.split('/').at(-1) ?? '' };
  };
  const read = async (id: string, at = shop) => (await at.rest<Created>('GET', `/subscriptions/${id}`)).body;
  const invoices = async (id: string, at = shop) => {
    const { data } = (await at.rest<{ data: { id: string }[] }>('GET', `/invoices?subscriptionId=${id}`))
      .body;
    return Promise.all(data.map(async (row) => (await at.rest<Invoice>('GET', `/invoices/${row.id}`)).body));
  };
  const pay = async (token: string, promoCode: string | null = null, card: string = cards.pays) =>
    t.graphql<{ checkoutPay: { status: string } }>(
      payOperation,
      { input: { ...payment(token, card), promoCode } },
      { key: null },
    );
  const payRejected = async (token: string, promoCode: string | null, card: string = cards.pays) => {
    const { errors } = await t.graphqlFailure(
      payOperation,
      { input: { ...payment(token, card), promoCode } },
      { key: null },
    );
    const { code, details, param } = errors[0]?.extensions ?? {};
    return { code, details, param };
  };
  const count = async (id: string, at = shop) =>
    (await at.rest<{ redemptionCount: number }>('GET', `/promo-codes/${id}`)).body.redemptionCount;
  /** Returns the code and reason of the rejection when a subscription can't be created, and asserts that nothing changed. */
  const rejected = async (planId: string, choices: Record<string, unknown>, customerId?: string) => {
    const id = customerId ?? (await createCustomer(shop)).id;
    const changes = await watchChanges(t.app.database.query);
    const { body } = await shop.rest<{ error: { code: string; details?: { reason?: string } } }>(
      'POST',
      '/subscriptions',
      {
        customerId: id,
        planId,
        ...choices,
      },
    );
    expect(await changes()).toEqual([]);
    return [body.error.code, body.error.details?.reason];
  };

  beforeAll(async () => {
    t = await startApp();
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  it("is quoted with the first charge's amounts, and discounts the first invoice (OFR-16, BIL-13)", async () => {
    const [plan, offer] = [
      await createPricedPlan(shop, { price: 1_999 }),
      await createOffer(shop, [off.percent(3_333, 3)], { name: 'A third' }),
    ];
    const created = await subscribe(plan.id, { offerId: offer.id });
    expect(created).toMatchObject({ status: 'pending_payment', offerApplications: [{ status: 'quoted' }] });
    expect(created.offerApplications).toEqual([
      {
        id: expect.stringMatching(/^oap_/),
        name: 'A third',
        appliesTo: { type: 'plan_price', id: plan.priceId },
        offerId: offer.id,
        source: 'direct',
        status: 'quoted',
        currency: 'usd',
        subtotal: 1_999,
        discountAmount: 666,
        total: 1_333,
        phases: [
          {
            type: 'percentage',
            percentage: 3_333,
            durationCycles: 3,
            durationInterval: null,
            startsAt: null,
            endsAt: null,
          },
        ],
        quotedAt: expect.any(String),
        expiresAt: null,
        appliedAt: null,
      },
    ]);
    const counts =
      'query ($id: ID!) { offer(id: $id) { all: applicationCount applied: applicationCount(statuses: [applied]) } }';
    expect(await t.graphql(counts, { id: offer.id })).toEqual({ offer: { all: 1, applied: 0 } });
    const [invoice] = await invoices(created.id);
    expect(invoice).toMatchObject({ subtotal: 1_999, discountAmount: 666, taxAmount: 0, total: 1_333 });
    expect(invoice?.lineItems).toMatchObject([
      { lineType: 'plan_base', amount: 1_999 },
      {
        lineType: 'discount',
        quantity: 1,
        amount: -666,
        discountType: 'percentage',
        discountValue: 3_333,
        discountName: 'A third',
      },
    ]);
    await pay(created.token);
    expect((await read(created.id)).offerApplications).toMatchObject([
      {
        status: 'applied',
        appliedAt: expect.any(String),
        phases: [{ startsAt: expect.stringMatching(/T00:00:00.000Z$/), endsAt: expect.any(String) }],
      },
    ]);
  });

  it('discounts the base price but not seats (OFR-E3, BIL-16)', async () => {
    const [plan, seats] = [await createPricedPlan(shop, { price: 1_200 }), await createFeature(shop)];
    await attachFeature(shop, plan.id, seats.id, {
      includedAmount: 0,
      overage: { enabled: true, unitPrice: 20_000 },
    });
    const offer = await createOffer(shop, [off.amount(1_500)]);
    const { id } = await subscribe(plan.id, { offerId: offer.id, initialSeats: { [seats.code]: 2 } });
    const [invoice] = await invoices(id);
    expect(invoice).toMatchObject({ subtotal: 1_600, discountAmount: 1_200, total: 400 });
    expect(invoice?.lineItems).toMatchObject([
      { lineType: 'plan_base', amount: 1_200 },
      { lineType: 'discount', amount: -1_200, discountType: 'amount', discountValue: 1_500 },
      { lineType: 'feature_seats', amount: 400 },
    ]);
  });

  it('shows a fixed price below the base price as a discount, and a higher fixed price as the base price line item (BIL-14)', async () => {
    const plan = await createPricedPlan(shop, { price: 8_400 });
    const lines = async (price: number) => {
      const { id } = await subscribe(plan.id, {
        offerId: (await createOffer(shop, [fixedPrice(price, { durationInterval: 'monthly' })])).id,
      });
      return (await invoices(id))[0]?.lineItems.map(({ lineType, amount, discountType, discountValue }) => [
        lineType,
        amount,
        discountType,
        discountValue,
      ]);
    };
    expect(await lines(5_000)).toEqual([
      ['plan_base', 8_400, null, null],
      ['discount', -3_400, 'amount', 3_400],
    ]);
    expect(await lines(9_000)).toEqual([['plan_base', 9_000, null, null]]);
  });

  it('requires no payment but stores a card if the discount is 100% (SUB-17)', async () => {
    const [plan, offer] = [await createPricedPlan(shop), await createOffer(shop, [off.percent(10_000)])];
    const { id, token } = await subscribe(plan.id, { offerId: offer.id });
    await pay(token);
    expect(await invoices(id)).toMatchObject([{ status: 'paid', total: 0, discountAmount: 4_900 }]);
    expect(await read(id)).toMatchObject({ status: 'active', offerApplications: [{ status: 'applied' }] });
    expect(
      await t.app.database.query('SELECT id FROM "Transaction" WHERE "subscriptionId" = $1', [id]),
    ).toEqual([]);
  });

  it("is rejected if it's unknown, deleted, inactive, outside its time window, or not configured for the currency or interval (OFR-6)", async () => {
    const plan = await createPricedPlan(shop);
    const made = async (phases: Record<string, unknown>[], body = {}) =>
      (await createOffer(shop, phases, body)).id;
    const share = [off.percent(1_000)];
    const deleted = await made(share);
    await shop.rest('DELETE', `/offers/${deleted}`);
    expect(await rejected(plan.id, { offerId: 'ofr_none' })).toEqual(['offer_not_found', undefined]);
    expect(await rejected(plan.id, { offerId: deleted })).toEqual(['offer_not_found', undefined]);
    const inactive = ['offer_not_applicable', 'offer_inactive'];
    expect(await rejected(plan.id, { offerId: await made(share, { active: false }) })).toEqual(inactive);
    expect(
      await rejected(plan.id, { offerId: await made(share, { startsAt: '2099-01-01T00:00:00Z' }) }),
    ).toEqual(inactive);
    expect(
      await rejected(plan.id, { offerId: await made(share, { endsAt: '2001-01-01T00:00:00Z' }) }),
    ).toEqual(inactive);
    const euros = await made([off.amount(100, 1, 'eur')]);
    expect(await rejected(plan.id, { offerId: euros })).toEqual([
      'offer_not_applicable',
      'currency_not_configured',
    ]);
    const weekly = await made([fixedPrice(500, { durationInterval: 'weekly' })]);
    const once = await createPricedPlan(shop, { billingInterval: 'one_time' });
    expect(await rejected(once.id, { offerId: weekly })).toEqual([
      'offer_not_applicable',
      'interval_not_supported',
    ]);
    const foreign = await createOffer(await otherShop(t));
    expect(await rejected(plan.id, { offerId: foreign.id })).toEqual(['offer_not_found', undefined]);
  });

  it('can reduce the first charge to the minimum charge, but not to a lower positive amount (BIL-35)', async () => {
    const plan = await createPricedPlan(shop, { price: 1_000 });
    const leaving = async (amount: number) => (await createOffer(shop, [off.amount(1_000 - amount)])).id;
    expect(await rejected(plan.id, { offerId: await leaving(49) })).toEqual([
      'offer_not_applicable',
      'below_minimum',
    ]);
    expect(await rejected(plan.id, { offerId: await leaving(1) })).toEqual([
      'offer_not_applicable',
      'below_minimum',
    ]);
    expect((await invoices((await subscribe(plan.id, { offerId: await leaving(50) })).id))[0]?.total).toBe(
      50,
    );
    const code = await createPromoCode(shop, { offerId: await leaving(49) });
    expect(await rejected(plan.id, { promoCode: code.code })).toEqual([
      'offer_not_applicable',
      'below_minimum',
    ]);
  });

  it("defaults to the price's introductory offer if the customer has no subscription, takes precedence over trial days, and can be skipped (OFR-26, OFR-30)", async () => {
    const plan = await createPricedPlan(shop, { trialDays: 9 });
    const offer = await createOffer(shop, [off.trial(3), off.percent(5_000)]);
    await t.graphql(
      `mutation { planPriceIntroductoryOfferSet(input: { planId: "${plan.id}", priceId: "${plan.priceId}", offerId: "${offer.id}" }) { id } }`,
    );
    const shown = async (choices: Record<string, unknown>) =>
      (await subscribe(plan.id, choices)).offerApplications.map(({ source, phases }) => [
        source,
        ...phases.map(({ type }) => type),
      ]);
    expect(await shown({})).toEqual([['introductory', 'free_trial', 'percentage']]);
    expect(await shown({ skipTrial: true })).toEqual([]);
    expect(await shown({ customTrialDays: 4 })).toEqual([['custom', 'free_trial']]);
    expect(await shown({ offerId: (await createOffer(shop)).id })).toEqual([['direct', 'percentage']]);
    const { code } = await createPromoCode(shop);
    expect(await rejected(plan.id, { promoCode: code })).toEqual([
      'offer_not_applicable',
      'intro_offer_active',
    ]);
    await shop.rest('PATCH', `/offers/${offer.id}`, { name: 'Off', phases: [off.percent(1)], active: false });
    expect(await shown({})).toEqual([['custom', 'free_trial']]);
    expect(await shown({ promoCode: code })).toEqual([['promo_code', 'percentage']]);
  });

  it('can be applied with a promo code, ignoring case, which is redeemed when the checkout is completed (OFR-33 to OFR-37)', async () => {
    const plan = await createPricedPlan(shop);
    const code = await createPromoCode(shop, {
      code: 'SPRING-1',
      offerId: (await createOffer(shop, [off.amount(900, 2)])).id,
    });
    const customer = await createCustomer(shop);
    const created = await subscribe(plan.id, { promoCode: 'spring-1' }, customer.id);
    expect(created.offerApplications).toMatchObject([{ source: 'promo_code', status: 'quoted' }]);
    expect(await count(code.id)).toBe(0);
    expect((await invoices(created.id))[0]?.lineItems).toMatchObject([
      { lineType: 'plan_base', amount: 4_900 },
      { lineType: 'promo_code_discount', amount: -900, discountType: 'amount', discountValue: 900 },
    ]);
    // The same request returns the same checkout (SUB-12).
    expect((await subscribe(plan.id, { promoCode: 'spring-1' }, customer.id)).id).toBe(created.id);
    expect(await payRejected(created.token, null, cards.declines)).toMatchObject({ code: 'charge_failed' });
    expect(await count(code.id)).toBe(0);
    await pay(created.token);
    expect(await count(code.id)).toBe(1);
    expect(
      await t.app.database.query(
        'SELECT type, value, "amountMinor", currency FROM "PromoRedemption" WHERE "subscriptionId" = $1',
        [created.id],
      ),
    ).toEqual([{ type: 'amount_off', value: 900n, amountMinor: 900n, currency: 'usd' }]);
    await shop.rest('POST', `/subscriptions/${created.id}/cancel`, { immediate: true });
    expect(await rejected(plan.id, { promoCode: 'SPRING-1' }, customer.id)).toEqual([
      'offer_not_applicable',
      'already_redeemed',
    ]);
  });

  it("can't be applied with a promo code outside the code's limits (OFR-34)", async () => {
    const [plan, other] = [await createPricedPlan(shop), await createPricedPlan(shop)];
    const reason = async (body: Record<string, unknown>, change: Record<string, unknown> = {}) => {
      const { id, code } = await createPromoCode(shop, body);
      await shop.rest('PATCH', `/promo-codes/${id}`, change);
      return rejected(plan.id, { promoCode: code });
    };
    expect(await rejected(plan.id, { promoCode: 'ÜNKNOWN 🎈' })).toEqual(['promo_code_not_found', undefined]);
    expect(await reason({}, { active: false })).toEqual(['promo_code_expired', 'inactive']);
    expect(await reason({ expiresAt: '2001-01-01T00:00:00Z' })).toEqual(['promo_code_expired', 'expired']);
    expect(await reason({ planIds: [other.id] })).toEqual(['offer_not_applicable', 'plan_not_eligible']);
    expect(await reason({ billingInterval: 'yearly' })).toEqual([
      'offer_not_applicable',
      'interval_not_eligible',
    ]);
    const offer = await createOffer(shop, [off.amount(100, 1, 'eur')]);
    expect(await reason({ offerId: offer.id })).toEqual(['offer_not_applicable', 'currency_not_configured']);
  });

  it('can be applied with a promo code at checkout, which updates the price at the same URL (OFR-26 line 8)', async () => {
    const [plan, code] = [await createPricedPlan(shop), await createPromoCode(shop)];
    const { id, token } = await subscribe(plan.id, {});
    const changes = await watchChanges(t.app.database.query);
    expect(await payRejected(token, 'NONE')).toMatchObject({
      code: 'promo_code_not_found',
      param: 'promoCode',
    });
    expect(await changes()).toEqual([]);
    expect(await payRejected(token, code.code, cards.declines)).toMatchObject({ code: 'charge_failed' });
    expect(await pay(token, code.code.toLowerCase())).toMatchObject({ checkoutPay: { status: 'paid' } });
    // 4,900 × 25% = 1,225.
    expect(
      (await invoices(id)).map(({ status, discountAmount, total }) => [status, discountAmount, total]),
    ).toEqual([['paid', 1_225, 3_675]]);
    expect((await read(id)).offerApplications).toMatchObject([{ source: 'promo_code', status: 'applied' }]);
    expect(await count(code.id)).toBe(1);
    expect(await t.graphql('{ ledgerVerify { ok mismatches { account } } }')).toEqual({
      ledgerVerify: { ok: true, mismatches: [] },
    });
  });

  it("can't be applied with a promo code at checkout if another offer or a trial applies (OFR-26)", async () => {
    const { code } = await createPromoCode(shop);
    const closed = {
      code: 'offer_not_applicable',
      details: { reason: 'other_offer_active' },
      param: 'promoCode',
    };
    const plan = await createPricedPlan(shop, { trialDays: 3 });
    expect(await payRejected((await subscribe(plan.id, {})).token, code)).toEqual(closed);
    expect(
      await payRejected((await subscribe(plan.id, { offerId: (await createOffer(shop)).id })).token, code),
    ).toEqual(closed);
    expect(await pay((await subscribe(plan.id, { skipTrial: true })).token, code)).toMatchObject({
      checkoutPay: { status: 'paid' },
    });
  });

  it('is granted to one of several concurrent payers if one redemption remains, and the other payers confirm the full price (OFR-35)', async () => {
    const plan = await createPricedPlan(shop);
    const code = await createPromoCode(shop, { maxRedemptions: 1 });
    const rivals = await Promise.all([1, 2, 3].map(() => subscribe(plan.id, { promoCode: code.code })));
    const outcomes = await Promise.all(
      rivals.map(({ token }) =>
        pay(token).then(
          () => 'paid',
          (error: Error) => /"reason":"(\w+)"/.exec(error.message)?.[1] ?? error.message,
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual(['max_redemptions_reached', 'max_redemptions_reached', 'paid']);
    expect(await count(code.id)).toBe(1);
    const loser = rivals[outcomes.indexOf('max_redemptions_reached')] ?? { id: '', token: '' };
    expect(await read(loser.id)).toMatchObject({
      status: 'pending_payment',
      offerApplications: [{ status: 'failed' }],
    });
    expect((await invoices(loser.id)).map(({ status, total }) => [status, total])).toEqual([
      ['outstanding', 4_900],
    ]);
    expect(
      await t.app.database.query('SELECT id FROM "Transaction" WHERE "subscriptionId" = $1', [loser.id]),
    ).toEqual([]);
    await pay(loser.token);
    expect(await read(loser.id)).toMatchObject({
      status: 'active',
      offerApplications: [{ status: 'failed' }],
    });
    expect(await rejected(plan.id, { promoCode: code.code })).toEqual([
      'promo_code_expired',
      'max_redemptions_reached',
    ]);
  });

  it("is removed during an authentication if another payer uses the promo code's last redemption (OFR-35)", async () => {
    const plan = await createPricedPlan(shop);
    const code = await createPromoCode(shop, { maxRedemptions: 1 });
    const slow = await subscribe(plan.id, { promoCode: code.code });
    expect(await pay(slow.token, null, cards.authenticates)).toMatchObject({
      checkoutPay: { status: 'requires_action' },
    });
    await pay((await subscribe(plan.id, { promoCode: code.code })).token);
    const operation =
      'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }';
    const { errors } = await t.graphqlFailure(
      operation,
      { input: { token: slow.token, succeed: true } },
      { key: null },
    );
    expect(errors[0]?.extensions).toMatchObject({
      code: 'promo_code_expired',
      details: { reason: 'max_redemptions_reached' },
    });
    expect(await read(slow.id)).toMatchObject({
      status: 'pending_payment',
      offerApplications: [{ status: 'failed' }],
    });
    await pay(slow.token);
    expect((await invoices(slow.id)).map(({ status, total }) => [status, total])).toEqual([['paid', 4_900]]);
  });

  it('keeps its terms when the offer is changed or deleted (OFR-5, OFR-18, OFR-20)', async () => {
    const [plan, offer] = [await createPricedPlan(shop), await createOffer(shop, [off.percent(5_000)])];
    const { id, token } = await subscribe(plan.id, { offerId: offer.id });
    await shop.rest('PATCH', `/offers/${offer.id}`, {
      name: 'Less',
      phases: [off.percent(1)],
      active: false,
    });
    await shop.rest('DELETE', `/offers/${offer.id}`);
    await pay(token);
    expect(await invoices(id)).toMatchObject([{ status: 'paid', discountAmount: 2_450, total: 2_450 }]);
    expect((await read(id)).offerApplications).toMatchObject([
      { status: 'applied', phases: [{ percentage: 5_000 }] },
    ]);
  });

  it('expires when another checkout replaces its checkout (SUB-12, OFR-15)', async () => {
    const [plan, offer, customer] = [
      await createPricedPlan(shop),
      await createOffer(shop),
      await createCustomer(shop),
    ];
    const first = await subscribe(plan.id, { offerId: offer.id }, customer.id);
    const second = await subscribe(plan.id, { offerId: (await createOffer(shop)).id }, customer.id);
    expect(second.id).not.toBe(first.id);
    expect(await read(first.id)).toMatchObject({
      status: 'canceled',
      offerApplications: [{ status: 'expired' }],
    });
  });

  it("can't be applied if the customer already has a subscription", async () => {
    const { customerId, planId } = await createActiveSubscription(shop);
    expect(await rejected(planId, { offerId: (await createOffer(shop)).id }, customerId)).toEqual([
      'already_has_active_subscription',
      undefined,
    ]);
  });
});
