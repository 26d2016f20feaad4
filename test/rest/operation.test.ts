import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QuittanceError } from '../../src/domain/errors/errors.ts';
import { restView } from '../../src/graphql/declare/rest.ts';
import { parseCountMap } from '../../src/graphql/declare/scalars.ts';
import type { RequestContext } from '../../src/request/context.ts';
import { inTransaction, nextSeq } from '../../src/request/transaction.ts';
import { type Door, envelope, invalid, openDoor } from './door.ts';

// Response types that few real fields use, declared on a separate schema.

const text = { type: GraphQLString };
const Seats = new GraphQLObjectType({ name: 'Seats', fields: { type: text, places: text, note: text } });
const Flag = new GraphQLObjectType({
  name: 'Flag',
  fields: { type: text, isOn: { type: GraphQLBoolean }, note: text },
});
const Feature = new GraphQLUnionType({
  name: 'AnyFeature',
  types: [Seats, Flag],
  resolveType: (value: { type: string }) => (value.type === 'seats' ? 'Seats' : 'Flag'),
});
const Bundle = new GraphQLObjectType({
  name: 'Bundle',
  fields: {
    name: text,
    grant: text,
    features: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Feature))) },
  },
});
restView(
  'Bundle',
  'Bundle',
  'name grant features { ... on Seats { type places note } ... on Flag { type isOn note } }',
  {
    absentWhenUnset: ['grant', 'features.note'],
  },
);
const Counted = new GraphQLObjectType({ name: 'Counted', fields: { id: text, total: text } });
restView('Counted', 'Counted', 'id total');
const CountMap = new GraphQLScalarType<unknown, unknown>({ name: 'CountMap', parseValue: parseCountMap });

const bundle = {
  name: 'Everything',
  grant: null,
  features: [
    { type: 'seats', places: 'three', note: null },
    { type: 'flag', isOn: true, note: 'new' },
  ],
};

type Field = GraphQLFieldConfig<unknown, RequestContext, Record<string, unknown>>;
const field = (
  method: string,
  path: string,
  view: string,
  type: Field['type'],
  resolve: Field['resolve'],
  args: Field['args'] = {},
  rest = {},
): Field => ({
  type,
  args,
  extensions: { rest: { method, path, view, ...rest }, access: { scope: 'write' } },
  ...(resolve === undefined ? {} : { resolve }),
});

/** Increments the environment's sequence number, then throws an error inside or after the transaction. */
const reject = (when: unknown) => async (ctx: RequestContext) => {
  const rejection = new QuittanceError({
    code: 'charge_failed',
    message: 'The card was declined.',
    details: { declineCode: 'generic_decline' },
  });
  await inTransaction(ctx, async (tx) => {
    await nextSeq(tx);
    if (when === 'inside') throw rejection;
  });
  throw rejection;
};

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      bundle: field('GET', '/bundle', 'Bundle', new GraphQLNonNull(Bundle), () => bundle),
      noBundle: field('GET', '/no-bundle', 'Bundle', Bundle, () => null, {}, { allowsNull: true }),
      bundles: field(
        'GET',
        '/bundles',
        'Bundle',
        new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Bundle))),
        () => [bundle, bundle],
      ),
      failing: field('GET', '/failing', 'Bundle', new GraphQLNonNull(Bundle), () => {
        throw new Error('secret words of the database');
      }),
    },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      count: field(
        'PUT',
        '/counts/{id}',
        'Counted',
        new GraphQLNonNull(Counted),
        (_root, { id, counts }) => ({ id, total: JSON.stringify(counts) }),
        { id: { type: new GraphQLNonNull(GraphQLString) }, counts: { type: new GraphQLNonNull(CountMap) } },
      ),
      reject: field(
        'POST',
        '/refusals/{when}',
        'Counted',
        new GraphQLNonNull(Counted),
        (_root, { when }, ctx) => reject(when)(ctx),
        {
          when: { type: new GraphQLNonNull(GraphQLString) },
        },
      ),
    },
  }),
});

let door: Door;
beforeAll(async () => {
  door = await openDoor({}, { schema });
});
afterAll(() => door.close());

const shown =
  '{"name":"Everything","features":[{"type":"seats","places":"three"},{"type":"flag","isOn":true,"note":"new"}]}';

test('fields declared as absent instead of null are omitted in every item and variant', async () => {
  expect((await door.ask('GET', '/bundle')).text).toBe(shown);
});

test('a list without pages returns all rows in the list envelope, with headers', async () => {
  const reply = await door.ask('GET', '/bundles');
  expect(reply.text).toBe(`{"object":"list","data":[${shown},${shown}],"hasMore":false}`);
  expect(reply.headers.get('ratelimit-limit')).toBe('600');
});

test('a nullable field returns null in JSON over REST', async () => {
  const reply = await door.ask('GET', '/no-bundle');
  expect([reply.status, reply.text]).toEqual([200, 'null']);
});

test("an unexpected error isn't revealed to the REST caller", async () => {
  const reply = await door.ask('GET', '/failing');
  expect(reply.status).toBe(500);
  expect(reply.body).toEqual(
    envelope(
      'internal_error',
      'internal_error',
      'Something went wrong on our end. Try again, and contact support if the problem continues.',
    ),
  );
});

test('a free-form map is returned as the whole REST response', async () => {
  expect((await door.ask('PUT', '/counts/a', { body: { x: 1, id: 2 } })).body).toEqual({
    id: 'a',
    total: '{"x":1,"id":2}',
  });
  expect((await door.ask('PUT', '/counts/a', { body: { x: -1 } })).body).toEqual(
    invalid(['counts', "must map names to non-negative whole numbers. x isn't valid"]),
  );
  expect((await door.ask('PUT', '/counts/a')).body).toEqual(invalid(['counts', 'is required']));
});

test('a rejected request with an idempotency key keeps committed changes and rolls back all others', async () => {
  const seq = async () =>
    (
      await door.sandbox.sql<{ seq: bigint }>(
        'SELECT seq FROM "EnvironmentCounter" WHERE "environmentId" = $1',
      )
    )[0]?.seq;
  const rejected = envelope('billing_error', 'charge_failed', 'The card was declined.', {
    details: { declineCode: 'generic_decline' },
  });
  const before = (await seq()) ?? 0n;
  const inside = await door.ask('POST', '/refusals/inside', { headers: { 'Idempotency-Key': 'inside' } });
  expect([inside.status, inside.body]).toEqual([402, rejected]);
  expect(await seq()).toBe(before);
  const after = await door.ask('POST', '/refusals/after', { headers: { 'Idempotency-Key': 'after' } });
  expect([after.status, after.body]).toEqual([402, rejected]);
  expect(await seq()).toBe(before + 1n);
  const again = await door.ask('POST', '/refusals/after', { headers: { 'Idempotency-Key': 'after' } });
  expect(again.text).toBe(after.text);
  expect(await seq()).toBe(before + 1n);
});
