import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { RateLimits } from '../../platform/rate-limit.ts';
import type { RequestContext } from '../../request/context.ts';
import { shownErrors } from '../declare/errors.ts';
import { Budget } from '../declare/limits.ts';
import { contextOf } from '../declare/request-parts.ts';
import { withCost } from '../execute/cost-extension.ts';
import type { Documents } from '../execute/documents.ts';
import { executeOperation } from '../execute/execution.ts';
import { checkParameters } from '../execute/request-shape.ts';
import { subscribeOperation } from '../live/subscriptions.ts';

// Operations over WebSocket. Each operation is prepared before it starts, so that an error ends only the operation and not the socket.

/** Dependencies of operations over WebSocket. */
export type SocketParts = {
  readonly documents: Documents;
  readonly limits: RateLimits;
  /** Returns the client's IP address from an upgrade request. */
  readonly senderOf: (request: IncomingMessage) => string;
  /** Handles an upgrade request for another path. Returns false if the path is unknown. */
  readonly upgradeOther?: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
};

/** Checks the operation that a request selects from its document. Throws GraphQLError if the operation doesn't exist or is a mutation. */
function checkOperation(document: DocumentNode, { operationName }: SubscribePayload): void {
  const operation = getOperationAST(document, operationName);
  if (operation == null) throw new GraphQLError("The document doesn't contain the requested operation.");
  // Mutations need an idempotency key for safe retries, and the key is sent in an HTTP header.
  if (operation.operation === OperationTypeNode.MUTATION)
    throw new GraphQLError(
      'Sockets only support queries and subscriptions. Send mutations as HTTP POST requests to /graphql.',
    );
}

type Prepared = ExecutionArgs & { readonly contextValue: RequestContext; readonly cost: number };

/** Prepares an operation. Checks the document, the variables, and the cost, so that only field errors can occur later. Throws GraphQLError. */
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

function shown(result: ExecutionResult, ctx: RequestContext): ExecutionResult {
  return result.errors === undefined ? result : { ...result, errors: shownErrors(result, ctx) };
}

/** Returns the executor for prepared operations. Converts unexpected errors to results, so that they don't close the socket. */
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
    execute: (args: ExecutionArgs) =>
      settled(args, async (show) => {
        // The cast is safe because the protocol library passes the result of `prepareOperation`.
        const { contextValue, cost } = args as Prepared;
        return show(withCost(await executeOperation(documents, args), cost, contextValue));
      }),
    /** Subscribes to a live field. */
    subscribe: (args: ExecutionArgs) => settled(args, (show) => subscribeOperation(documents, args, show)),
  };
}
