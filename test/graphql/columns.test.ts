import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchedByColumns } from '../../src/graphql/reading/loaders.ts';
import { type Columns, selectionOf } from '../../src/platform/db/columns.ts';
import { readBy } from '../../src/platform/db/rows.ts';
import { schema } from '../../src/schema.ts';
import {
  createActiveSubscription,
  createClimber,
  createCredit,
  createCustomer,
  createPastDueSubscription,
  createSubscription,
  firstShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { columnsRead } from '../support/statements.ts';

// Checks that an operation reads only the columns that its fields need.

let t: TestApp;
let shop: Shop;
let customerId: string;
let subscriptionId: string;

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  await createPastDueSubscription(shop);
  await createSubscription(shop);
  const climber = await createClimber(shop);
  await shop.rest('POST', `/subscriptions/${climber.id}/cancel`, {});
  await createCredit(shop, (await createCustomer(shop)).id);
  ({ customerId, id: subscriptionId } = await createActiveSubscription(shop));
}, 60_000);
afterAll(() => t.close());

const reads = async (operation: string, variables: Record<string, unknown> = {}): Promise<string[]> =>
  (await columnsRead(t, operation, variables)).read;

describe('the column selection of an operation', () => {
  it('contains exactly the selected columns', async () => {
    expect(await reads('{ customers { edges { node { id email } } } }')).toEqual(['Customer: email id']);
  });

  it('includes the sort columns if a cursor is selected', async () => {
    expect(await reads('{ customers { edges { cursor } } }')).toEqual(['Customer: createdAt seq']);
    expect(await reads('{ customers { edges { node { email } } pageInfo { endCursor } } }')).toEqual([
      'Customer: createdAt email seq',
    ]);
    expect(await reads('{ customers { edges { node { email } } pageInfo { hasNextPage } } }')).toEqual([
      'Customer: email',
    ]);
  });

  it("doesn't depend on aliases", async () => {
    const { data, read } = await columnsRead(
      t,
      '{ customers(first: 1) { edges { node { externalId: id email: fullName } } } }',
    );
    expect(data).toEqual({
      customers: { edges: [{ node: { externalId: customerId, email: expect.any(String) } }] },
    });
    expect(read).toEqual(['Customer: fullName id']);
  });

  it('collects columns from fragments at every level', async () => {
    const operation = `{ customers { ...Page } }
      fragment Page on CustomerConnection { edges { ...Edge } }
      fragment Edge on CustomerEdge { node { id ... on Customer { email ... { timezone } } ...More } }
      fragment More on Customer { fullName }`;
    expect(await reads(operation)).toEqual(['Customer: email fullName id timezone']);
  });

  it("doesn't depend on variables in `@skip` and `@include`", async () => {
    const operation = `query ($with: Boolean!) { customers(first: 1) { edges { node { id email @include(if: $with) timezone @skip(if: $with) } } } }`;
    const [withThem, without] = [
      await columnsRead(t, operation, { with: true }),
      await columnsRead(t, operation, { with: false }),
    ];
    expect([withThem.read, without.read]).toEqual([
      ['Customer: email id timezone'],
      ['Customer: email id timezone'],
    ]);
    expect(withThem.data).toEqual({
      customers: { edges: [{ node: { id: customerId, email: expect.any(String) } }] },
    });
    expect(without.data).toEqual({ customers: { edges: [{ node: { id: customerId, timezone: 'UTC' } }] } });
  });

  it('includes the keys that each nested level needs, even with variables', async () => {
    const operation = `query ($size: Int, $status: InvoiceStatus) { customers(first: 2) { edges { node { email
      subscription { status invoices(first: $size, status: $status) { edges { node { total lineItems { amount } } } } } } } } }`;
    const read = [
      'Customer: email id',
      'Subscription: customerId id status',
      'Invoice: currency id subscriptionId total',
    ];
    expect(await reads(operation, { size: 3, status: 'paid' })).toEqual([
      ...read,
      'InvoiceLine: amount invoiceId',
    ]);
  });

  it('contains only the environment ID for fields that have the same value in all rows', async () => {
    expect(await reads('{ customers { edges { node { __typename object livemode } } } }')).toEqual([
      'Customer: environmentId',
    ]);
  });

  it('combines fields that need different columns of the same rows into one statement', async () => {
    const operation =
      '{ invoices(first: 2) { edges { node { customer { email } also: customer { timezone } } } } }';
    expect(await reads(operation)).toEqual(['Invoice: customerId', 'Customer: email id timezone']);
  });

  it("includes the whole row if a field doesn't declare its columns", async () => {
    const [read = ''] = await reads('{ subscriptions { edges { node { credits { remaining } } } } }');
    expect(read.split(' ')).toHaveLength(selectionOf('Subscription', 'all').list.split(', ').length + 1);
  });
});

const fieldsOf = (name: string): GraphQLField<unknown, unknown>[] =>
  Object.values((schema.getType(name) as GraphQLObjectType).getFields());

/** True for fields with a stable value and without required arguments. Download URLs change every second. */
const isAskable = (field: GraphQLField<unknown, unknown>): boolean =>
  field.name !== 'downloadUrl' && !field.args.some(isRequiredArgument);

/** Returns a selection of a field with its scalar subfields. */
function requested(field: GraphQLField<unknown, unknown>): string {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return 'getTypes' in type ? `${field.name} { __typename }` : field.name;
  const plain = Object.values(type.getFields()).filter(
    (below) => isAskable(below) && !('getFields' in getNamedType(below.type)),
  );
  return `${field.name} { __typename ${plain
    .filter((below) => !('getTypes' in getNamedType(below.type)))
    .map(({ name }) => name)
    .join(' ')} }`;
}

/** Queries for fields that return partially loaded rows. `§` represents the selection. */
const places = [
  ['Customer', 'customers(first: 10) { edges { node { § } } }'],
  ['Customer', 'invoices(first: 10) { edges { node { customer { § } } } }'],
  ['Subscription', 'subscriptions(first: 10) { edges { node { § } } }'],
  ['Subscription', 'customers(first: 10) { edges { node { subscription { § } } } }'],
  [
    'Subscription',
    'customers(first: 10) { edges { node { subscriptions(first: 3) { edges { node { § } } } } } }',
  ],
  ['Invoice', 'invoices(first: 10) { edges { node { § } } }'],
  ['Invoice', 'customers(first: 10) { edges { node { invoices(first: 3) { edges { node { § } } } } } }'],
  ['InvoiceLineItem', 'invoices(first: 10) { edges { node { lineItems { § } } } }'],
  ['Plan', 'subscriptions(first: 10) { edges { node { catalogPlan { § } } } }'],
  ['PlanPrice', 'subscriptions(first: 10) { edges { node { price { § } } } }'],
  ['PlanPrice', 'subscriptions(first: 10) { edges { node { catalogPlan { prices { § } } } } }'],
  ['PlanFeature', 'plans(first: 10) { edges { node { featureTerms { § } } } }'],
  ['Feature', 'plans(first: 10) { edges { node { featureTerms { feature { § } } } } }'],
  ['Transaction', 'invoices(first: 10) { edges { node { transactions { § } } } }'],
  ['Commitment', 'subscriptions(first: 10) { edges { node { commitments { edges { node { § } } } } } }'],
  [
    'CustomerCredit',
    'customers(first: 10) { edges { node { credits(first: 3) { edges { node { § } } } } } }',
  ],
  ['SubscriptionOfferApplication', 'subscriptions(first: 10) { edges { node { offerApplications { § } } } }'],
] as const;

describe('a computed field', () => {
  // These fields use a subscription's terms, which depend on most of its columns. Don't add fields to this list.
  const whole = [
    'EmailNotification.html',
    'EmailNotification.text',
    'Lot.invoice',
    'PortalSubscription.balance',
    'PortalSubscription.credits',
    'PortalSubscription.features',
    'PortalSubscription.nextCharge',
    'PortalSubscription.pools',
    'PortalSubscription.price',
    'PortalSubscription.rates',
    'Subscription.balance',
    'Subscription.credits',
    'Subscription.features',
    'Subscription.plan',
    'Subscription.pools',
    'Subscription.usage',
  ];

  it('declares its columns', () => {
    const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
    const unnamed = objects
      .filter(({ extensions }) => extensions['pothosPrismaModel'] != null)
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter(({ extensions }) => !('columns' in extensions) && !('pothosExposedField' in extensions))
          .filter(({ resolve }) => resolve !== undefined && resolve.length > 0)
          .map(({ name }) => `${type.name}.${name}`),
      );
    expect(unnamed.sort()).toEqual(whole);
  });
});

describe('a field queried alone', () => {
  it.each(places)('has the same value as in a query for all fields, for %s in %s', async (type, place) => {
    const fields = fieldsOf(type).filter(isAskable);
    const whole = await t.graphql(`{ ${place.replace('§', fields.map(requested).join(' '))} }`);
    for (const field of fields) {
      const alone = await t.graphql(`{ ${place.replace('§', requested(field))} }`);
      expect(whole, field.name).toMatchObject(alone);
    }
  });
});

describe('a partially loaded row', () => {
  const read = (columns: Columns) =>
    t.context().then((ctx) => readBy(ctx.sql, 'Subscription', 'id', [subscriptionId], { columns }));

  it('contains the columns that were read, and throws for other columns', async () => {
    const [row] = await read(new Set(['id', 'status']));
    expect({ ...row }).toEqual({ id: subscriptionId, status: 'active' });
    expect(() => row?.planId).toThrow('The column planId of this Subscription was not read');
  });

  it('contains the same values as the whole row', async () => {
    const [whole] = await read('all');
    const [part] = await read(new Set(['startDate', 'effectiveBaseMinor', 'selection', 'endDate']));
    expect(Object.keys(whole ?? {})).toContain('environmentId');
    expect(whole).toMatchObject({ ...part });
    expect({ ...part }).toEqual({
      startDate: expect.any(Date),
      effectiveBaseMinor: expect.any(BigInt),
      selection: expect.any(Object),
      endDate: null,
    });
  });

  it('throws for a name that is not a column', async () => {
    await expect(read(new Set(['id', 'nothing']))).rejects.toThrow('Subscription has no column nothing.');
  });
});

describe('loading a row by its key', () => {
  const recorded = () => {
    const reads: [string, Columns][] = [];
    const load = batchedByColumns(async (keys, columns) => {
      reads.push([keys.join(), columns]);
      return (key) => `${key} with ${columns === 'all' ? 'all' : [...columns].sort().join()}`;
    });
    return { load, reads };
  };

  it('is combined with other loads into one read of all needed columns', async () => {
    const { load, reads } = recorded();
    const loaded = await Promise.all([
      load('a', new Set(['x'])),
      load('b', new Set(['x'])),
      load('a', new Set(['y'])),
    ]);
    expect(reads).toEqual([['a,b', new Set(['x', 'y'])]]);
    expect(loaded).toEqual(['a with x,y', 'b with x,y', 'a with x,y']);
  });

  it('reuses columns that were read, and reads the row again to get missing columns', async () => {
    const { load, reads } = recorded();
    await load('a', new Set(['x', 'y']));
    expect(await load('a', new Set(['x']))).toBe('a with x,y');
    expect(await load('a', new Set(['z']))).toBe('a with x,y,z');
    expect(await load('a', 'all')).toBe('a with all');
    expect(await load('a', new Set(['x']))).toBe('a with all');
    expect(reads.map(([key]) => key)).toEqual(['a', 'a', 'a']);
  });

  it('is repeated with all requested columns after a failure', async () => {
    let isDown = true;
    const load = batchedByColumns(async (_keys, columns) => {
      if (isDown) throw new Error('down');
      return () => columns;
    });
    await expect(load('a', new Set(['x', 'y']))).rejects.toThrow('down');
    isDown = false;
    expect(await load('a', new Set(['x']))).toEqual(new Set(['x', 'y']));
  });
});

it('rows keep their values after reads of more column sets than the cache can store', async () => {
  const ctx = await t.context();
  const names = selectionOf('Subscription', 'all')
    .list.split(', ')
    .map((name) => name.slice(3, -1));
  const spans = names.flatMap((_name, from) =>
    names.slice(from).map((_end, length) => new Set(names.slice(from, from + length + 1))),
  );
  const lists = new Set(
    [...spans, ...spans.map((span) => new Set(names).difference(span))].map(
      (span) => selectionOf('Subscription', span).list,
    ),
  );
  expect(lists.size).toBeGreaterThan(1_000);
  const [row] = await readBy(ctx.sql, 'Subscription', 'id', [subscriptionId], {
    columns: new Set(['status']),
  });
  expect({ ...row }).toEqual({ status: 'active' });
});
