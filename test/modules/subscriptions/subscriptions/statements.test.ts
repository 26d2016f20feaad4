import { execute, parse } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Query } from '../../../../src/platform/db/pool.ts';
import { type Context, systemContext } from '../../../../src/request/context.ts';
import { schema } from '../../../../src/schema.ts';
import { openShop, type Shop } from './shop.ts';

let shop: Shop;
const customers = 6;

beforeAll(async () => {
  shop = await openShop();
  for (let index = 0; index < customers; index++) await shop.activeCustomer();
});
afterAll(() => shop.close());

/** Fails the test on any use of the Prisma client. */
const unused = new Proxy({} as Context['db'], {
  get: () => expect.fail('The operation read through Prisma.'),
});

/** Returns the table that each of the operation's statements reads. Fails if the operation bypasses the driver that counts statements. */
async function tablesRead(operation: string): Promise<string[]> {
  const seen: string[] = [];
  const ctx = await systemContext(shop.app, shop.sandboxId);
  const sql: Query = (text, params) => {
    seen.push(/FROM (?:unnest\(.*?LATERAL.*?FROM )?"(\w+)"/s.exec(text)?.[1] ?? text);
    return ctx.sql(text, params);
  };
  const { app, requestId, log, wall, version, caller, environment, livemode, clock, transaction } = ctx;
  const once: Context['once'] = (key, make) => ctx.once(key, make);
  const shared = {
    app,
    requestId,
    log,
    wall,
    version,
    caller,
    environment,
    livemode,
    clock,
    transaction,
    once,
    forget: () => ctx.forget(),
    resumeLog: null,
    effects: null,
    approvalId: null,
    approvedRun: null,
  };
  // Statements that Prisma runs for relations wouldn't be counted, so they fail the test.
  const recording: Context = { ...shared, sql, reads: sql, db: unused };
  const { data, errors } = await execute({ schema, document: parse(operation), contextValue: recording });
  expect(errors).toBeUndefined();
  const [page] = Object.values(data as Record<string, { edges: unknown[] }>);
  expect(page?.edges).toHaveLength(Number(/first: (\d+)/.exec(operation)?.[1]));
  return seen.toSorted();
}

it.each([1, customers])(
  'a query for %d customers reads subscriptions, invoices, and line items with one SQL statement per level',
  async (first) => {
    const operation = `{ customers(first: ${first}) { edges { node { id subscription { id
    invoices(first: 3) { edges { node { total lineItems { description amount } } } } } } } } }`;
    expect(await tablesRead(operation)).toEqual(['Customer', 'Invoice', 'InvoiceLine', 'Subscription']);
  },
);

it.each([1, customers])(
  'a query for %d subscriptions reads terms, prices, and offers with one SQL statement per table',
  async (first) => {
    const operation = `{ subscriptions(first: ${first}) { edges { node { id plan { planId name basePrice } name consumptionModel credits { included }
    features { ... on SubscriptionUsageFeature { usage { included } } } offerApplications { id } customer { id } catalogPlan { id } price { id } } } } }`;
    expect(await tablesRead(operation)).toEqual([
      'AddonActivation',
      'ConsumptionAccount',
      'Customer',
      'Feature',
      'FeatureCount',
      'Lot',
      'OfferApplication',
      'Plan',
      'PlanFeatureVersion',
      'PlanPrice',
      'PlanPriceVersion',
      'Subscription',
      'UsageCounter',
    ]);
  },
);

it.each([1, customers])(
  'a query for %d events reads the customer state in their data with one SQL statement per table',
  async (first) => {
    const operation = `{ events(first: ${first}, types: [customer_state_changed]) { edges { node { id data subscription { id } } } } }`;
    // `Subscription` appears twice: once for the current data, and once for the subscription in the event.
    expect(await tablesRead(operation)).toEqual([
      'AddonActivation',
      'ConsumptionAccount',
      'Event',
      'Feature',
      'FeatureCount',
      'Lot',
      'Plan',
      'PlanFeatureVersion',
      'PlanPrice',
      'PlanPriceVersion',
      'Subscription',
      'Subscription',
      'UsageCounter',
    ]);
  },
);
