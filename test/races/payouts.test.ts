import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPayment, otherShop, payLink, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { createPayout, liveShop, openPayouts } from '../support/payouts.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Balance = { available: number; inTransit: number };
const balanceOf = async ({ key }: Shop): Promise<Balance> => {
  const text = '{ payoutBalance { available inTransit } ledgerVerify { ok } }';
  const { payoutBalance, ledgerVerify } = await t.graphql<{ payoutBalance: Balance; ledgerVerify: unknown }>(
    text,
    {},
    { key },
  );
  expect(ledgerVerify).toEqual({ ok: true });
  return payoutBalance;
};
const simulate = 'mutation ($amount: SafeInt!) { payoutSimulate(input: { amount: $amount }) { id } }';
const take = ({ key }: Shop, amount: number): Promise<boolean> =>
  t.graphql(simulate, { amount }, { key }).then(
    () => true,
    (error: unknown) => {
      if (!String(error).includes('insufficient_balance')) throw error;
      return false;
    },
  );

test('concurrent payouts never exceed the available balance (PAY-36)', async () => {
  const shop = await liveShop(t);
  await openPayouts(shop, 5_000n);
  const requested = await Promise.all(
    [1, 2, 3, 4, 5].map(() => shop.rest('POST', '/payouts', { amount: 2_000 })),
  );
  expect(requested.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400, 400]);
  expect(await balanceOf(shop)).toEqual({ available: 1_000, inTransit: 4_000 });
});

test('a payout concurrent with a dispute is made before or after it, and the disputed amount is deducted in both cases (PAY-E7, PAY-40)', async () => {
  const shop = await otherShop(t);
  await openPayouts(shop, 48_210n);
  const { token } = await createPayment(shop, { amount: 6_150 });
  const [isTaken] = await Promise.all([
    take(shop, 45_000),
    payLink(shop, token, { email: 'disputes@payer.test' }, '4000000000000259'),
  ]);
  // After the dispute, 482.10 − 61.50 = 420.60 is less than 450.00. If the payout is made first, −29.40 remains.
  expect(await balanceOf(shop)).toEqual(
    isTaken ? { available: -2_940, inTransit: 45_000 } : { available: 42_060, inTransit: 0 },
  );
  expect(await take(shop, 45_000)).toBe(false);
});

test('a payout concurrent with a refund is made before or after it (PAY-40)', async () => {
  const shop = await otherShop(t);
  await openPayouts(shop, 48_210n);
  const { id, token } = await createPayment(shop, { amount: 20_000 });
  await payLink(shop, token, { email: 'refunded@payer.test' });
  const text = 'query ($id: ID!) { payment(id: $id) { transactions { id } } }';
  const { payment } = await t.graphql<{ payment: { transactions: { id: string }[] } }>(
    text,
    { id },
    { key: shop.key },
  );
  const [isTaken, refunded] = await Promise.all([
    take(shop, 45_000),
    shop.rest('POST', `/transactions/${payment.transactions[0]?.id ?? ''}/refund`),
  ]);
  expect(refunded.status).toBe(200);
  expect(await balanceOf(shop)).toEqual(
    isTaken ? { available: -16_790, inTransit: 45_000 } : { available: 28_210, inTransit: 0 },
  );
});

test('a payout with several concurrent results keeps the first, and the amount is returned at most once (PAY-37)', async () => {
  const shop = await otherShop(t);
  const id = await createPayout(shop);
  const end =
    'mutation ($input: PayoutOutcomeSimulateInput!) { payoutOutcomeSimulate(input: $input) { status } }';
  const ends = [
    t.graphql(end, { input: { id, outcome: 'failed' } }, { key: shop.key }),
    t.graphql(end, { input: { id, outcome: 'paid' } }, { key: shop.key }),
    t.graphql(
      'mutation ($id: ID!) { payoutCancel(input: { id: $id }) { status } }',
      { id },
      { key: shop.key },
    ),
    t.graphql(end, { input: { id, outcome: 'failed' } }, { key: shop.key }),
  ];
  const results = await Promise.allSettled(ends);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const { payout } = await t.graphql<{ payout: { status: string } }>(
    'query ($id: ID!) { payout(id: $id) { status } }',
    { id },
    { key: shop.key },
  );
  const isBack = payout.status !== 'paid';
  expect(await balanceOf(shop)).toEqual({ available: isBack ? 500_000 : 498_500, inTransit: 0 });
});
