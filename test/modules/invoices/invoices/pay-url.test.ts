import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createAdjustment,
  createPastDueSubscription,
  createSubscription,
  firstShop,
  latestInvoice,
  pay,
  payment,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const payUrl = async (id: string): Promise<string | null> =>
  (
    await t.graphql<{ invoice: { payUrl: string | null } }>(
      'query ($id: ID!) { invoice(id: $id) { payUrl } }',
      { id },
    )
  ).invoice.payUrl;

const tokenOf = (url: string | null): string => url?.split('/').at(-1) ?? '';

test("a first invoice's payment URL leads to the checkout", async () => {
  const { id, token } = await createSubscription(shop);
  const invoiceId = await latestInvoice(shop, id);
  const url = await payUrl(invoiceId);
  expect(url).toBe(`${t.app.config.publicUrl}/checkout/${token}`);
  expect(await pay(shop, tokenOf(url))).toBe('paid');
  expect(await payUrl(invoiceId)).toBeNull();
});

test('the payment URL of an invoice in dunning leads to the recovery page', async () => {
  const { id } = await createPastDueSubscription(shop);
  const invoiceId = await latestInvoice(shop, id);
  const url = await payUrl(invoiceId);
  const { body } = await shop.rest<{ url: string }>('POST', `/subscriptions/${id}/recovery-links`);
  expect(url).toBe(body.url);
  const paid = await t.graphql(
    'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }',
    { input: payment(tokenOf(url)) },
    { key: null },
  );
  expect(paid).toEqual({ recoveryPay: { status: 'paid' } });
  expect(await payUrl(invoiceId)).toBeNull();
});

test('an adjustment invoice has no payment URL', async () => {
  const { id } = await createAdjustment(shop);
  expect(await payUrl(id)).toBeNull();
});
