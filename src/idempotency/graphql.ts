import {
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  print,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { validationError } from '../domain/errors/errors.ts';
import type { PreparedUsage } from '../engine/usage/operation.ts';
import { type Access, authorize, policyOf, type WithinPolicy } from '../graphql/declare/access.ts';
import { errorContextOf, graphqlError } from '../graphql/declare/errors.ts';
import { dryRunHeader, type Handed } from '../graphql/declare/request-parts.ts';
import { DecidedRoot, type RestRoute } from '../graphql/declare/rest.ts';
import { checkArguments } from '../graphql/input/rules-plugin.ts';
import { fingerprintOf } from '../platform/idempotency.ts';
import { addressName, type RateLimits } from '../platform/rate-limit.ts';
import { takeRequests } from '../request/admission.ts';
import { type Caller, type Context, RequestContext } from '../request/context.ts';
import type { Answer } from './answer.ts';
import { answerOnce } from './answer-once.ts';
import { answerInBatch, recordThenAnswer } from './batched.ts';
import { dryRun, dryRunUsage } from './dry-run.ts';
import { credentialOf, idempotencyKeyOf, type KeyUse, keyScopeOf, requiredKeyOf } from './key.ts';

type Execute = (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult;

type OnlyField = { readonly node: FieldNode; readonly operation: OperationDefinitionNode };

/**
 * Returns the field of a mutation with a single field. `null` if the operation isn't a mutation. Throws `validation_error` if the mutation
 * has several fields, because an idempotency key or a dry run applies to only one field.
 */
function onlyField(args: ExecutionArgs, header = 'Idempotency-Key'): OnlyField | null {
  const operation = getOperationAST(args.document, args.operationName);
  if (operation?.operation !== OperationTypeNode.MUTATION) return null;
  const [field, ...others] = operation.selectionSet.selections;
  if (field?.kind === Kind.FIELD && others.length === 0) return { node: field, operation };
  throw validationError([
    {
      field: header,
      message: `Requests with the header ${header} must contain exactly one mutation field.`,
    },
  ]);
}

/** Executes the operation and serializes its result. The first error determines the HTTP status. */
async function executed(ctx: Context, args: ExecutionArgs, execute: Execute): Promise<Answer> {
  const result = await execute({ ...args, contextValue: ctx });
  const [error] = result.errors ?? [];
  if (error === undefined) return { status: 200, body: JSON.stringify(result) };
  const errors = (result.errors ?? []).map((failed) => graphqlError(failed, errorContextOf(ctx)));
  const status = Number(errors[0]?.extensions['status']);
  return { status, body: JSON.stringify({ ...result, errors }), cause: error.originalError ?? error };
}

type WrittenError = { message: string; path?: (string | number)[]; extensions: Record<string, unknown> };
type Written = { data?: Record<string, unknown> | null; errors?: WrittenError[] };

/** Parses a stored result. The first response is parsed too, so that it's identical to its replays. */
function readResult(body: string): ExecutionResult {
  const { errors, ...rest } = JSON.parse(body) as Written;
  if (errors === undefined) return rest;
  return {
    ...rest,
    errors: errors.map(
      ({ message, path, extensions }) => new GraphQLError(message, { path: path ?? null, extensions }),
    ),
  };
}

/**
 * Returns the key in stored form. Keys for hosted pages include the subject of the page token. The line break prevents collisions with keys
 * for API keys.
 */
const scopedKeyOf = (caller: Caller, key: string): string =>
  caller.kind === 'page' ? `${caller.page} ${caller.subjectId}\n${key}` : key;

type Prepare = (args: object, schema: GraphQLSchema) => PreparedUsage<unknown>;

/** Validates the arguments and returns the usage to record. Throws `validation_error`. */
function preparedOf(
  { args, extensions }: GraphQLField<unknown, unknown>,
  values: object,
  schema: GraphQLSchema,
): PreparedUsage<unknown> {
  const { prepare } = extensions as { readonly prepare?: Prepare };
  if (prepare === undefined) throw new Error('A batched field says what it records.');
  checkArguments(args, values);
  return prepare(values, schema);
}

/**
 * Records usage under a key and executes the mutation's selection after the commit. If the arguments are invalid, nothing is recorded and
 * the response contains the error.
 */
async function recordedOnce(
  ctx: RequestContext,
  use: KeyUse,
  within: WithinPolicy | null,
  args: ExecutionArgs,
  execute: Execute,
  prepare: () => PreparedUsage<unknown>,
): Promise<Answer> {
  let prepared: PreparedUsage<unknown>;
  try {
    prepared = prepare();
  } catch (error) {
    const rootValue = new DecidedRoot(() => {
      throw error;
    });
    const answer = await executed(ctx, { ...args, rootValue }, execute);
    return answerInBatch(ctx, use, within, { requests: [], answerOf: () => answer });
  }
  const { requests, resultOf } = prepared;
  return recordThenAnswer(ctx, use, within, requests, (outcome) =>
    executed(ctx, { ...args, rootValue: new DecidedRoot(() => resultOf(outcome)) }, execute),
  );
}

/** Parts of the HTTP request that the execution of an operation needs. */
type Door = { readonly headers: Headers; readonly remoteAddress: string; readonly limits: RateLimits };

async function executeOnce(
  ctx: RequestContext,
  args: ExecutionArgs,
  execute: Execute,
  door: Door,
): Promise<ExecutionResult> {
  const { headers, remoteAddress, limits } = door;
  const key = idempotencyKeyOf(headers);
  if (key === null) return execute(args);
  const only = onlyField(args);
  const field = only === null ? undefined : args.schema.getMutationType()?.getFields()[only.node.name.value];
  if (only === null || field === undefined) return execute(args);
  const variables = getVariableValues(
    args.schema,
    only.operation.variableDefinitions ?? [],
    args.variableValues ?? {},
  );
  // Invalid variables aren't reported here, because the executor reports them.
  if (variables.coerced === undefined) return execute(args);
  const { access, rest } = field.extensions as { access?: Access; rest?: RestRoute };
  if (access === undefined) return execute(args);
  // If the arguments contain a page token, the token determines the key's environment.
  const values = getArgumentValues(field, only.node, variables.coerced);
  await authorize(access, values, ctx);
  const scope = keyScopeOf(ctx, access, field.name);
  if (scope === null) return execute(args);
  const isOpen = 'operation' in scope;
  if (isOpen) await takeRequests(limits, addressName(remoteAddress), 'provisioning');
  const content = {
    document: print(args.document),
    operationName: args.operationName ?? null,
    variables: args.variableValues ?? {},
  };
  const use: KeyUse = {
    scope,
    key: isOpen ? requiredKeyOf(headers) : scopedKeyOf(ctx.caller, key),
    fingerprint: fingerprintOf({
      credential: credentialOf(ctx.caller),
      method: 'POST',
      path: '/graphql',
      body: content,
    }),
    // Responses to hosted pages can contain secrets that confirm a payment.
    isSecret: rest?.secret === true || ctx.caller.kind === 'page',
    strategy: rest?.idempotency ?? 'in-transaction',
  };
  const answer =
    use.strategy === 'batched'
      ? await recordedOnce(ctx, use, policyOf(ctx, 'mutation', field, values), args, execute, () =>
          preparedOf(field, values, args.schema),
        )
      : await answerOnce(ctx, use, (inner) => executed(inner, args, execute));
  return readResult(answer.body);
}

/** Result of a dry run. `dryRun` contains the effects of a successful mutation. */
type DryResult = Written & { readonly dryRun?: unknown };

/** Runs a mutation with a single field without its effects. The effects are in the extensions of the result. */
async function executeDry(
  ctx: RequestContext,
  args: ExecutionArgs,
  execute: Execute,
): Promise<ExecutionResult> {
  const only = onlyField(args, dryRunHeader);
  const field = only === null ? undefined : args.schema.getMutationType()?.getFields()[only.node.name.value];
  if (only === null || field === undefined) return execute(args);
  const variables = getVariableValues(
    args.schema,
    only.operation.variableDefinitions ?? [],
    args.variableValues ?? {},
  );
  const { access, rest } = field.extensions as { access?: Access; rest?: RestRoute };
  // Invalid variables aren't reported here, because the executor reports them.
  if (variables.coerced === undefined || access === undefined) return execute(args);
  const values = getArgumentValues(field, only.node, variables.coerced);
  await authorize(access, values, ctx);
  const answer =
    rest?.idempotency === 'batched'
      ? await predictDry(ctx, policyOf(ctx, 'mutation', field, values), args, execute, () =>
          preparedOf(field, values, args.schema),
        )
      : await dryRun(ctx, { rest, access }, (inner) => executed(inner, args, execute));
  const { dryRun: effects, ...result } = JSON.parse(answer.body) as DryResult;
  const read = readResult(JSON.stringify(result));
  return effects === undefined ? read : { data: null, ...read, extensions: { dryRun: effects } };
}

/** Predicts usage, and executes the mutation's selection with the outcome. */
async function predictDry(
  ctx: RequestContext,
  within: WithinPolicy | null,
  args: ExecutionArgs,
  execute: Execute,
  prepare: () => PreparedUsage<unknown>,
): Promise<Answer> {
  const { requests, resultOf } = prepare();
  return dryRunUsage(ctx, within, {
    requests,
    answerOf: (outcome) =>
      executed(ctx, { ...args, rootValue: new DecidedRoot(() => resultOf(outcome)) }, execute),
  });
}

/** Yoga's context of an operation. Only operations over HTTP have a `Request`. */
type Coalesced = Partial<Handed> & { readonly request?: Request };

/**
 * Yoga plugin that supports `Idempotency-Key` and dry runs for mutations over HTTP, with the same behavior as REST. Queries ignore the headers. Must
 * precede the plugin that provides the resolver context, because this plugin replaces that context with a transaction context. Public
 * operations that require a key are limited per IP address.
 */
export const idempotentMutations = (limits: RateLimits): Plugin => ({
  onExecute: ({ args, executeFn, setExecuteFn }) => {
    const { request, remoteAddress = '' } = args.contextValue as Coalesced;
    const isDryRun = request?.headers.get(dryRunHeader) === '1';
    if (request === undefined || (!isDryRun && !request.headers.has('idempotency-key'))) return;
    const door: Door = { headers: request.headers, remoteAddress, limits };
    const execute = executeFn as Execute;
    setExecuteFn(async (provided: ExecutionArgs): Promise<ExecutionResult> => {
      const { contextValue: ctx } = provided;
      if (!(ctx instanceof RequestContext))
        throw new Error('An operation runs without the context of a request.');
      try {
        return await (isDryRun
          ? executeDry(ctx, provided, execute)
          : executeOnce(ctx, provided, execute, door));
      } catch (error) {
        return { errors: [graphqlError(error, errorContextOf(ctx))] };
      }
    });
  },
});
