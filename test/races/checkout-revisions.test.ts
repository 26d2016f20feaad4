import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cards,
  createCustomer,
  createOffer,
  createPrice,
  createPricedPlan,
  firstShop,
  off,
  payment,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Concurrent requests for one checkout: its invoice is revised, discounted by an offer, and paid at the same time (BIL-30, SUB-14a).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

async function page(operation: string, input: object): Promise<string> {
  try {
    await t.graphql(operation, { input }, { key: null });
    return 'done';
  } catch (error) {
    return /"code":"(\w+)"/.exec(String(error))?.[1] ?? String(error);
  }
}

const update = 'mutation ($input: CheckoutUpdateInput!) { checkoutUpdate(input: $input) { amountDue } }';
const payNow = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';

type Stored = {
  readonly id: string;
  readonly number: bigint;
  readonly status: string;
  readonly total: bigint;
  readonly lines: bigint;
};

const stored = (subscriptionId: string): Promise<Stored[]> =>
  t.app.database.query<Stored>(
    `SELECT i.id, i.number, i.status, i.total, (SELECT sum(l.amount)::bigint FROM "InvoiceLine" l WHERE l."environmentId" = i."environmentId" AND l."invoiceId" = i.id) AS lines
     FROM "Invoice" i WHERE i."environmentId" = $1 AND i."subscriptionId" = $2`,
    [shop.environmentId, subscriptionId],
  );

test('concurrent checkout updates and payments leave one invoice with a total that equals the paid amount', async () => {
  const plan = await createPricedPlan(shop, { price: 4_000 });
  await createPrice(shop, plan.id, { billingInterval: 'yearly', price: 40_000 });
  const offer = await createOffer(shop, [off.percent(2_500)]);
  const allowed = ['done', 'charge_in_progress', 'invalid_subscription_status'];
  for (const number of [cards.pays, cards.declines, cards.authenticates]) {
    for (let round = 0; round < 3; round++) {
      const customer = await createCustomer(shop);
      const { id, token } = await subscribeTo(shop, customer.id, plan.id);
      const [before] = await stored(id);
      const outcomes = await Promise.all([
        page(update, { token, billingInterval: 'yearly' }),
        page(payNow, payment(token, number)),
        page(update, { token, billingInterval: 'monthly' }),
        shop
          .rest('PUT', `/subscriptions/${id}/offer`, { offerId: offer.id })
          .then(({ status }) => (status === 200 ? 'done' : 'offer')),
        page(update, { token, billingInterval: 'yearly' }),
        page(payNow, payment(token, number)),
      ]);
      for (const outcome of outcomes) expect([...allowed, 'charge_failed', 'offer']).toContain(outcome);
      const invoices = await stored(id);
      expect(invoices).toHaveLength(1);
      const [after] = invoices;
      expect([after?.id, after?.number]).toEqual([before?.id, before?.number]);
      // There's no tax, so the total equals the sum of the line items. A duplicate line item would differ.
      expect(after?.total).toBe(after?.lines);
      const paid = await t.app.database.query<{ amountMinor: bigint }>(
        `SELECT "amountMinor" FROM "Transaction" WHERE "environmentId" = $1 AND "subscriptionId" = $2 AND status = 'succeeded'`,
        [shop.environmentId, id],
      );
      expect(paid.map(({ amountMinor }) => amountMinor)).toEqual(
        after?.status === 'paid' ? [after.total] : [],
      );
    }
  }
  const { ledgerVerify, metricsVerify } = await t.graphql<{ ledgerVerify: object; metricsVerify: object }>(
    '{ ledgerVerify { ok mismatches { account } } metricsVerify { ok } }',
    {},
    { key: shop.key },
  );
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
  expect(metricsVerify).toEqual({ ok: true });
});
