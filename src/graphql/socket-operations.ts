import type { IncomingMessage } from 'node:http';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { RequestContext } from '../context.ts';
import type { RateLimits } from '../platform/rate-limit.ts';
import { withCost } from './cost-extension.ts';
import type { Documents } from './documents.ts';
import { shownErrors } from './errors.ts';
import { executeOperation } from './execution.ts';
import { Budget } from './limits.ts';
import { contextOf } from './request-parts.ts';
import { checkParameters } from './request-shape.ts';
import { subscribeOperation } from './subscriptions.ts';

// Operations over sockets: made ready before they start, so that what is wrong with one ends that one alone.

/** What operations over sockets are run with. */
export type SocketParts = {
  readonly documents: Documents;
  readonly limits: RateLimits;
  /** The address of the client that sent a request. */
  readonly senderOf: (request: IncomingMessage) => string;
};

/** The operation of a document a socket asks for. Throws GraphQLError where there is none, and for mutations. */
function checkOperation(document: DocumentNode, { operationName }: SubscribePayload): void {
  const operation = getOperationAST(document, operationName);
  if (operation == null) throw new GraphQLError('The document has no such operation.');
  // A mutation can be asked for again with its idempotency key, which is a header.
  if (operation.operation === OperationTypeNode.MUTATION)
    throw new GraphQLError(
      'Sockets carry queries and subscriptions only. Send mutations as HTTP POST requests to /graphql.',
    );
}

/** An operation that is ready to be executed. */
type Prepared = ExecutionArgs & { readonly contextValue: RequestContext; readonly cost: number };

/**
 * Makes an operation ready to be executed for a caller: document, variables and cost are checked, so that nothing is left to go wrong but what
 * its fields reject. Throws GraphQLError.
 */
export function prepareOperation(
  { documents }: SocketParts,
  ctx: RequestContext,
  payload: SubscribePayload,
): Prepared {
  checkParameters(payload);
  const { schema } = documents;
  const { query, variables = null, operationName = null } = payload;
  const budget = new Budget(ctx.caller.kind === 'anonymous');
  documents.trusted.check(ctx.caller, query);
  const document = documents.read(query, budget);
  const [error] = documents.validate(document);
  if (error !== undefined) throw error;
  checkOperation(document, payload);
  const cost = documents.spendCost(document, operationName, variables ?? {}, budget);
  return { schema, document, operationName, variableValues: variables, contextValue: ctx, cost };
}

/** A result with its errors as they are shown. */
function shown(result: ExecutionResult, ctx: RequestContext): ExecutionResult {
  return result.errors === undefined ? result : { ...result, errors: shownErrors(result, ctx) };
}

/** Runs prepared operations. A failure nobody foresaw is a result too, so that it does not take the socket with it. */
export function socketExecution({ documents }: SocketParts) {
  const settled = async <T>(
    args: ExecutionArgs,
    run: (show: (result: ExecutionResult) => ExecutionResult) => Promise<T>,
  ): Promise<T | ExecutionResult> => {
    const show = (result: ExecutionResult) => shown(result, contextOf(args.contextValue));
    try {
      return await run(show);
    } catch (error) {
      return show({ errors: [error as GraphQLError] });
    }
  };
  return {
    /** Executes a query. */
    execute: (args: ExecutionArgs) =>
      settled(args, async (show) => {
        // The protocol hands over what `prepareOperation` answered.
        const { contextValue, cost } = args as Prepared;
        return show(withCost(await executeOperation(documents, args), cost, contextValue));
      }),
    /** Subscribes to a live field. */
    subscribe: (args: ExecutionArgs) => settled(args, (show) => subscribeOperation(documents, args, show)),
  };
}
