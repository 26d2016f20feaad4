import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldNext } from '../../../../src/modules/metrics/sums/worker/fold.ts';
import { systemContext } from '../../../../src/request/context.ts';
import {
  advanceDays,
  createActiveSubscription,
  createClimber,
  type MadeSubscription,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Recurring revenue changes in a shop with two customers. One upgrades on the first day and cancels on the second. The other also cancels
// on the second day.

type State = { components: { base: number }; plan: { id: string } } | null;
type Entry = {
  events: { event: string }[];
  subscription: { id: string };
  reason: string;
  before: State;
  after: State;
};
type Change = {
  customer: { id: string };
  day: string;
  kind: string;
  reason: string;
  before: number;
  after: number;
  entries: Entry[];
};
type Series = { group: { key: string }; points: { closing: number }[] };
type Answer = { data: Change[]; hasMore: boolean; nextCursor?: string };

let t: TestApp;
let shop: Shop;
let climber: MadeSubscription & { readonly lowId: string; readonly highId: string };
let other: MadeSubscription;
let [first, second] = ['', ''];

const today = async (): Promise<string> =>
  (await systemContext(t.app, shop.environmentId)).clock.now().toISOString().slice(0, 10);

const post = async (address: string, body: object): Promise<void> => {
  const { status } = await shop.rest('POST', address, body);
  expect([address, status]).toEqual([address, 200]);
};

beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
  first = await today();
  climber = await createClimber(shop);
  await post(`/subscriptions/${climber.id}/change-plan`, { newPlanId: climber.highId });
  other = await createActiveSubscription(shop, { price: 2_000 });
  await advanceDays(shop, 3);
  second = await today();
  await post(`/subscriptions/${other.id}/cancel`, { immediate: true });
  await post(`/subscriptions/${climber.id}/cancel`, { immediate: true });
  while (await foldNext(await systemContext(t.app, shop.environmentId), 'revenue', null));
});
afterAll(() => t.close());

async function list(query = '', of: Shop = shop): Promise<Answer> {
  const address = `/metrics/mrr/changes?from=${first}&to=${second}${query}`;
  const { status, body } = await of.rest<Answer>('GET', address);
  expect([query, status]).toEqual([query, 200]);
  return body;
}

const shown = ({ customer, day, kind, reason, before, after }: Change) => [
  customer.id,
  day,
  kind,
  reason,
  before,
  after,
];

const stepsOf = ({ entries }: Change) =>
  entries.map(({ subscription, reason, before, after }) => [
    subscription.id,
    reason,
    before?.components.base ?? null,
    before?.plan.id ?? null,
    after?.components.base ?? null,
    after?.plan.id ?? null,
  ]);

test('mrrChanges lists one change per customer and day with its entries, from latest to earliest (MET-10, MET-11)', async () => {
  const { data, hasMore } = await list();
  expect(hasMore).toBe(false);
  expect(data.map(shown)).toEqual([
    [climber.customerId, second, 'churn', 'canceled', 1_180_000, 0],
    [other.customerId, second, 'churn', 'canceled', 200_000, 0],
    [other.customerId, first, 'new', 'activated', 0, 200_000],
    [climber.customerId, first, 'new', 'plan_changed', 0, 1_180_000],
  ]);
  const { id, lowId, highId } = climber;
  expect(data.map(stepsOf)).toEqual([
    [[id, 'canceled', 1_180_000, highId, null, null]],
    [[other.id, 'canceled', 200_000, other.planId, null, null]],
    [[other.id, 'activated', null, null, 200_000, other.planId]],
    [
      [id, 'activated', null, null, 340_000, lowId],
      [id, 'plan_changed', 340_000, lowId, 1_180_000, highId],
    ],
  ]);
});

test('mrrChanges links each entry to the subscription events from the same transaction', async () => {
  const { data } = await list();
  const kinds = data.map(({ entries }) => entries.map(({ events }) => events.map(({ event }) => event)));
  const [left, , joined, climbed] = kinds;
  expect(left).toEqual([['subscription.canceled', 'customer.state_changed']]);
  expect(joined?.[0]).toContain('subscription.activated');
  expect(climbed?.[0]).toContain('subscription.activated');
  expect(climbed?.[1]).toContain('subscription.plan_changed');
  expect(climbed?.[1]).not.toContain('subscription.activated');
});

test('mrrChanges continues after the previous page', async () => {
  const whole = await list();
  const found: Change[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Answer = await list(`&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
    found.push(...page.data);
    cursor = page.nextCursor ?? null;
  }
  expect(found).toEqual(whole.data);
});

test('mrrChanges applies each filter', async () => {
  const days = async (query: string) =>
    (await list(query)).data.map(({ day, customer }) => [day, customer.id]);
  const [a, b] = [climber.customerId, other.customerId];
  expect(await days('&kind=churn')).toEqual([
    [second, a],
    [second, b],
  ]);
  expect(await days('&reason=plan_changed')).toEqual([[first, a]]);
  expect(await days(`&customerId=${b}`)).toEqual([
    [second, b],
    [first, b],
  ]);
  expect(await days(`&planId=${climber.highId}&kind=new`)).toEqual([[first, a]]);
  expect(await days(`&planId=${climber.lowId}`)).toEqual([]);
  const { body } = await shop.rest<Answer>('GET', `/metrics/mrr/changes?from=${second}&to=${second}`);
  expect(body.data).toHaveLength(2);
});

test('mrrChanges rejects a reversed range and keys without the `finance` scope, and excludes other organizations', async () => {
  const reversed = await shop.rest('GET', `/metrics/mrr/changes?from=${second}&to=${first}`);
  expect(reversed).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error', param: 'from' } },
  });
  const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
    'mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { apiKey } }',
    { input: { name: 'Reader', scopes: ['read'] } },
    { key: shop.key },
  );
  const question = `{ mrrChanges(from: "${first}", to: "${second}") { nodes { day } } }`;
  await expect(t.graphql(question, {}, { key: apiKeyCreate.apiKey })).rejects.toThrow(/scope|finance/);
  expect((await list('', await otherShop(t))).data).toEqual([]);
});

test('the metrics query returns the same grouped series as metricsMrr', async () => {
  const points =
    'currency group { key } points { start opening closing payingCustomers movements { kind amount } }';
  const { metrics, metricsMrr } = await t.graphql<{ metrics: { mrr: Series[] }; metricsMrr: Series[] }>(
    `query ($from: Date!, $to: Date!) {
      metrics(from: $from, to: $to) { mrr(groupBy: plan) { ${points} } }
      metricsMrr(from: $from, to: $to, groupBy: plan) { ${points} }
    }`,
    { from: first, to: second },
    { key: shop.key },
  );
  expect(metrics.mrr).toEqual(metricsMrr);
  const own = metrics.mrr.find(({ group }) => group.key === climber.highId);
  expect(own?.points.map(({ closing }) => closing)).toEqual([1_180_000, 1_180_000, 1_180_000, 0]);
});
