import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  advanceDays,
  attachFeature,
  clockSettled,
  createClimber,
  createFeature,
  firstShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Plan changes concurrent with other plan changes, usage, seat additions, and a renewal. Each unit is billed once, and the subscription has
// one plan (SUB-5, SUB-43).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Changed = { readonly outcome?: string; readonly error?: { readonly code: string } };
type Line = { readonly lineType: string; readonly chargeType: string; readonly quantity: number };

const change = (id: string, body: object) =>
  shop.rest<Changed>('POST', `/subscriptions/${id}/change-plan`, body);

async function linesOf(id: string): Promise<Line[]> {
  const { subscription } = await t.graphql<{
    subscription: { invoices: { edges: { node: { status: string; lineItems: Line[] } }[] } };
  }>(
    'query ($id: ID!) { subscription(id: $id) { invoices(first: 50) { edges { node { status lineItems { lineType chargeType quantity } } } } } }',
    { id },
  );
  // The API lists the newest invoice first, so the list is reversed to match the order of issue.
  return subscription.invoices.edges
    .toReversed()
    .flatMap(({ node }) => (node.status === 'void' ? [] : node.lineItems));
}

async function expectBooksWhole(): Promise<void> {
  const { ledgerVerify } = await t.graphql<{ ledgerVerify: unknown }>(
    '{ ledgerVerify { ok mismatches { account } } }',
  );
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
}

describe('two concurrent plan changes', () => {
  test('charge once if both request the same plan, and the second is rejected', async () => {
    const { id, highId } = await createClimber(shop);
    const answers = await Promise.all([change(id, { newPlanId: highId }), change(id, { newPlanId: highId })]);
    expect(answers.map(({ body }) => body.outcome ?? body.error?.code).sort()).toEqual([
      'completed',
      'no_change_requested',
    ]);
    expect((await linesOf(id)).filter(({ lineType }) => lineType === 'plan_base')).toHaveLength(2);
    await expectBooksWhole();
  });

  test('are both applied if one changes the plan and the other changes the interval', async () => {
    const { id, highId } = await createClimber(shop);
    const answers = await Promise.all([
      change(id, { newPlanId: highId }),
      change(id, { newBillingInterval: 'yearly' }),
    ]);
    const outcomes = answers.map(({ body }) => body.outcome);
    const { body } = await shop.rest<{ plan: { id: string }; billingInterval: string }>(
      'GET',
      `/subscriptions/${id}`,
    );
    expect(outcomes).toEqual(['completed', 'completed']);
    expect([body.plan.id, body.billingInterval]).toEqual([highId, 'yearly']);
    await expectBooksWhole();
  });

  test('leave one outstanding checkout invoice on a free plan', async () => {
    const { id, freeId, lowId, highId } = await createClimber(shop);
    await change(id, { newPlanId: freeId });
    await clockSettled(shop);
    await advanceDays(shop, 32);
    const answers = await Promise.all([change(id, { newPlanId: lowId }), change(id, { newPlanId: highId })]);
    expect(answers.map(({ body }) => body.outcome)).toEqual(['requires_checkout', 'requires_checkout']);
    const { body } = await shop.rest<{ data: { status: string }[] }>('GET', `/invoices?subscriptionId=${id}`);
    expect(body.data.filter(({ status }) => status === 'outstanding')).toHaveLength(1);
    await expectBooksWhole();
  });
});

describe('a plan change', () => {
  test('bills each unit of concurrent usage once, under either the old or the new plan', async () => {
    const { id, lowId, highId, customerId } = await createClimber(shop);
    const { id: featureId, code: featureCode } = await createFeature(shop, 'usage');
    for (const planId of [lowId, highId])
      await attachFeature(shop, planId, featureId, { overage: { enabled: true, unitPrice: 10_000 } });
    const use = () => shop.rest('POST', '/usage/events', { customerId, featureCode, value: 1 });
    const answers = await Promise.all([
      use(),
      use(),
      use(),
      change(id, { newPlanId: highId }),
      use(),
      use(),
      use(),
    ]);
    expect(answers.map(({ status }) => status < 300)).toEqual(Array(7).fill(true));
    await clockSettled(shop);
    await advanceDays(shop, 32);
    const overage = (await linesOf(id)).filter(({ lineType }) => lineType === 'feature_overage');
    expect(overage.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(6);
    await expectBooksWhole();
  });

  test('charges for each concurrently added seat once in the new period, either in advance or prorated', async () => {
    const { id, lowId, highId, customerId } = await createClimber(shop);
    const { id: featureId, code: featureCode } = await createFeature(shop);
    for (const planId of [lowId, highId])
      await attachFeature(shop, planId, featureId, { overage: { enabled: true, unitPrice: 10_000 } });
    const add = () => shop.rest('POST', '/seats', { customerId, featureCode, count: 1 });
    const answers = await Promise.all([add(), add(), change(id, { newPlanId: highId }), add(), add()]);
    expect(answers.map(({ status }) => status < 300)).toEqual(Array(5).fill(true));
    await clockSettled(shop);
    await advanceDays(shop, 31);
    const seats = (await linesOf(id)).filter(({ lineType }) => lineType === 'feature_seats');
    const of = (type: string) =>
      seats.filter(({ chargeType }) => chargeType === type).map(({ quantity }) => quantity);
    // Seats are charged in advance with the change, or as a true-up at the end of the new period. The next renewal charges all four in
    // advance. True-ups at the change cover no days and have no line item.
    const [withChange = 0] = of('advance').length === 2 ? of('advance') : [];
    expect(withChange + of('true_up').reduce((sum, quantity) => sum + quantity, 0)).toBe(4);
    expect(of('advance').at(-1)).toBe(4);
    await expectBooksWhole();
  });

  test('is applied once during a concurrent renewal, which starts one period', async () => {
    const { id, highId } = await createClimber(shop);
    await clockSettled(shop);
    const [, answer] = await Promise.all([advanceDays(shop, 31), change(id, { newPlanId: highId })]);
    expect(answer.body.outcome).toBe('completed');
    await clockSettled(shop);
    const { body } = await shop.rest<{ plan: { id: string }; status: string }>('GET', `/subscriptions/${id}`);
    expect(body).toMatchObject({ plan: { id: highId }, status: 'active' });
    await expectBooksWhole();
  });
});
