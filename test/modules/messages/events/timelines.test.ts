import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTimeline } from '../../../../src/modules/messages/events/list.ts';
import type { Query } from '../../../../src/platform/db/pool.ts';
import { systemContext } from '../../../../src/request/context.ts';
import {
  attachFeature,
  createActiveSubscription,
  createCustomer,
  createFeature,
  firstShop,
  type MadeSubscription,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { needsOneServer, plansAreRead } from '../../../support/nodes.ts';
import { columnsRead } from '../../../support/statements.ts';

let t: TestApp;
let shop: Shop;
let ada: MadeSubscription;
let invoiceId: string;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  ada = await createActiveSubscription(shop);
  const { id: featureId, code } = await createFeature(shop, 'usage');
  await attachFeature(shop, ada.planId, featureId, { includedAmount: 100 });
  const used = { customerId: ada.customerId, featureCode: code, value: 1 };
  expect((await shop.rest('POST', '/usage/events', used)).status).toBe(200);
  const { body } = await shop.rest<{ data: { id: string }[] }>('GET', '/invoices');
  invoiceId = body.data[0]?.id ?? '';
  await createActiveSubscription(shop);
});
afterAll(() => t.close());

type Timeline = {
  readonly edges: readonly { readonly node: { readonly event: string; readonly position: number } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

const shown = 'edges { node { event position } } pageInfo { hasNextPage endCursor }';

const ask = async (root: string, id: string, args = ''): Promise<Timeline> => {
  const query = `query ($id: ID!) { ${root}(id: $id) { events${args} { ${shown} } } }`;
  const answer = await t.graphql<Record<string, { events: Timeline }>>(query, { id });
  const timeline = answer[root]?.events;
  if (timeline === undefined) throw new Error(`There is no ${root}.`);
  return timeline;
};
const kinds = ({ edges }: Timeline): string[] => edges.map(({ node }) => node.event);

/** Events for a subscription with a paid checkout, from newest to oldest. */
const activation = [
  'customer_state_changed',
  'subscription_activated',
  'payment_received',
  'payment_method_attached',
  'customer_state_changed',
  'checkout_ready',
  'invoice_created',
  'subscription_created',
];

describe('an event timeline', () => {
  test("contains all of a customer's events except usage", async () => {
    expect(kinds(await ask('customer', ada.customerId))).toEqual([...activation, 'customer_created']);
  });

  test('contains the events of a subscription, its invoices, and its payments', async () => {
    expect(kinds(await ask('subscription', ada.id))).toEqual(activation);
  });

  test("contains an invoice's events", async () => {
    expect(kinds(await ask('invoice', invoiceId))).toEqual([
      'subscription_activated',
      'payment_received',
      'checkout_ready',
      'invoice_created',
    ]);
  });

  test('returns only the requested types', async () => {
    const args = '(types: [invoice_created, customer_created, usage_recorded])';
    expect(kinds(await ask('customer', ada.customerId, args))).toEqual([
      'invoice_created',
      'customer_created',
    ]);
  });

  test('continues after a cursor without gaps or repetitions', async () => {
    const whole = await ask('subscription', ada.id);
    const seen: number[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const page: Timeline = await ask(
        'subscription',
        ada.id,
        `(first: 3${after === null ? '' : `, after: "${after}"`})`,
      );
      seen.push(...page.edges.map(({ node }) => node.position));
      more = page.pageInfo.hasNextPage;
      after = page.pageInfo.endCursor;
    }
    expect(seen).toEqual(whole.edges.map(({ node }) => node.position));
  });

  test('excludes events in other environments', async () => {
    const { liveKey } = t;
    const query = 'query ($id: ID!) { customer(id: $id) { events { edges { node { event } } } } }';
    const { errors } = await t.graphqlFailure(query, { id: ada.customerId }, { key: liveKey });
    expect(errors[0]?.extensions['code']).toBe('customer_not_found');
    const live = await systemContext(t.app, t.liveId);
    const { edges } = await loadTimeline(live, 'customerId', ada.customerId, {}, () => 'all');
    expect(edges).toEqual([]);
  });
});

test("lastEventAt is the time of a customer's last event, including usage", async () => {
  const query = `query ($id: ID!) { customer(id: $id) { lastEventAt usageEvents(first: 1) { edges { node { createdAt } } } } }`;
  type Shown = { lastEventAt: string; usageEvents: { edges: { node: { createdAt: string } }[] } };
  const { customer } = await t.graphql<{ customer: Shown }>(query, { id: ada.customerId });
  expect(customer.lastEventAt).toBe(customer.usageEvents.edges[0]?.node.createdAt);
});

test('the timelines of several objects are read with one SQL statement per nesting level', async () => {
  for (let count = 0; count < 3; count++) {
    const { id } = await createCustomer(shop);
    await subscribeTo(shop, id, ada.planId);
  }
  const query = `query ($first: Int!) { customers(first: $first) { edges { node { lastEventAt events(first: 3) { edges { node { event } } } } } }
    subscriptions(first: $first) { edges { node { events(first: 3) { edges { node { event } } } } } }
    invoices(first: $first) { edges { node { events(first: 3) { edges { node { event } } } } } } }`;
  const few = await columnsRead(t, query, { first: 1 });
  const many = await columnsRead(t, query, { first: 50 });
  // Lists on the same level are read concurrently, so the order of their statements varies.
  expect(many.read.toSorted()).toEqual(few.read.toSorted());
  expect(many.read).toHaveLength(7);
});

type Plan = {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Plan[];
};
const indexes = (plan: Plan): string[] => [
  ...(plan['Index Name'] === undefined ? [] : [plan['Index Name']]),
  ...(plan.Plans ?? []).flatMap(indexes),
];

test.skipIf(needsOneServer(plansAreRead))("an invoice's events are read with an index", async () => {
  const sent: { text: string; params: readonly unknown[] }[] = [];
  const query: Query = (text, params = [], rowOf) => {
    sent.push({ text, params });
    return t.app.database.query(text, params, rowOf);
  };
  const app = { ...t.app, database: { ...t.app.database, query } };
  await loadTimeline(await systemContext(app, t.sandboxId), 'invoiceId', invoiceId, {}, () => 'all');
  const last = sent.at(-1);
  const plan = await t.app.database.transaction(async (open) => {
    // PostgreSQL may read a small table without this index, so the query is planned for a million rows.
    await open.query(`UPDATE pg_class SET reltuples = 1000000, relpages = 1 WHERE oid = '"Event"'::regclass`);
    const [row] = await open.query<{ 'QUERY PLAN': unknown }>(
      `EXPLAIN (FORMAT JSON) ${last?.text}`,
      last?.params ?? [],
    );
    const read = row?.['QUERY PLAN'];
    const [{ Plan: found }] = (typeof read === 'string' ? JSON.parse(read) : read) as [{ Plan: Plan }];
    await open.query(`UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE oid = '"Event"'::regclass`);
    return found;
  });
  expect(indexes(plan)).toEqual(['Event_timeline_of_invoice']);
});
