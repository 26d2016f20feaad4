import {
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  print,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type Context, RequestContext } from '../context.ts';
import { validationError } from '../domain/errors.ts';
import { type Access, authorize } from '../graphql/access.ts';
import { graphqlError, sceneOf } from '../graphql/errors.ts';
import type { RestRoute } from '../graphql/rest.ts';
import type { Handed } from '../graphql/server.ts';
import { fingerprintOf } from '../infra/idempotency.ts';
import { type Allowance, addressName, exceededHeaders, type RateLimits } from '../infra/rate-limit.ts';
import type { Answer } from './answer.ts';
import { rateLimited } from './app.ts';
import { answerOnce, homeOf, idempotencyKeyOf, requiredKeyOf } from './idempotent.ts';

type Execute = (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult;

type OnlyField = { readonly node: FieldNode; readonly operation: OperationDefinitionNode };

/** The one field of a mutation; null for another kind of operation. Throws `validation_error` when there are others: a key stands for one thing that is done once. */
function onlyField(args: ExecutionArgs): OnlyField | null {
  const operation = getOperationAST(args.document, args.operationName);
  if (operation?.operation !== OperationTypeNode.MUTATION) return null;
  const [field, ...others] = operation.selectionSet.selections;
  if (field?.kind === Kind.FIELD && others.length === 0) return { node: field, operation };
  throw validationError([{ field: 'Idempotency-Key', message: 'The key is accepted with exactly one mutation field.' }]);
}

/** Runs the operation and writes its result down; the status is what REST would have answered the first error with. */
async function executed(context: Context, args: ExecutionArgs, execute: Execute): Promise<Answer> {
  const result = await execute({ ...args, contextValue: context });
  const [error] = result.errors ?? [];
  if (error === undefined) return { status: 200, body: JSON.stringify(result) };
  const errors = (result.errors ?? []).map((failed) => graphqlError(failed, sceneOf(context)));
  const status = Number(errors[0]?.extensions['status']);
  return { status, body: JSON.stringify({ ...result, errors }), cause: error.originalError ?? error };
}

type WrittenError = { message: string; path?: (string | number)[]; extensions: Record<string, unknown> };
type Written = { data?: Record<string, unknown> | null; errors?: WrittenError[] };

/** A result as it was written down, so that the first answer and its replays are the same. */
function readResult(body: string): ExecutionResult {
  const { errors, ...rest } = JSON.parse(body) as Written;
  if (errors === undefined) return rest;
  return { ...rest, errors: errors.map(({ message, path, extensions }) => new GraphQLError(message, { path: path ?? null, extensions })) };
}

/** What an operation came with over HTTP. */
type Door = { readonly headers: Headers; readonly remoteAddress: string; readonly limits: RateLimits };

/** The refusal of an address whose window is used up, with the headers of a 429. */
function refusedByWindow(context: RequestContext, allowance: Allowance): ExecutionResult {
  const error = graphqlError(rateLimited(), sceneOf(context));
  error.extensions['http'] = { headers: exceededHeaders(allowance) };
  return { errors: [error] };
}

async function executeOnce(context: RequestContext, args: ExecutionArgs, execute: Execute, door: Door): Promise<ExecutionResult> {
  const { headers, remoteAddress, limits } = door;
  const key = idempotencyKeyOf(headers);
  if (key === null) return execute(args);
  const only = onlyField(args);
  const field = only === null ? undefined : args.schema.getMutationType()?.getFields()[only.node.name.value];
  if (only === null || field === undefined) return execute(args);
  const variables = getVariableValues(args.schema, only.operation.variableDefinitions ?? [], args.variableValues ?? {});
  // Execution itself tells what is wrong with the variables.
  if (variables.coerced === undefined) return execute(args);
  const { access, rest } = field.extensions as { access?: Access; rest?: RestRoute };
  if (access === undefined) return execute(args);
  // A page's token among the arguments settles the environment the key belongs to.
  await authorize(access, getArgumentValues(field, only.node, variables.coerced), context);
  const home = homeOf(context, access, field.name);
  if (home === null) return execute(args);
  const isOpen = 'operation' in home;
  if (isOpen) {
    const allowance = await limits.take(addressName(remoteAddress), 'provisioning');
    if (allowance.isExceeded) return refusedByWindow(context, allowance);
  }
  const content = { document: print(args.document), operationName: args.operationName ?? null, variables: args.variableValues ?? {} };
  const use = {
    home,
    key: isOpen ? requiredKeyOf(headers) : key,
    fingerprint: fingerprintOf('POST', '/graphql', content),
    isSecret: rest?.secret === true,
    isOutside: rest?.outside === true,
    isFlushed: rest?.recordsUsage === true,
  };
  return readResult((await answerOnce(context, use, (inner) => executed(inner, args, execute))).body);
}

/** What the server gathered about an operation; over WebSocket there is no such request. */
type Gathered = Partial<Handed> & { readonly request?: Request };

/**
 * Honours `Idempotency-Key` on mutations over HTTP, exactly as REST does (protocols A4); queries ignore it. Belongs before the plugin that hands
 * resolvers the context of the request, since it puts the context of its transaction in that one's place. Operations open to anybody that
 * demand a key are counted by address in `limits`.
 */
export const idempotentMutations = (limits: RateLimits): Plugin => ({
  onExecute: ({ args, executeFn, setExecuteFn }) => {
    const { request, remoteAddress = '' } = args.contextValue as Gathered;
    if (request?.headers.has('idempotency-key') !== true) return;
    const door: Door = { headers: request.headers, remoteAddress, limits };
    const execute = executeFn as Execute;
    setExecuteFn(async (given: ExecutionArgs): Promise<ExecutionResult> => {
      const { contextValue: context } = given;
      if (!(context instanceof RequestContext)) throw new Error('An operation runs without the context of a request.');
      try {
        return await executeOnce(context, given, execute, door);
      } catch (error) {
        return { errors: [graphqlError(error, sceneOf(context))] };
      }
    });
  },
});
