import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  allowCardPromotions,
  createCardPromotion,
  createCustomer,
  createOffer,
  createPricedPlan,
  createPromoCode,
  firstShop,
  off,
  payment,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { expectLedgerBalanced } from '../../../support/stories.ts';

// The BIN 40000025 matches only the test card 4000 0025 0000 3155, and 400000 matches several test cards.
const visa = '4242424242424242';
const [declined, later, authenticating] = ['4000000000000002', '4000000000000341', '4000002500003155'];

type Rejected = { code?: string; param?: string; details?: { reason?: string } };
type Created = {
  id: string;
  checkoutUrl: string;
  status: string;
  offerApplications: { source: string; status: string; total: number | null }[];
};

const payOperation = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';

describe('a card promotion at checkout', () => {
  let t: TestApp;
  let shop: Shop;
  const post = async (planId: string, choices: Record<string, unknown>) =>
    shop.rest<Created & { error?: Rejected }>('POST', '/subscriptions', {
      customerId: (await createCustomer(shop)).id,
      planId,
      ...choices,
    });
  const subscribe = async (planId: string, choices: Record<string, unknown> = {}) => {
    const { status, body } = await post(planId, choices);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { id: body.id, token: body.checkoutUrl.split('/').at(-1) ?? '' };
  };
  const applications = async (id: string) =>
    (await shop.rest<Created>('GET', `/subscriptions/${id}`)).body.offerApplications.map(
      ({ source, status, total }) => `${source} ${status} ${total}`,
    );
  const invoices = async (id: string) =>
    (
      await shop.rest<{ data: { total: number; status: string }[] }>('GET', `/invoices?subscriptionId=${id}`)
    ).body.data.map(({ total, status }) => `${total} ${status}`);
  const payWith = async (token: string, card: string, more: object = {}) => {
    const { checkoutPay } = await t.graphql<{ checkoutPay: { status: string } }>(
      payOperation,
      { input: { ...payment(token, card), ...more } },
      { key: null },
    );
    return checkoutPay.status;
  };
  const rejectedWith = async (token: string, card: string, more: object = {}): Promise<Rejected> => {
    const { errors } = await t.graphqlFailure(
      payOperation,
      { input: { ...payment(token, card), ...more } },
      { key: null },
    );
    const { code, param, details } = (errors[0]?.extensions ?? {}) as Rejected;
    return { ...(code && { code }), ...(param && { param }), ...(details && { details }) };
  };
  const shown = async (token: string) => {
    type Shown = { checkout: { amountDue: number; offerName: string | null; isOfferConditional: boolean } };
    const text =
      'query ($token: String!) { checkout(token: $token) { amountDue offerName isOfferConditional } }';
    return (await t.graphql<Shown>(text, { token }, { key: null })).checkout;
  };
  const notEligible = {
    code: 'offer_not_applicable',
    param: 'card',
    details: { reason: 'card_not_eligible' },
  };

  beforeAll(async () => {
    t = await startApp();
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  it('is rejected if the organization has no access to card promotions (OFR-38)', async () => {
    const [plan, customer] = [await createPricedPlan(shop, { price: 2_000 }), await createCustomer(shop)];
    const changes = await watchChanges(t.app.database.query);
    const choice = { customerId: customer.id, planId: plan.id, cardPromotionId: 'cpr_none' };
    expect((await shop.rest<{ error: Rejected }>('POST', '/subscriptions', choice)).body.error).toMatchObject(
      {
        code: 'card_promotions_not_available',
        param: 'cardPromotionId',
      },
    );
    expect(await changes()).toEqual([]);
  });

  it('shows a preselected promotion with its condition, and charges the lower price for a matching card (OFR-39)', async () => {
    const plan = await createPricedPlan(shop, { price: 2_000 });
    const promotion = await createCardPromotion(shop, ['42424242']);
    const { id, token } = await subscribe(plan.id, { cardPromotionId: promotion.id });
    // 20.00 minus a discount of 30% is 14.00.
    expect(await applications(id)).toEqual(['card_promotion quoted 1400']);
    expect(await shown(token)).toEqual({
      amountDue: 1_400,
      offerName: expect.any(String),
      isOfferConditional: true,
    });
    expect(await payWith(token, visa)).toBe('paid');
    expect(await applications(id)).toEqual(['card_promotion applied 1400']);
    expect(await invoices(id)).toEqual(['1400 paid']);
    const kept = await t.app.database.query<{ text: string }>(
      `SELECT row_to_json(m)::text AS text FROM "PaymentMethod" m`,
      [],
    );
    expect(kept.every(({ text }) => text.includes('"bin":"42424242"') && !text.includes(visa))).toBe(true);
    await t.graphql('mutation ($id: ID!) { cardPromotionDelete(input: { id: $id }) { deletedId } }', {
      id: promotion.id,
    });
  });

  it("removes a preselected promotion for a card that doesn't match, and charges the full price only after the payer confirms (OFR-39, OFR-E6)", async () => {
    const plan = await createPricedPlan(shop, { price: 2_000 });
    const promotion = await createCardPromotion(shop, ['51234567']);
    const { id, token } = await subscribe(plan.id, { cardPromotionId: promotion.id });
    expect(await rejectedWith(token, visa)).toEqual(notEligible);
    expect(await applications(id)).toEqual(['card_promotion failed 1400']);
    expect(await invoices(id)).toEqual(['2000 outstanding']);
    expect((await shop.rest<{ data: unknown[] }>('GET', '/transactions?limit=100')).body.data).toHaveLength(
      1,
    );
    expect(await shown(token)).toEqual({ amountDue: 2_000, offerName: null, isOfferConditional: false });
    expect(await payWith(token, visa)).toBe('paid');
    expect(await invoices(id)).toEqual(['2000 paid']);
    await expectLedgerBalanced(t);
  });

  it('is checked again after the payer authenticates (OFR-18, OFR-39)', async () => {
    const plan = await createPricedPlan(shop, { price: 2_000 });
    const promotion = await createCardPromotion(shop, ['40000025']);
    const authenticate =
      'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }';
    const kept = await subscribe(plan.id, { cardPromotionId: promotion.id });
    expect(await payWith(kept.token, authenticating)).toBe('requires_action');
    await t.graphql(authenticate, { input: { token: kept.token, succeed: true } }, { key: null });
    expect(await applications(kept.id)).toEqual(['card_promotion applied 1400']);

    const lost = await subscribe(plan.id, { cardPromotionId: promotion.id });
    expect(await payWith(lost.token, authenticating)).toBe('requires_action');
    await t.graphql('mutation ($id: ID!) { cardPromotionDelete(input: { id: $id }) { deletedId } }', {
      id: promotion.id,
    });
    const { errors } = await t.graphqlFailure(
      authenticate,
      { input: { token: lost.token, succeed: true } },
      { key: null },
    );
    expect(errors[0]?.extensions).toMatchObject(notEligible);
    expect(await invoices(lost.id)).toEqual(['2000 outstanding']);
  });

  it('keeps its quoted terms after the offer is disabled, but no longer applies after the promotion is limited to another interval (OFR-18)', async () => {
    const plan = await createPricedPlan(shop, { price: 2_000 });
    const offer = await createOffer(shop, [off.percent(3_000)]);
    const promotion = await createCardPromotion(shop, ['424242'], { offerId: offer.id });
    const [first, second] = [
      await subscribe(plan.id, { cardPromotionId: promotion.id }),
      await subscribe(plan.id, { cardPromotionId: promotion.id }),
    ];
    await shop.rest('PATCH', `/offers/${offer.id}`, {
      name: 'Off',
      phases: [off.percent(100)],
      active: false,
    });
    expect(await payWith(first.token, visa)).toBe('paid');
    expect(await invoices(first.id)).toEqual(['1400 paid']);
    await t.graphql(
      'mutation ($id: ID!) { cardPromotionUpdate(input: { id: $id, billingInterval: yearly }) { id } }',
      {
        id: promotion.id,
      },
    );
    expect(await rejectedWith(second.token, visa)).toEqual({
      ...notEligible,
      details: { reason: 'interval_not_eligible' },
    });
    await t.graphql('mutation ($id: ID!) { cardPromotionDelete(input: { id: $id }) { deletedId } }', {
      id: promotion.id,
    });
  });

  it("prevents a subscription from being created if the promotion can't be applied", async () => {
    const plan = await createPricedPlan(shop, { price: 2_000 });
    const euro = await createOffer(shop, [
      { type: 'amount_off', durationCycles: 1, amounts: [{ currency: 'eur', amount: 100 }] },
    ]);
    const most = await createOffer(shop, [off.amount(1_980, 1)]);
    const none = await createOffer(shop, [off.percent(1_000)], { active: false });
    const cases = [
      [{ bins: ['600001'], billingInterval: 'yearly' }, 'offer_not_applicable', 'interval_not_eligible'],
      [{ bins: ['600002'], offerId: euro.id }, 'offer_not_applicable', 'currency_not_configured'],
      [{ bins: ['600003'], offerId: none.id }, 'offer_not_applicable', 'offer_inactive'],
      // 20.00 minus a discount of 19.80 is 0.20, which is below the minimum charge.
      [{ bins: ['600004'], offerId: most.id }, 'offer_not_applicable', 'below_minimum'],
    ] as const;
    for (const [{ bins, ...body }, code, reason] of cases) {
      const { id } = await createCardPromotion(shop, bins, body);
      const { status, body: answer } = await post(plan.id, { cardPromotionId: id });
      expect([status, answer.error?.code, answer.error?.param, answer.error?.details?.reason]).toEqual([
        400,
        code,
        'cardPromotionId',
        reason,
      ]);
    }
    expect((await post(plan.id, { cardPromotionId: 'cpr_none' })).body.error).toMatchObject({
      code: 'offer_not_found',
      param: 'cardPromotionId',
    });
  });

  it("doesn't make a directly applied offer conditional on a card (OFR-40)", async () => {
    const plan = await createPricedPlan(shop, { price: 2_000 });
    const offer = await createOffer(shop, [off.percent(3_000)]);
    await createCardPromotion(shop, ['700001'], { offerId: offer.id });
    const { id, token } = await subscribe(plan.id, { offerId: offer.id });
    expect((await shown(token)).isOfferConditional).toBe(false);
    expect(await payWith(token, visa)).toBe('paid');
    expect(await applications(id)).toEqual(['direct applied 1400']);
  });

  describe('the card promotion lookup by card number (OFR-26 line 9)', () => {
    let planId: string;
    let promotions: string[];
    beforeAll(async () => {
      planId = (await createPricedPlan(shop, { price: 2_000 })).id;
      const made = [
        await createCardPromotion(shop, ['400000'], {
          offerId: (await createOffer(shop, [off.percent(1_500)])).id,
          autoDiscovered: true,
        }),
        await createCardPromotion(shop, ['40000025'], { autoDiscovered: true }),
        await createCardPromotion(shop, ['424242'], { autoDiscovered: false }),
      ];
      promotions = made.map(({ id }) => id);
    });
    afterAll(async () => {
      for (const id of promotions)
        await t.graphql('mutation ($id: ID!) { cardPromotionDelete(input: { id: $id }) { deletedId } }', {
          id,
        });
    });

    it('applies the promotion with the longest matching BIN, and ignores promotions that must be preselected', async () => {
      const [six, eight, none] = [await subscribe(planId), await subscribe(planId), await subscribe(planId)];
      expect(await payWith(six.token, later)).toBe('paid');
      // 20.00 minus a discount of 15% is 17.00.
      expect(await invoices(six.id)).toEqual(['1700 paid']);
      expect(await applications(six.id)).toEqual(['card_promotion applied 1700']);
      expect(await payWith(eight.token, authenticating)).toBe('requires_action');
      // 20.00 minus a discount of 30% is 14.00.
      expect(await invoices(eight.id)).toEqual(['1400 outstanding']);
      expect(await payWith(none.token, visa)).toBe('paid');
      expect(await invoices(none.id)).toEqual(['2000 paid']);
      expect(await applications(none.id)).toEqual([]);
    });

    it('keeps the quote after a declined charge, and removes it if the next card has a different promotion', async () => {
      const { id, token } = await subscribe(planId);
      expect((await rejectedWith(token, declined)).code).toBe('charge_failed');
      expect(await shown(token)).toMatchObject({ amountDue: 1_700, isOfferConditional: true });
      expect(await rejectedWith(token, authenticating)).toEqual(notEligible);
      expect(await shown(token)).toMatchObject({ amountDue: 2_000, isOfferConditional: false });
      expect(await payWith(token, authenticating)).toBe('requires_action');
      expect(await applications(id)).toEqual(['card_promotion quoted 1400', 'card_promotion failed 1700']);
    });

    it("applies only if there's no promo code, and if no offer, promotion, or trial was set at creation", async () => {
      const code = await createPromoCode(shop);
      const direct = await createOffer(shop, [off.percent(1_000)]);
      const withCode = await subscribe(planId);
      expect(await payWith(withCode.token, later, { promoCode: code.code })).toBe('paid');
      // 20.00 minus a discount of 25% is 15.00.
      expect(await applications(withCode.id)).toEqual(['promo_code applied 1500']);
      const provided = await subscribe(planId, { offerId: direct.id });
      expect(await payWith(provided.token, later)).toBe('paid');
      expect(await applications(provided.id)).toEqual(['direct applied 1800']);
      const trial = await subscribe(planId, { customTrialDays: 3 });
      expect(await payWith(trial.token, later)).toBe('paid');
      expect(await applications(trial.id)).toEqual(['custom applied null']);
      // If a preselected promotion no longer applies, it isn't replaced with another one.
      const lost = await subscribe(planId, { cardPromotionId: promotions[1] });
      expect(await rejectedWith(lost.token, later)).toEqual(notEligible);
      expect(await payWith(lost.token, later)).toBe('paid');
      expect(await invoices(lost.id)).toEqual(['2000 paid']);
      await expectLedgerBalanced(t);
    });

    it("applies only to the promotion's interval, and only if the organization has access to card promotions", async () => {
      const [id] = promotions;
      const update =
        'mutation ($id: ID!, $to: BillingInterval) { cardPromotionUpdate(input: { id: $id, billingInterval: $to }) { id } }';
      await t.graphql(update, { id, to: 'yearly' });
      const monthly = await subscribe(planId);
      expect(await payWith(monthly.token, later)).toBe('paid');
      expect(await invoices(monthly.id)).toEqual(['2000 paid']);
      await t.graphql(update, { id, to: null });
      await t.app.database.query('UPDATE "Organization" SET "cardPromotions" = false', []);
      const without = await subscribe(planId);
      expect(await payWith(without.token, later)).toBe('paid');
      expect(await invoices(without.id)).toEqual(['2000 paid']);
      await allowCardPromotions(shop);
    });
  });
});
