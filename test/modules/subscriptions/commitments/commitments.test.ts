import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { createConsumer, createCreditsConsumer, of } from '../../../support/consumers.ts';
import { advanceDays, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Row = Readonly<Record<string, unknown>>;

const terms = { price: 12_000, grant: 1_300_000, validMonths: 12 };
const rate = { tiers: [{ upTo: null, amount: '2.00' }] };

/** Creates a subscription with units at 2.00 each and no included units. */
const metered = () =>
  createConsumer(shop, { terms: { includedAmount: 0, overage: { enabled: true } }, rate });
const buy = (subscriptionId: string, body: Row = terms) =>
  shop.rest<Row>('POST', `/subscriptions/${subscriptionId}/commitments`, body);
const list = async (subscriptionId: string) =>
  (await shop.rest<{ data: Row[] }>('GET', `/subscriptions/${subscriptionId}/commitments`)).body.data;

const verified = async () =>
  (
    await t.graphql<{ ledgerVerify: { ok: boolean; mismatches: unknown[] } }>(
      '{ ledgerVerify { ok mismatches { account } } }',
    )
  ).ledgerVerify;

const lastLines = async (subscriptionId: string) =>
  (
    await t.graphql<{
      subscription: { invoices: { nodes: readonly { total: number; lineItems: Row[] }[] } };
    }>(
      `query ($id: ID!) { subscription(id: $id) { invoices(first: 1) { nodes { total lineItems {
         lineType amount description credit { id } commitment { id remaining } explanation { rule } } } } } }`,
      { id: subscriptionId },
    )
  ).subscription.invoices.nodes[0];

describe('a prepaid commitment', () => {
  test('is purchased over REST, pays the usage of a renewal as previewed, and is shown by GraphQL', async () => {
    const consumer = await metered();
    const { subscriptionId } = consumer;
    const { status, body } = await buy(subscriptionId);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        ...terms,
        asset: 'usd',
        appliesTo: 'usage_lines',
        status: 'active',
        description: 'Prepaid commitment',
        remaining: 1_300_000,
        atEnd: 'expire',
        autoRenew: false,
        object: 'commitment',
      },
    });
    expect(body['id']).toMatch(/^cmt_/);
    expect((await shop.rest('POST', '/usage/events', { ...of(consumer), value: 10 })).status).toBe(200);
    const { subscriptionPreview } = await t.graphql<{ subscriptionPreview: { invoices: Row[] } }>(
      'query ($id: ID!) { subscriptionPreview(command: { renewal: { id: $id } }) { invoices { total creditApplied } } }',
      { id: subscriptionId },
    );
    await advanceDays(shop, 32);
    const invoice = await lastLines(subscriptionId);
    expect(invoice?.lineItems.slice(-2)).toMatchObject([
      { lineType: 'feature_overage', amount: 2_000, commitment: null },
      {
        lineType: 'credit',
        amount: -2_000,
        credit: null,
        commitment: { id: body['id'], remaining: 1_100_000 },
        explanation: { rule: 'PRM-24' },
      },
    ]);
    expect(subscriptionPreview.invoices).toMatchObject([{ total: invoice?.total, creditApplied: 2_000 }]);
    expect(await list(subscriptionId)).toMatchObject([
      { id: body['id'], remaining: 1_100_000, drawn: 200_000 },
    ]);
    expect(await verified()).toEqual({ ok: true, mismatches: [] });
  });

  test('pays credits of a credits plan after the plan, and can be changed until its end', async () => {
    const consumer = await createCreditsConsumer(shop, 400, 1);
    const { subscriptionId, customerId } = consumer;
    const { body } = await buy(subscriptionId, {
      price: 9_000,
      grant: 500,
      validMonths: 1,
      autoRenew: true,
    });
    expect(body).toMatchObject({ asset: 'credits', appliesTo: 'usage', remaining: 500 });
    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 450 });
    const { accounts } = await t.graphql<{ accounts: unknown }>(
      'query ($id: ID!) { accounts(customerId: $id) { amount lots { source drawnBy remaining } } }',
      { id: customerId },
    );
    expect(accounts).toEqual([
      {
        amount: 450,
        lots: [
          { source: 'plan', drawnBy: 'usage', remaining: 0 },
          { source: 'commitment', drawnBy: 'usage', remaining: 450 },
        ],
      },
    ]);
    const id = String(body['id']);
    const update = await shop.rest('PATCH', `/commitments/${id}`, { autoRenew: false, atEnd: 'roll_once' });
    expect(update).toMatchObject({ status: 200, body: { id, autoRenew: false, atEnd: 'roll_once' } });
    await advanceDays(shop, 32);
    expect(await list(subscriptionId)).toMatchObject([
      { id, status: 'active', remaining: 450, atEnd: 'expire' },
    ]);
    await advanceDays(shop, 32);
    expect(await list(subscriptionId)).toMatchObject([{ id, status: 'ended', remaining: 0, drawn: 50 }]);
    expect(await shop.rest('PATCH', `/commitments/${id}`, { autoRenew: true })).toMatchObject({
      status: 404,
    });
    expect(await verified()).toEqual({ ok: true, mismatches: [] });
  });

  test.each([
    ['a price of 0', { price: 0 }, 'price'],
    ['an amount of 0', { grant: 0 }, 'grant'],
    ['no months', { validMonths: 0 }, 'validMonths'],
    ['61 months', { validMonths: 61 }, 'validMonths'],
    ['another currency', { asset: 'eur' }, 'asset'],
    ['credits on a metered plan', { asset: 'credits', appliesTo: 'usage' }, 'asset'],
    ['a fraction of a cent', { grant: 150 }, 'grant'],
    ['a price above the maximum', { price: 900_000_000_000_001 }, 'price'],
    ['an unknown effect of the end', { atEnd: 'refund' }, 'atEnd'],
  ])('rejects %s and changes nothing', async (_name, change, param) => {
    const { subscriptionId } = await metered();
    const changes = await watchChanges(t.app.database.query);
    const { status, body } = await buy(subscriptionId, { ...terms, ...change });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
    expect(JSON.stringify(body)).toContain(param);
    expect(await changes()).toEqual([]);
    expect(await list(subscriptionId)).toEqual([]);
  });

  test('is rejected for unknown and canceled subscriptions', async () => {
    expect(await buy('sub_unknown')).toMatchObject({
      status: 404,
      body: { error: { code: 'subscription_not_found' } },
    });
    const { subscriptionId } = await metered();
    await shop.rest('POST', `/subscriptions/${subscriptionId}/cancel`, { immediate: true });
    expect(await buy(subscriptionId)).toMatchObject({ body: { error: { code: 'subscription_not_active' } } });
    expect(await list(subscriptionId)).toEqual([]);
  });
});
