import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMarket,
  createPlan,
  createPrice,
  createPricedPlan,
  firstShop,
  type Shop,
  setCurrency,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { statementsOf } from '../../../support/statements.ts';

const question = `query ($planId: ID!, $billingInterval: BillingInterval, $priceId: ID, $country: String, $currency: Currency) {
  priceFor(planId: $planId, billingInterval: $billingInterval, priceId: $priceId, country: $country, currency: $currency) {
    amount currency trialDays price { id } market { id } steps { place outcome currency isFromBase isDerived } } }`;

type Answer = {
  readonly amount: number;
  readonly currency: string;
  readonly trialDays: number;
  readonly price: { readonly id: string };
  readonly market: { readonly id: string } | null;
  readonly steps: readonly object[];
};

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const ask = async (planId: string, rest: object = {}): Promise<Answer> =>
  (await t.graphql<{ priceFor: Answer }>(question, { planId, ...rest })).priceFor;

const step = (place: string, outcome: string, currency: string | null, more: object = {}) => ({
  place,
  outcome,
  currency,
  isFromBase: false,
  isDerived: false,
  ...more,
});

/**
 * Creates a plan for 49.00 a month with derived amounts in BRL, a price of 39.00 EUR for the Portugal market, and a price variant without
 * separate amounts.
 */
async function harbor() {
  const plan = await createPricedPlan(shop, { price: 4_900, trialDays: 7 });
  const [market, other] = [await createMarket(shop), await createMarket(shop)];
  const [country] = market.countryCodes;
  await shop.rest('PATCH', `/plans/${plan.id}/prices/${plan.priceId}`, {
    marketPrices: [
      { marketGroupId: market.id, currency: 'eur', price: 3_900 },
      { marketGroupId: other.id, currency: 'usd', price: 4_500 },
    ],
  });
  const variant = await createPrice(shop, plan.id, {
    inheritsFromPriceId: plan.priceId,
    price: undefined,
    marketPrices: [{ marketGroupId: other.id, currency: 'usd', price: 4_000 }],
  });
  await setCurrency(shop, plan.id, 'brl', 5);
  return { ...plan, variantId: variant.id, marketId: market.id, country };
}

describe('priceFor', () => {
  it("prefers the amount for the country's market", async () => {
    const plan = await harbor();
    const answer = await ask(plan.id, { country: plan.country });
    expect(answer).toEqual({
      amount: 3_900,
      currency: 'eur',
      trialDays: 7,
      price: { id: plan.priceId },
      market: { id: plan.marketId },
      steps: [step('market', 'found', 'eur')],
    });
    expect((await ask(plan.id, { country: plan.country, priceId: plan.variantId })).steps).toEqual([
      step('market', 'found', 'eur', { isFromBase: true }),
    ]);
  });

  it("returns the amount in the country's currency, whether it's derived, and the preceding lookup steps", async () => {
    const { id } = await harbor();
    const answer = await ask(id, { country: 'BR' });
    expect([answer.amount, answer.currency, answer.market]).toEqual([24_500, 'brl', null]);
    expect(answer.steps).toEqual([
      step('market', 'no_market', null),
      step('currency', 'found', 'brl', { isDerived: true }),
    ]);
  });

  it('falls back to US dollars if no other amount matches, as billing does', async () => {
    const { id } = await harbor();
    const answer = await ask(id, { country: 'IN' });
    expect([answer.amount, answer.currency]).toEqual([4_900, 'usd']);
    expect(answer.steps).toEqual([
      step('market', 'no_market', null),
      step('currency', 'no_amount', 'inr'),
      step('usd', 'found', 'usd'),
    ]);
    expect((await ask(id)).steps).toEqual([
      step('market', 'no_market', null),
      step('currency', 'no_currency', null),
      step('usd', 'found', 'usd'),
    ]);
  });

  it("skips a market whose amount isn't in the requested currency", async () => {
    const { id, country } = await harbor();
    expect((await ask(id, { country, currency: 'brl' })).steps).toEqual([
      step('market', 'other_currency', 'eur'),
      step('currency', 'found', 'brl', { isDerived: true }),
    ]);
  });

  it('fails with the same errors as a renewal', async () => {
    const { id } = await harbor();
    const none = await createPlan(shop);
    const codeOf = async (variables: Record<string, unknown>) =>
      (await rejection(t, question, variables)).code;
    expect(await codeOf({ planId: 'pln_none' })).toBe('plan_not_found');
    expect(await codeOf({ planId: none.id })).toBe('no_prices_configured');
    expect(await codeOf({ planId: id, billingInterval: 'yearly' })).toBe('price_not_found');
    expect(await codeOf({ planId: id, currency: 'gbp' })).toBe('missing_regional_price');
    expect(await codeOf({ planId: id, country: 'Brazil' })).toBe('validation_error');
  });

  it('uses a fixed number of SQL statements', async () => {
    const { id } = await harbor();
    const { statements } = await statementsOf(t, question, { planId: id, country: 'BR' });
    expect(statements).toHaveLength(11);
  });
});
