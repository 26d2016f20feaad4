import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  advanceDays,
  cards,
  createActiveSubscription,
  createSubscription,
  mendMethods,
  otherShop,
  pay,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// API requests during the renewals in a clock run. They're executed one after another, in any order (SUB-5).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Invoice = { readonly status: string; readonly total: number };

const invoicesOf = async (shop: Shop, id: string): Promise<string[]> => {
  const { body } = await shop.rest<{ data: readonly Invoice[] }>('GET', `/invoices?subscriptionId=${id}`);
  return body.data.map(({ status, total }) => `${status} ${total}`).toReversed();
};
const shown = async (shop: Shop, id: string) =>
  (
    await shop.rest<{ status: string; cancelAtPeriodEnd: boolean; cancellation: unknown }>(
      'GET',
      `/subscriptions/${id}`,
    )
  ).body;

async function expectBooksWhole({ t: { graphql }, key }: Shop): Promise<void> {
  const { ledgerVerify } = await graphql<{ ledgerVerify: unknown }>(
    '{ ledgerVerify { ok mismatches { account } } }',
    {},
    { key },
  );
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
}

test('a cancellation during a renewal takes effect at the end of either the current or the new period', async () => {
  const shop = await otherShop(t);
  const { id } = await createActiveSubscription(shop);
  const [run, answer] = await Promise.all([
    advanceDays(shop, 32),
    shop.rest('POST', `/subscriptions/${id}/cancel`, {}),
  ]);
  expect([run, answer.status]).toEqual(['completed', 200]);
  const { status, cancelAtPeriodEnd } = await shown(shop, id);
  const paid = await invoicesOf(shop, id);
  if (status === 'canceled') expect(paid).toEqual(['paid 4900']);
  else expect([status, cancelAtPeriodEnd, paid]).toEqual(['active', true, ['paid 4900', 'paid 4900']]);
  await advanceDays(shop, 32);
  expect([(await shown(shop, id)).status, await invoicesOf(shop, id)]).toEqual(['canceled', paid]);
  await expectBooksWhole(shop);
});

test('an immediate cancellation during a renewal leaves no outstanding invoice, whether the new period is charged or not', async () => {
  const shop = await otherShop(t);
  const { id } = await createActiveSubscription(shop);
  await Promise.all([
    advanceDays(shop, 32),
    shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true }),
  ]);
  expect((await shown(shop, id)).status).toBe('canceled');
  expect([1, 2]).toContain((await invoicesOf(shop, id)).filter((text) => text === 'paid 4900').length);
  expect((await invoicesOf(shop, id)).filter((text) => text.startsWith('outstanding'))).toEqual([]);
  await expectBooksWhole(shop);
});

test('a refund during dunning with a concurrent manual retry leaves no outstanding invoice', async () => {
  const shop = await otherShop(t);
  const { id, customerId, token } = await createSubscription(shop);
  await pay(shop, token, cards.declinesLater);
  const { body } = await shop.rest<{ data: readonly { id: string }[] }>(
    'GET',
    '/transactions?status=succeeded',
  );
  await advanceDays(shop, 32);
  expect((await shown(shop, id)).status).toBe('past_due');
  await mendMethods(shop, customerId);
  const [refund, retry] = await Promise.all([
    shop.rest('POST', `/transactions/${body.data[0]?.id}/refund`, {}),
    shop.rest<{ error?: { code: string } }>('POST', `/subscriptions/${id}/reactivate`, {}),
  ]);
  expect(refund.status).toBe(200);
  // The retry collects the invoice before the cancellation, or reactivates the subscription after it.
  expect(retry.status).toBe(200);
  const all = await invoicesOf(shop, id);
  expect(all[0]).toBe('paid 4900');
  expect(['paid 4900', 'void 4900']).toContain(all[1]);
  expect(all.length).toBe(all[1] === 'void 4900' ? 3 : 2);
  expect((await shown(shop, id)).status).toBe(all[1] === 'void 4900' ? 'active' : 'canceled');
  expect(all.filter((text) => text.startsWith('outstanding'))).toEqual([]);
  await expectBooksWhole(shop);
});
