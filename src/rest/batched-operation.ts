import {
  type ExecutionResult,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  parse,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { PreparedUsage } from '../engine/usage/operation.ts';
import { storedSerializers } from '../graphql/declare/enum-spelling.ts';
import type { BatchedWork } from '../idempotency/batched.ts';
import type { Context } from '../request/context.ts';
import { answerTo, documentOf, failureOf, selection } from './operation.ts';
import type { Route } from './routes.ts';

// Operation for a route that records usage. Runs in two steps. Before the batch, converts the variables to usage
// records. After the batch, renders the outcome as the response without reading the database.

type Prepare = (args: object, schema: GraphQLSchema) => PreparedUsage<unknown>;
type Run = (root: unknown, ctx: Context, variables: Record<string, unknown>) => ExecutionResult;

const Prepared = new GraphQLScalarType({ name: 'Prepared', serialize: (value) => value });

/** Returns a schema with one query field for each of the two steps. */
function halvesOf(schema: GraphQLSchema, { field }: Route): GraphQLSchema {
  const { prepare } = field.extensions as { readonly prepare?: Prepare };
  const declared = schema.getMutationType()?.toConfig().fields[field.name];
  if (prepare === undefined || declared === undefined) throw new Error(`${field.name} cannot be prepared.`);
  const { mutation: _mutation, subscription: _subscription, query: _query, ...config } = schema.toConfig();
  return new GraphQLSchema({
    ...config,
    query: new GraphQLObjectType({
      name: 'Halves',
      fields: {
        prepared: {
          type: new GraphQLNonNull(Prepared),
          args: declared.args ?? {},
          // `variablesOf` has checked the rules of the arguments.
          resolve: (_root, args: object) => prepare(args, schema),
        },
        rendered: { type: field.type, resolve: (result: unknown) => result },
      },
    }),
  });
}

function compile(schema: GraphQLSchema, text: string): Run {
  const compiled = compileQuery(schema, parse(text), undefined, {
    customSerializers: storedSerializers(schema),
  });
  if (!isCompiledQuery(compiled))
    throw new Error(`${text} cannot be compiled.`, { cause: compiled.errors?.[0] });
  return (...provided) => {
    const result = compiled.query(...provided);
    if (result instanceof Promise)
      throw new Error('A batched operation reads nothing while it is prepared or rendered.');
    return result;
  };
}

function compileHalves(schema: GraphQLSchema, route: Route): { readonly prepare: Run; readonly render: Run } {
  documentOf(schema, route);
  const halves = halvesOf(schema, route);
  const { args } = route.field;
  const variables = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const values = args.map(({ name }) => `${name}: $${name}`).join(', ');
  return {
    prepare: compile(halves, `query (${variables}) { prepared(${values}) }`),
    render: compile(halves, `{ rendered ${selection(route)} }`),
  };
}

/** Converts request variables to the usage to record. Invalid variables result in an error response, and nothing is recorded. */
export type BatchedOperation = (ctx: Context, variables: Record<string, unknown>) => BatchedWork;

/** Creates the usage operation for a route. Its documents are compiled on first use. */
export function batchedOperationOf(schema: GraphQLSchema, route: Route): BatchedOperation {
  let halves: ReturnType<typeof compileHalves> | null = null;
  return (ctx, variables) => {
    halves ??= compileHalves(schema, route);
    const { prepare, render } = halves;
    const { data, errors: [problem] = [] } = prepare(undefined, ctx, variables);
    // The cast is safe because the scalar `Prepared` returns the resolver's value unchanged.
    const prepared = data?.['prepared'] as PreparedUsage<unknown> | null | undefined;
    if (problem !== undefined || prepared == null)
      return { requests: [], answerOf: () => failureOf(route, ctx, problem) };
    const { requests, resultOf } = prepared;
    return {
      requests,
      answerOf: (outcome) => {
        try {
          const { data: rendered, errors: [error] = [] } = render(resultOf(outcome), ctx, {});
          return error === undefined
            ? answerTo(route, ctx, rendered?.['rendered'])
            : failureOf(route, ctx, error);
        } catch (error) {
          return failureOf(route, ctx, error);
        }
      },
    };
  };
}
