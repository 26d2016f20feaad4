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
import type { Context } from '../context.ts';
import { errorDetails, QuittanceError } from '../domain/errors.ts';
import { storedSerializers } from '../graphql/enum-spelling.ts';
import { clientError, errorContextOf } from '../graphql/errors.ts';
import { compileOperation } from '../graphql/jit.ts';
import { rootResultOf } from '../graphql/rest.ts';
import { type Answer, failure } from './answer.ts';
import { type Route, wireName } from './routes.ts';

/** Runs a route's field with the variables in the context and answers status and body; never throws for what the field rejects. */
export type Operation = (ctx: Context, variables: Record<string, unknown>) => Promise<Answer>;

/** What the view selects, wrapped as the field holds it. */
export function selection({ shape, view }: Route): string {
  return shape === 'page'
    ? `{ edges { node { ${view.fields} } } pageInfo { hasNextPage endCursor } }`
    : `{ ${view.fields} }`;
}

/** The operation document of a route. Throws when its view asks for something that does not exist, which a test rules out for every route. */
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

/** Leaves out the members at a path where they are null, from the name at `index` on; lists on the way are walked. */
function omitNull(value: unknown, path: readonly string[], index = 0): void {
  const name = path[index];
  if (typeof value !== 'object' || value === null || name === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) omitNull(item, path, index);
    return;
  }
  const holder = value as Record<string, unknown>;
  if (index + 1 < path.length) omitNull(holder[name], path, index + 1);
  // JSON leaves out what is undefined; an object loses its quick form when a member is deleted.
  else if (holder[name] === null) holder[name] = undefined;
}

type PageData = {
  readonly edges: readonly { readonly node: unknown }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

const absents = new WeakMap<Route, readonly (readonly string[])[]>();

/** The paths of the members a route leaves out where they are null. */
const absentPaths = (route: Route): readonly (readonly string[])[] =>
  absents.getOrInsertComputed(route, ({ view }) => view.absentWhenNull.map((path) => path.split('.')));

/** What REST answers for the field's data: the object, or the list envelope, with absent-when-null members left out. */
function shaped(route: Route, absent: readonly (readonly string[])[], data: unknown): unknown {
  const { shape } = route;
  const items = shape === 'page' ? (data as PageData).edges.map((edge) => edge.node) : data;
  for (const path of absent) omitNull(items, path);
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

/** A rejection in the words of REST: page arguments are called `limit` and `cursor` there, members of filters go without it, others as their route says. */
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
  // The declaration beside the field gives the function the field's own result.
  return typeof status === 'number' ? status : (status as (result: unknown) => number)(rootResultOf(ctx));
}

/** The answer of a route to what its field resolved to; a list or an object, null where the field is. */
export function answerTo(route: Route, ctx: Context, value: unknown): Answer {
  const absent = absentPaths(route);
  return {
    status: statusOf(route, ctx),
    body: JSON.stringify(value === null ? null : shaped(route, absent, value)),
  };
}

/** The answer of a route to what its field failed with. */
export const failureOf = (route: Route, ctx: Context, error: unknown): Answer =>
  failure(
    clientError(inWireNames(route, error), errorContextOf(ctx)),
    (error instanceof GraphQLError ? error.originalError : undefined) ?? error,
  );

/** Makes the operation of a route. The document is made, checked and compiled on first use. */
export function operationOf(schema: GraphQLSchema, route: Route): Operation {
  let run: Run | null = null;
  return async (ctx, variables) => {
    run ??= compile(schema, route, documentOf(schema, route));
    const { data, errors } = await run(ctx, variables);
    const [error] = errors ?? [];
    return error === undefined
      ? answerTo(route, ctx, data?.[route.field.name] ?? null)
      : failureOf(route, ctx, error);
  };
}

/** The codes any call of the route can be answered with, its own ones included, in the order of the code table. */
export function codesOf(route: Route): string[] {
  const codes = ['unauthorized', 'forbidden', 'rate_limited', 'internal_error', ...(route.rest.errors ?? [])];
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

/** HTTP status of a code of `codesOf`. */
export const statusOfCode = (code: string): number =>
  errorDetails(code as Parameters<typeof errorDetails>[0]).status;
