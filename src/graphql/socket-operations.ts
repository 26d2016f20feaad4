import type { IncomingMessage } from 'node:http';
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
} from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { RequestContext } from '../context.ts';
import type { RateLimits } from '../platform/rate-limit.ts';
import type { Documents } from './documents.ts';
import { errorContextOf, graphqlError } from './errors.ts';
import { Budget } from './limits.ts';
import type { Handed } from './request-parts.ts';
import { checkParameters } from './request-shape.ts';
import type { openGraphql } from './server.ts';

// Operations over sockets: made ready before they start, so that what is wrong with one ends that one alone.

/** What operations over sockets are run with. */
export type SocketParts = {
  readonly yoga: ReturnType<typeof openGraphql>;
  readonly documents: Documents;
  readonly limits: RateLimits;
  /** The address of the client that sent a request. */
  readonly senderOf: (request: IncomingMessage) => string;
};

/** The operation of a document a socket asks for. Throws GraphQLError where there is none, for mutations, and for variables that do not fit. */
function checkOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operationName, variables }: SubscribePayload,
): void {
  const operation = getOperationAST(document, operationName);
  if (operation == null) throw new GraphQLError('The document has no such operation.');
  // A mutation can be asked for again with its idempotency key, which is a header.
  if (operation.operation === OperationTypeNode.MUTATION)
    throw new GraphQLError(
      'Sockets carry queries and subscriptions only. Send mutations as HTTP POST requests to /graphql.',
    );
  const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {}, {
    maxErrors: 1,
  });
  if (errors?.[0] !== undefined) throw errors[0];
}

/**
 * Makes an operation ready to be executed for a caller: document, variables and cost are checked, so that nothing is left to go wrong but what
 * its fields reject. Throws GraphQLError.
 */
export async function prepareOperation(
  { yoga, documents }: SocketParts,
  ctx: RequestContext,
  payload: SubscribePayload,
  remoteAddress: string,
): Promise<ExecutionArgs> {
  checkParameters(payload);
  const isAnonymous = ctx.caller.kind === 'anonymous';
  const budget = new Budget(isAnonymous);
  const handed: Handed = { requestContext: ctx, remoteAddress, budget };
  const { schema, parse, validate, contextFactory, execute, subscribe } = yoga.getEnveloped({
    ...handed,
    params: payload,
  } as never);
  const document: DocumentNode = parse(payload.query);
  const [error] = validate(schema, document) as readonly GraphQLError[];
  if (error !== undefined) throw error;
  checkOperation(schema, document, payload);
  // This only looks; the execution takes it from the budget.
  documents.spendCost(document, payload.operationName, payload.variables ?? {}, new Budget(isAnonymous));
  return {
    schema,
    document,
    operationName: payload.operationName ?? null,
    variableValues: payload.variables ?? null,
    contextValue: await contextFactory(),
    rootValue: { execute, subscribe },
  };
}

type Enveloped = { execute: (args: ExecutionArgs) => unknown; subscribe: (args: ExecutionArgs) => unknown };

/** The result of an operation; a failure nobody foresaw is a result too, so that it does not take the socket with it. */
async function settled(args: ExecutionArgs, run: (args: ExecutionArgs) => unknown): Promise<never> {
  try {
    return (await run(args)) as never;
  } catch (error) {
    const { requestContext } = args.contextValue as Handed;
    return { errors: [graphqlError(error, errorContextOf(requestContext))] } as never;
  }
}

/** Executes a prepared query or mutation. */
export const executePrepared = (args: ExecutionArgs): Promise<never> =>
  settled(args, (args.rootValue as Enveloped).execute);

/** Subscribes to a prepared subscription. */
export const subscribePrepared = (args: ExecutionArgs): Promise<never> =>
  settled(args, (args.rootValue as Enveloped).subscribe);
