import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  parse,
  print,
  validate,
} from 'graphql';
import { isCompiledQuery } from 'graphql-jit';
import { errorDetails, QuittanceError } from '../domain/errors/errors.ts';
import { storedSerializers } from '../graphql/declare/enum-spelling.ts';
import { clientError, errorContextOf } from '../graphql/declare/errors.ts';
import { errorsOf } from '../graphql/declare/field-errors.ts';
import { markDocumented } from '../graphql/declare/reach.ts';
import { admitResponse } from '../graphql/declare/response-limit.ts';
import { rootResultOf } from '../graphql/declare/rest.ts';
import { compileOperation } from '../graphql/execute/jit.ts';
import type { Context } from '../request/context.ts';
import { type Answer, failure } from './answer.ts';
import { type Route, wireName } from './routes.ts';

/** Executes a route's GraphQL field. Field errors become error responses. */
export type Operation = (ctx: Context, variables: Record<string, unknown>) => Promise<Answer>;

/** Returns the GraphQL selection for a route. For a page of results, the selection includes pagination fields. */
export function selection({ shape, view }: Route): string {
  return shape === 'page'
    ? `{ edges { node { ${view.fields} } } pageInfo { hasNextPage endCursor } }`
    : `{ ${view.fields} }`;
}

/** Returns the GraphQL operation for a route. Throws if the route's view selects an unknown field; a test checks all routes. */
export function documentOf(schema: GraphQLSchema, route: Route): DocumentNode {
  const { field } = route;
  const variables = field.args.map((argument) => `$${argument.name}: ${argument.type}`);
  const provided = field.args.map((argument) => `${argument.name}: $${argument.name}`);
  const list = (parts: readonly string[]) => (parts.length === 0 ? '' : `(${parts.join(', ')})`);
  const document = parse(
    `${route.kind} ${field.name}${list(variables)} { ${field.name}${list(provided)} ${selection(route)} }`,
  );
  const [problem] = validate(schema, document);
  if (problem !== undefined) {
    throw new Error(
      `${route.method} ${route.path} cannot be offered: ${problem.message} In: ${print(document)}`,
    );
  }
  markDocumented(document);
  return document;
}

type Run = (ctx: Context, variables: Record<string, unknown>) => ExecutionResult | Promise<ExecutionResult>;

function compile(schema: GraphQLSchema, route: Route, document: DocumentNode): Run {
  const compiled = compileOperation(schema, document, route.field.name, {
    customSerializers: storedSerializers(schema),
  });
  if (!isCompiledQuery(compiled))
    throw new Error(`${route.method} ${route.path} cannot be compiled.`, { cause: compiled.errors?.[0] });
  return (ctx, variables) => compiled.query(undefined, ctx, variables);
}

/** Omits a field if it is `null` or `false`. `path` can contain lists, and `index` is the current position in the path. */
function omitUnset(value: unknown, path: readonly string[], index = 0): void {
  const name = path[index];
  if (typeof value !== 'object' || value === null || name === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) omitUnset(item, path, index);
    return;
  }
  const holder = value as Record<string, unknown>;
  if (index + 1 < path.length) omitUnset(holder[name], path, index + 1);
  // Undefined properties aren't serialized. Deleting the property would slow down access to the object.
  else if (holder[name] === null || holder[name] === false) holder[name] = undefined;
}

type PageData = {
  readonly edges: readonly { readonly node: unknown }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

const absents = new WeakMap<Route, readonly (readonly string[])[]>();

/** Returns the paths of fields to omit if they are `null` or `false`. */
const absentPaths = (route: Route): readonly (readonly string[])[] =>
  absents.getOrInsertComputed(route, ({ view }) => view.absentWhenUnset.map((path) => path.split('.')));

/** Replaces a field of an object with the members of the field. */
function spreadOut(item: unknown, name: string): unknown {
  const { [name]: members, ...others } = item as Readonly<Record<string, unknown>>;
  return { ...(members as object), ...others };
}

/** Converts the field's result to its REST form: an object, or a list envelope. */
function shaped(route: Route, absent: readonly (readonly string[])[], data: unknown): unknown {
  const { shape } = route;
  const { spread } = route.view;
  const found = shape === 'page' ? (data as PageData).edges.map((edge) => edge.node) : data;
  const items =
    spread !== null && Array.isArray(found) ? found.map((item) => spreadOut(item, spread)) : found;
  for (const path of absent) omitUnset(items, path);
  if (shape === 'object') return items;
  if (shape === 'list') return { object: 'list', data: items, hasMore: false };
  const { hasNextPage, endCursor } = (data as PageData).pageInfo;
  return {
    object: 'list',
    data: items,
    hasMore: hasNextPage,
    ...(hasNextPage ? { nextCursor: endCursor } : {}),
  };
}

/** Converts the parameter names in an error to REST names. */
function inWireNames(route: Route, error: unknown): unknown {
  const own = error instanceof GraphQLError ? error.originalError : error;
  if (!(own instanceof QuittanceError) || own.param === undefined) return error;
  const param = wireName(route, own.param);
  if (param === own.param) return error;
  const details = Array.isArray(own.details)
    ? own.details.map((issue: { field: string }) => ({ ...issue, field: wireName(route, issue.field) }))
    : own.details;
  const message = own.message.replace(`${own.param}: `, `${param}: `);
  return new QuittanceError({ code: own.code, message, param, details });
}

function statusOf(route: Route, ctx: Context): number {
  const { status = 200 } = route.rest;
  // The function's parameter has the result type of the route's field.
  return typeof status === 'number' ? status : (status as (result: unknown) => number)(rootResultOf(ctx));
}

/** Returns the success response for the value of the route's field. */
export function answerTo(route: Route, ctx: Context, value: unknown): Answer {
  const absent = absentPaths(route);
  const body = value === null ? null : shaped(route, absent, value);
  return { status: statusOf(route, ctx), body: JSON.stringify(body) };
}

/** Returns the error response for an error in the route's field. */
export const failureOf = (route: Route, ctx: Context, error: unknown): Answer =>
  failure(
    clientError(inWireNames(route, error), errorContextOf(ctx)),
    (error instanceof GraphQLError ? error.originalError : undefined) ?? error,
  );

/** Creates the operation for a route. Its document is compiled on first use. */
export function operationOf(schema: GraphQLSchema, route: Route): Operation {
  let run: Run | null = null;
  return async (ctx, variables) => {
    run ??= compile(schema, route, documentOf(schema, route));
    const { data, errors } = await run(ctx, variables);
    const [error] = errors ?? [];
    if (error !== undefined) return failureOf(route, ctx, error);
    const value = data?.[route.field.name] ?? null;
    try {
      const admitting = admitResponse(ctx, value);
      if (admitting !== undefined) await admitting;
    } catch (rejection) {
      return failureOf(route, ctx, rejection);
    }
    return answerTo(route, ctx, value);
  };
}

/** Returns all error codes that a route can return, in the order of the error table. */
export function codesOf(route: Route): string[] {
  const codes = [
    'unauthorized',
    'forbidden',
    'rate_limited',
    'response_too_large',
    'quota_exceeded',
    'internal_error',
    ...errorsOf(route.field),
  ];
  if (route.inputs.length > 0) codes.push('validation_error');
  if (route.isIdempotent) {
    codes.push(
      'validation_error',
      'invalid_json',
      'idempotency_in_progress',
      'idempotency_key_mismatch',
      'idempotency_unavailable',
    );
  }
  if ('environment' in route.access) codes.push('sandbox_only');
  return [...new Set(codes)];
}

/** Returns the HTTP status for an error code. */
export const statusOfCode = (code: string): number =>
  errorDetails(code as Parameters<typeof errorDetails>[0]).status;
