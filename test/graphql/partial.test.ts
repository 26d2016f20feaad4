import { GraphQLNonNull, isNonNullType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNullOnlyOnError } from '../../src/graphql/declare/nullability.ts';
import { schema } from '../../src/schema.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Operations with several fields, one of which fails.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Told = { readonly path?: readonly (string | number)[]; readonly code: unknown };

/** Returns a failed operation's status, data, and errors (path and code). */
async function told(query: string, key?: string | null) {
  const { status, data, errors } = await t.graphqlFailure(query, {}, key === undefined ? {} : { key });
  return {
    status,
    data,
    errors: errors.map(({ path, extensions }): Told => ({ ...(path && { path }), code: extensions['code'] })),
  };
}

const uncancel = 'a: subscriptionUncancel(input: { id: "nobody" }) { id }';
const create = (email: string): string => `b: customerCreate(input: { email: "${email}" }) { id email }`;
const refused: Told = { path: ['a'], code: 'subscription_not_found' };

describe('a mutation with several fields', () => {
  test.each([
    ['before', 'one@shop.test', `mutation { ${create('one@shop.test')} ${uncancel} }`],
    ['after', 'two@shop.test', `mutation { ${uncancel} ${create('two@shop.test')} }`],
  ])('commits and returns a field %s a failed field', async (_order, email, mutation) => {
    const { status, data, errors } = await told(mutation);
    const { a, b } = data as { a: null; b: { id: string; email: string } };
    expect({ status, a, email: b.email, errors }).toEqual({ status: 200, a: null, email, errors: [refused] });
    const { customer } = await t.graphql('query ($id: ID!) { customer(id: $id) { email } }', {
      id: b.id,
    });
    expect(customer).toEqual({ email });
  });

  test('returns an error if its only field fails', async () => {
    expect(await told(`mutation { ${uncancel} }`)).toEqual({
      status: 200,
      data: { a: null },
      errors: [refused],
    });
  });
});

describe('a query in which a field fails', () => {
  test('returns the other fields along with an error for a missing row', async () => {
    expect(
      await told('{ customer(id: "nobody") { id } subscriptions(first: 1) { edges { cursor } } }'),
    ).toEqual({
      status: 200,
      data: { customer: null, subscriptions: { edges: [] } },
      errors: [{ path: ['customer'], code: 'customer_not_found' }],
    });
  });

  test('returns the other fields along with an error for a field that requires a signed-in member', async () => {
    expect(await told('{ organization { name } payoutVerification { status } }')).toEqual({
      status: 200,
      data: { organization: { name: 'Test organization' }, payoutVerification: null },
      errors: [{ path: ['payoutVerification'], code: 'unauthorized' }],
    });
  });

  test('returns status 401 if no field can be read', async () => {
    expect(await told('{ organization { name } payoutVerification { status } }', null)).toEqual({
      status: 401,
      data: { organization: null, payoutVerification: null },
      errors: [
        { path: ['organization'], code: 'unauthorized' },
        { path: ['payoutVerification'], code: 'unauthorized' },
      ],
    });
  });
});

test("the schema declares each root field as nullable, and whether it's null only because of an error", () => {
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {}),
  );
  expect(roots.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
  const nullable = roots.filter((field) => !isNullOnlyOnError(field));
  expect(nullable.map(({ name }) => name)).toEqual([
    'node',
    'portalLogin',
    'retentionOffer',
    'subscriptionActive',
    'retentionOfferSet',
  ]);
  expect(roots.length).toBeGreaterThan(200);
  expect(schema.getDirective('semanticNonNull')?.args[0]?.type).toBeInstanceOf(GraphQLNonNull);
});
