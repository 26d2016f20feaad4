import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { routes } from '../support/queries.ts';

// Every input for metadata accepts at most 50 keys and 64 KiB (PLT-20b).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const stored = () => t.app.database.query('SELECT id, metadata FROM "Customer" ORDER BY id');

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));

/** Returns exactly `bytes` bytes of metadata: 10 bytes for {"pad":"…"}, and two bytes per é. */
const ofBytes = (bytes: number) => ({ pad: `${'é'.repeat((bytes - 10) / 2)}` });

const accepted = [keys(50), ofBytes(65_536)];
const rejected: readonly (readonly [object, string])[] = [
  [keys(51), 'must have at most 50 keys'],
  [ofBytes(65_538), "can't exceed 64 KiB as JSON"],
];

test('metadata with 50 keys and 65,536 bytes is accepted over REST and GraphQL', async () => {
  for (const [index, metadata] of accepted.entries()) {
    const overRest = await t.rest<unknown>('POST', '/customers', {
      email: `rest${index}@a.example`,
      metadata,
    });
    expect({ index, status: overRest.status }).toEqual({ index, status: 201 });
    const made = await t.graphql<{ customerCreate: { metadata: object } }>(
      'mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { metadata } }',
      { input: { email: `graphql${index}@a.example`, metadata } },
    );
    expect(JSON.stringify(made.customerCreate.metadata)).toHaveLength(JSON.stringify(metadata).length);
  }
});

describe('metadata above the limit', () => {
  const withMetadata = routes.filter(({ inputs }) =>
    inputs.some(({ name, definition }) => name === 'metadata' && holdsFreeForm(definition.type)),
  );

  test('is rejected on every route that accepts metadata', async () => {
    expect(withMetadata.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'PATCH /customers/{id}',
      'PATCH /customers/{id}/budgets/{key}',
      'PATCH /markets/{id}',
      'PATCH /offers/{id}',
      'PATCH /plans/{id}',
      'PATCH /plans/{id}/prices/{priceId}',
      'POST /customers',
      'POST /customers/{id}/budgets',
      'POST /customers/{id}/invoices',
      'POST /invoices',
      'POST /markets',
      'POST /offers',
      'POST /payments',
      'POST /payments/charge',
      'POST /plans',
      'POST /plans/{id}/prices',
    ]);
    const before = JSON.stringify(await stored());
    for (const { method, path } of withMetadata) {
      for (const [metadata, message] of rejected) {
        const answer = await t.rest<{
          error: { code: string; details: { field: string; message: string }[] };
        }>(method, path.replaceAll(/\{\w+\}/g, 'unknown'), { metadata });
        expect({ path, status: answer.status, code: answer.body.error.code }).toEqual({
          path,
          status: 400,
          code: 'validation_error',
        });
        expect(JSON.stringify(answer.body).slice(0, 2_000)).toContain(message);
      }
    }
    expect(JSON.stringify(await stored())).toBe(before);
  });

  test('is rejected over GraphQL, as a variable and as a literal', async () => {
    const before = JSON.stringify(await stored());
    for (const [metadata, message] of rejected) {
      const { status, errors } = await t.graphqlFailure(
        'mutation ($metadata: Json) { customerCreate(input: { email: "a@b.example", metadata: $metadata }) { id } }',
        { metadata },
      );
      expect({ status, details: errors[0]?.extensions['details'] }).toEqual({
        status: 400,
        details: [{ field: 'metadata', message }],
      });
    }
    const literal = Object.keys(keys(51)).map((key) => `${key}: 1`);
    const { errors } = await t.graphqlFailure(
      `mutation { customerCreate(input: { email: "a@b.example", metadata: { ${literal.join(' ')} } }) { id } }`,
    );
    expect(errors[0]?.extensions['details']).toEqual([
      { field: 'metadata', message: 'must have at most 50 keys' },
    ]);
    expect(JSON.stringify(await stored())).toBe(before);
  });

  test('is rejected in a single item of a batch', async () => {
    const before = JSON.stringify(await stored());
    const { status } = await t.rest('POST', '/customers/batch', {
      customers: [{ email: 'a@b.example' }, { email: 'c@d.example', metadata: keys(51) }],
    });
    expect(status).toBe(400);
    expect(JSON.stringify(await stored())).toBe(before);
  });
});

test('the schema declares every input named metadata as a free-form object, so no other type bypasses the limits', () => {
  const others = Object.values(schema.getTypeMap()).flatMap((type) =>
    isInputObjectType(type)
      ? Object.values(type.getFields()).filter(
          ({ name, type: input }) => name === 'metadata' && !holdsFreeForm(input) && !isFilter(input),
        )
      : [],
  );
  expect(others.map(({ name }) => name)).toEqual([]);
});

/** Returns true if the input selects customers by one key and value of their metadata. */
const isFilter = (type: GraphQLInputType): boolean => getNamedType(type).name === 'ApiKeyPolicyMetadataInput';

function holdsFreeForm(type: GraphQLInputType): boolean {
  return ['Json', 'TextMap'].includes(getNamedType(type).name);
}
