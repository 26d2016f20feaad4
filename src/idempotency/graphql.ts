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
import { takeRequests } from '../admission.ts';
import { type Caller, type Context, RequestContext } from '../context.ts';
import { validationError } from '../domain/errors.ts';
import type { PreparedUsage } from '../engine/usage/operation.ts';
import { type Access, authorize } from '../graphql/access.ts';
import { errorContextOf, graphqlError } from '../graphql/errors.ts';
import type { Handed } from '../graphql/request-parts.ts';
import { DecidedRoot, type RestRoute } from '../graphql/rest.ts';
import { checkArguments } from '../graphql/rules-plugin.ts';

import { fingerprintOf } from '../platform/idempotency.ts';
import { addressName, type RateLimits } from '../platform/rate-limit.ts';
import type { Answer } from './answer.ts';
import { answerOnce } from './answer-once.ts';
import { answerInBatch, recordThenAnswer } from './batched.ts';
import { idempotencyKeyOf, type KeyUse, keyScopeOf, requiredKeyOf } from './key.ts';

type Execute = (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult;

type OnlyField = { readonly node: FieldNode; readonly operation: OperationDefinitionNode };

/** The one field of a mutation; null for another kind of operation. Throws `validation_error` when there are others: a key is for one effect that happens once. */
function onlyField(args: ExecutionArgs): OnlyField | null {
  const operation = getOperationAST(args.document, args.operationName);
  if (operation?.operation !== OperationTypeNode.MUTATION) return null;
  const [field, ...others] = operation.selectionSet.selections;
  if (field?.kind === Kind.FIELD && others.length === 0) return { node: field, operation };
  throw validationError([
    { field: 'Idempotency-Key', message: 'The key is accepted with exactly one mutation field.' },
  ]);
}

/** Runs the operation and writes its result down; the status is what REST would have answered the first error with. */
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

/** A result as it was written down, so that the first answer and its replays are the same. */
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

/** A key as it is stored: that of a page counts for the subject of its token only, apart from those of the environment's API keys, which hold no line break. */
const scopedKeyOf = (caller: Caller, key: string): string =>
  caller.kind === 'page' ? `${caller.page} ${caller.subjectId}\n${key}` : key;

type Prepare = (args: object, schema: GraphQLSchema) => PreparedUsage<unknown>;

/** What a field that records usage is going to record. Throws `validation_error`. */
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
 * Records usage under a key, then resolves what the mutation selects of it, after the commit. A mutation that cannot be prepared records nothing,
 * and its answer says why.
 */
async function recordedOnce(
  ctx: RequestContext,
  use: KeyUse,
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
    return answerInBatch(ctx, use, { requests: [], answerOf: () => answer });
  }
  const { requests, resultOf } = prepared;
  return recordThenAnswer(ctx, use, requests, (outcome) =>
    executed(ctx, { ...args, rootValue: new DecidedRoot(() => resultOf(outcome)) }, execute),
  );
}

/** What an operation came with over HTTP. */
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
  // Execution itself tells what is wrong with the variables.
  if (variables.coerced === undefined) return execute(args);
  const { access, rest } = field.extensions as { access?: Access; rest?: RestRoute };
  if (access === undefined) return execute(args);
  // A page's token among the arguments settles the environment the key belongs to.
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
    fingerprint: fingerprintOf('POST', '/graphql', content),
    // What a page is answered may let its payer confirm a payment.
    isSecret: rest?.secret === true || ctx.caller.kind === 'page',
    strategy: rest?.idempotency ?? 'in-transaction',
  };
  const answer =
    use.strategy === 'batched'
      ? await recordedOnce(ctx, use, args, execute, () => preparedOf(field, values, args.schema))
      : await answerOnce(ctx, use, (inner) => executed(inner, args, execute));
  return readResult(answer.body);
}

/** What the server gathered about an operation; over WebSocket there is no such request. */
type Coalesced = Partial<Handed> & { readonly request?: Request };

/**
 * Honours `Idempotency-Key` on mutations over HTTP, exactly as REST does; queries ignore it. Belongs before the plugin that hands
 * resolvers the context of the request, since it puts the context of its transaction in that one's place. Operations open to anybody that
 * demand a key are counted by address in `limits`.
 */
export const idempotentMutations = (limits: RateLimits): Plugin => ({
  onExecute: ({ args, executeFn, setExecuteFn }) => {
    const { request, remoteAddress = '' } = args.contextValue as Coalesced;
    if (request?.headers.has('idempotency-key') !== true) return;
    const door: Door = { headers: request.headers, remoteAddress, limits };
    const execute = executeFn as Execute;
    setExecuteFn(async (provided: ExecutionArgs): Promise<ExecutionResult> => {
      const { contextValue: ctx } = provided;
      if (!(ctx instanceof RequestContext))
        throw new Error('An operation runs without the context of a request.');
      try {
        return await executeOnce(ctx, provided, execute, door);
      } catch (error) {
        return { errors: [graphqlError(error, errorContextOf(ctx))] };
      }
    });
  },
});
