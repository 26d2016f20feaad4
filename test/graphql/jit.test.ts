import { GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, parse } from 'graphql';
import { isCompiledQuery } from 'graphql-jit';
import { expect, it } from 'vitest';
import { compileOperation } from '../../src/graphql/execute/jit.ts';
import { survivors } from '../support/garbage-collection.ts';

type Requested = { readonly steps: string[] };

const step = {
  type: GraphQLInt,
  args: { by: { type: new GraphQLNonNull(GraphQLInt) } },
  resolve: async (_root: unknown, { by }: { by: number }, { steps }: Requested) => {
    steps.push(`begins ${by}`);
    await Promise.resolve();
    steps.push(`ends ${by}`);
    return by;
  },
};
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { nothing: { type: GraphQLInt } } }),
  mutation: new GraphQLObjectType({ name: 'Mutation', fields: { step } }),
});

async function run(
  text: string,
  variables: Record<string, unknown> = {},
): Promise<{ data: unknown; errors: string[] | undefined; steps: string[]; requested: Requested }> {
  const compiled = compileOperation(schema, parse(text));
  if (!isCompiledQuery(compiled)) throw new Error('It cannot be compiled.');
  const requested: Requested = { steps: [] };
  const { data, errors } = await compiled.query(undefined, requested, variables);
  return { data, errors: errors?.map(({ message }) => message), steps: requested.steps, requested };
}

it("a mutation with one field returns the field's result under its alias", async () => {
  const { data, steps } = await run('mutation ($by: Int!) { only: step(by: $by) }', { by: 7 });
  expect(data).toEqual({ only: 7 });
  expect(steps).toEqual(['begins 7', 'ends 7']);
});

it.each([
  ['the default', {}, [3]],
  ['the given value', { by: 7 }, [7]],
])('a required variable with a default has %s', async (_title, variables, [by]) => {
  const text = 'mutation ($by: Int! = 3) { step(by: $by) }';
  expect(await run(text, variables)).toMatchObject({ data: { step: by }, errors: undefined });
});

it('a required variable with a default rejects null', async () => {
  const { data, errors, steps } = await run('mutation ($by: Int! = 3) { step(by: $by) }', { by: null });
  expect({ data, errors, steps }).toEqual({
    data: undefined,
    errors: ['Variable "$by" of non-null type "Int!" must not be null.'],
    steps: [],
  });
});

it('several fields of a mutation run one after another, even inside a fragment', async () => {
  const inTurn = ['begins 1', 'ends 1', 'begins 2', 'ends 2'];
  expect((await run('mutation { a: step(by: 1) b: step(by: 2) }')).steps).toEqual(inTurn);
  expect(
    (await run('mutation { ...both } fragment both on Mutation { a: step(by: 1) b: step(by: 2) }')).steps,
  ).toEqual(inTurn);
});

it('the context of a mutation with one field is released by the first minor garbage collection', async () => {
  const compiled = compileOperation(schema, parse('mutation { step(by: 1) }'));
  if (!isCompiledQuery(compiled)) throw new Error('It cannot be compiled.');
  const kept = await survivors(async () => {
    const requested: Requested = { steps: [] };
    await compiled.query(undefined, requested, {});
    return requested;
  });
  expect(kept).toBe(0);
});
