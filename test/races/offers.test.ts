import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createCustomer,
  createPricedPlan,
  createPromoCode,
  firstShop,
  payment,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { expectLedgerBalanced, invoicesOf } from '../support/stories.ts';

// Concurrent redemptions of a promo code (OFR-35). The embedded database executes transactions one after another, so only their order
// varies. On a server, transactions overlap.

describe('the last redemption of a promo code', () => {
  let t: TestApp;
  let shop: Shop;
  beforeAll(async () => {
    t = await startApp();
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  const open = async (planId: string, choices: object, customerId?: string) => {
    const body = { customerId: customerId ?? (await createCustomer(shop)).id, planId, ...choices };
    const made = await shop.rest<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', body);
    expect(made.status).toBe(201);
    return { id: made.body.id, token: made.body.checkoutUrl.split('/').at(-1) ?? '' };
  };
  const payAtOnce = async (token: string, promoCode: string | null): Promise<string> => {
    const query = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
    const response = await fetch(`${t.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { input: { ...payment(token), promoCode } } }),
    });
    type Answer = {
      data?: { checkoutPay: { status: string } } | null;
      errors?: { extensions: { code: string; details?: { reason?: string } } }[];
    };
    const { data, errors } = (await response.json()) as Answer;
    return (
      errors?.[0]?.extensions.details?.reason ??
      errors?.[0]?.extensions.code ??
      data?.checkoutPay.status ??
      'nothing'
    );
  };
  const redemptions = async (id: string) =>
    (await shop.rest<{ redemptionCount: number }>('GET', `/promo-codes/${id}`)).body.redemptionCount;

  test.each([1, 2, 3])(
    'is granted to one of two concurrent payers, and the other payer confirms the full price (OFR-35), round %i',
    async () => {
      const [plan, code] = [
        await createPricedPlan(shop, { price: 2_000 }),
        await createPromoCode(shop, { maxRedemptions: 1 }),
      ];
      const rivals = [
        await open(plan.id, { promoCode: code.code }),
        await open(plan.id, { promoCode: code.code }),
      ];
      const outcomes = await Promise.all(rivals.map(({ token }) => payAtOnce(token, null)));
      expect(outcomes.toSorted()).toEqual(['max_redemptions_reached', 'paid']);
      expect(await redemptions(code.id)).toBe(1);
      const loser = rivals[outcomes.indexOf('max_redemptions_reached')] ?? { id: '', token: '' };
      // The quote was 20.00 − 25% = 15.00. The full price of 20.00 now requires confirmation on the same invoice (BIL-30).
      expect((await invoicesOf(t, loser.id)).map(({ total, status }) => `${total} ${status}`)).toEqual([
        '2000 outstanding',
      ]);
      expect(await payAtOnce(loser.token, null)).toBe('paid');
      expect(await redemptions(code.id)).toBe(1);
      await expectLedgerBalanced(t);
    },
  );

  test("is granted to one of two customers who enter the code concurrently, and doesn't change the other checkout", async () => {
    const [plan, code] = [
      await createPricedPlan(shop, { price: 2_000 }),
      await createPromoCode(shop, { maxRedemptions: 1 }),
    ];
    const rivals = [await open(plan.id, {}), await open(plan.id, {})];
    const outcomes = await Promise.all(rivals.map(({ token }) => payAtOnce(token, code.code)));
    expect(outcomes.toSorted()).toEqual(['max_redemptions_reached', 'paid']);
    const loser = rivals[outcomes.indexOf('max_redemptions_reached')] ?? { id: '', token: '' };
    expect((await invoicesOf(t, loser.id)).map(({ total, status }) => `${total} ${status}`)).toEqual([
      '2000 outstanding',
    ]);
    expect(await redemptions(code.id)).toBe(1);
    await expectLedgerBalanced(t);
  });
});
