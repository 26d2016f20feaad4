import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createBalanceConsumer,
  createConsumer,
  createCreditsConsumer,
  of,
} from '../../../support/consumers.ts';
import { advanceDays, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const track = async (body: object) =>
  (await shop.rest<{ id: string }>('POST', '/usage/events', body)).body.id;

type Entry = {
  lot: { source: string };
  type: string;
  amount: number;
  resulting: number;
  cause: string;
  usageEvent: { id: string } | null;
};
type Ledger = { pageInfo: { hasNextPage: boolean; endCursor: string }; edges: { node: Entry }[] };
const fields =
  'pageInfo { hasNextPage endCursor } edges { node { lot { source } type amount resulting cause usageEvent { id } } }';

const ledger = async (
  name: 'creditLedger' | 'balanceLedger',
  id: string,
  page = 'first: 20',
): Promise<Ledger> => {
  const answer = await t.graphql<Record<string, Ledger>>(
    `query ($id: ID!) { ${name}(subscriptionId: $id, ${page}) { ${fields} } }`,
    {
      id,
    },
  );
  const found = answer[name];
  if (found === undefined) throw new Error('No ledger was answered.');
  return found;
};
const rows = ({ edges }: Ledger) =>
  edges.map(({ node: { lot, type, amount, resulting, cause } }) => [
    lot.source,
    type,
    amount,
    resulting,
    cause,
  ]);

describe('the credit ledger', () => {
  test('contains every entry with its cause, latest first and paginated (CON-58)', async () => {
    const consumer = await createCreditsConsumer(shop, 640, 7);
    const { subscriptionId } = consumer;
    const eventId = await track({ ...of(consumer), value: 3 });
    await shop.rest('POST', `/subscriptions/${subscriptionId}/balance/adjust`, {
      amount: 50,
      type: 'credits',
      reason: 'Sorry',
    });
    const adjustment = ['adjustment', 'adjustment', 50, 669, 'manual'];
    const all = await ledger('creditLedger', subscriptionId);
    expect(rows(all)).toEqual([
      adjustment,
      ['plan', 'consumption', -21, 619, 'usage_event'],
      ['plan', 'grant', 640, 640, 'window'],
    ]);
    expect(all.edges.map(({ node }) => node.usageEvent?.id ?? null)).toEqual([null, eventId, null]);
    const first = await ledger('creditLedger', subscriptionId, 'first: 1');
    expect([rows(first), first.pageInfo.hasNextPage]).toEqual([[adjustment], true]);
    const rest = await ledger(
      'creditLedger',
      subscriptionId,
      `first: 5, after: "${first.pageInfo.endCursor}"`,
    );
    expect([rows(rest).length, rest.pageInfo.hasNextPage]).toEqual([2, false]);
    expect(rows(await ledger('balanceLedger', subscriptionId))).toEqual([]);
  });

  test("rejects a subscription that doesn't exist", async () => {
    const answer = await t
      .graphql('{ creditLedger(subscriptionId: "sub_none") { edges { cursor } } }')
      .catch((error: unknown) => String(error));
    expect(answer).toContain('subscription_not_found');
  });
});

test('the balance ledger contains the entries of a past usage window', async () => {
  const consumer = await createBalanceConsumer(shop, 1_000);
  await track({ ...of(consumer), value: 4 });
  await advanceDays(shop, 32);
  expect(rows(await ledger('balanceLedger', consumer.subscriptionId))).toEqual([
    ['plan', 'reset', 1_000, 1_000, 'window'],
    ['plan', 'expiry', -800, 0, 'window'],
    ['plan', 'consumption', -200, 800, 'usage_event'],
    ['plan', 'grant', 1_000, 1_000, 'window'],
  ]);
});

test('the usage of the current window is available on both customers and subscriptions', async () => {
  const consumer = await createCreditsConsumer(shop, 640, 7);
  const ids = [await track({ ...of(consumer), value: 3 }), await track({ ...of(consumer), value: 2 })];
  const text = `query ($id: ID!) { customer(id: $id) { usageEvents(first: 5) { edges { node { id } } }
    subscription { usage { featureCode value consumed } creditLedger(first: 1) { edges { node { resulting } } } } } }`;
  expect(await t.graphql(text, { id: consumer.customerId })).toEqual({
    customer: {
      usageEvents: { edges: ids.toReversed().map((id) => ({ node: { id } })) },
      subscription: {
        usage: [{ featureCode: consumer.feature.code, value: 5, consumed: 35 }],
        creditLedger: { edges: [{ node: { resulting: 605 } }] },
      },
    },
  });
});

describe('the ledger check', () => {
  const verify = async () =>
    (
      await t.graphql<{ ledgerVerify: unknown }>(
        '{ ledgerVerify { ok mismatches { account expected actual } } }',
      )
    ).ledgerVerify;
  const sound = { ok: true, mismatches: [] };
  const tamper = (text: string, id: string) => t.app.database.query(text, [t.sandboxId, id]);

  test('finds no mismatches after usage, and reports a balance that changed without an entry', async () => {
    const consumer = await createCreditsConsumer(shop, 640, 7);
    await track({ ...of(consumer), value: 3 });
    expect(await verify()).toEqual(sound);
    const set = (amount: number) =>
      tamper(
        `UPDATE "ConsumptionAccount" SET pools = jsonb_set(pools, '{credits,amount}', to_jsonb(((pools->'credits'->>'amount')::bigint + ${amount})::text)) WHERE "environmentId" = $1 AND id = $2`,
        consumer.subscriptionId,
      );
    await set(5);
    expect(await verify()).toEqual({
      ok: false,
      mismatches: [{ account: `credits ${consumer.subscriptionId}`, expected: 624, actual: 619 }],
    });
    await set(-5);
    expect(await verify()).toEqual(sound);
  });

  test('reports an entry whose resulting balance differs from the running total', async () => {
    const { subscriptionId } = await createBalanceConsumer(shop, 1_000);
    const set = (amount: number) =>
      tamper(
        `UPDATE "ConsumptionEntry" SET resulting = resulting + ${amount} WHERE "environmentId" = $1 AND "subscriptionId" = $2`,
        subscriptionId,
      );
    await set(1);
    expect(await verify()).toEqual({
      ok: false,
      mismatches: [{ account: expect.stringMatching(/^entry bal_/), expected: 1_001, actual: 1_000 }],
    });
    await set(-1);
    expect(await verify()).toEqual(sound);
  });

  test('reports a counter that differs from its events and adjustments, and events without a counter', async () => {
    const consumer = await createConsumer(shop);
    await track({ ...of(consumer), value: 3 });
    await shop.rest('PUT', '/usage', { ...of(consumer), value: 10 });
    const { subscriptionId } = consumer;
    const id = `${subscriptionId}:${consumer.feature.id}`;
    expect(await verify()).toEqual(sound);
    await tamper(
      `UPDATE "UsageCounter" SET total = 9, consumed = 2 WHERE "environmentId" = $1 AND id = $2`,
      id,
    );
    expect(await verify()).toEqual({
      ok: false,
      mismatches: [
        { account: `consumed ${id}`, expected: 2, actual: 0 },
        { account: `usage ${id}`, expected: 9, actual: 10 },
      ],
    });
    await tamper('DELETE FROM "UsageCounter" WHERE "environmentId" = $1 AND id = $2', id);
    expect(await verify()).toEqual({
      ok: false,
      mismatches: [{ account: `usage ${id}`, expected: 0, actual: 10 }],
    });
  });
});
