import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RateLimits } from '../../platform/rate-limit.ts';
import { admitRequests } from '../../request/admission.ts';
import { limits } from '../declare/limits.ts';
import type { Handed } from '../declare/request-parts.ts';
import { isDeeper, maxJsonDepth } from '../declare/scalars.ts';

// Checks GraphQL requests over HTTP before their documents are parsed.

/** Throws GraphQLError if any parameter of an operation has the wrong type. */
export function checkParameters(parameters: unknown): void {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    throw new GraphQLError('An operation must be an object.');
  const { operationName = null } = parameters as { readonly operationName?: unknown };
  if (operationName !== null && typeof operationName !== 'string')
    throw new GraphQLError('operationName must be a string.');
  for (const member of ['variables', 'extensions'] as const) {
    const value = (parameters as Readonly<Record<string, unknown>>)[member];
    if (isDeeper(value, maxJsonDepth + 1))
      throw new GraphQLError(`${member} can't be nested more than ${maxJsonDepth} levels deep.`);
  }
}

/**
 * Yoga plugin that rejects invalid JSON, deeply nested values, and large batches with status 400. In the caller's rate limit, a batch
 * counts as one request per operation.
 */
export const requestShape = (rateLimits: RateLimits): Plugin<Handed> => ({
  onRequestParse: ({ requestParser, setRequestParser, serverContext }) => {
    if (requestParser !== undefined)
      setRequestParser(async (request) => {
        try {
          return await requestParser(request);
        } catch (error) {
          throw error instanceof SyntaxError
            ? new GraphQLError('variables and extensions must be JSON.')
            : error;
        }
      });
    return {
      onRequestParseDone: async ({ requestParserResult: parsed }) => {
        const operations: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
        if (operations.length > limits.batch)
          throw new GraphQLError(`A request can have up to ${limits.batch} operations.`);
        for (const parameters of operations) checkParameters(parameters);
        // The cast is safe because the HTTP server always provides the budget and the request context.
        const handed = serverContext as unknown as Handed;
        const { requestContext, remoteAddress } = handed;
        handed.isBatch = Array.isArray(parsed);
        if (operations.length > 1)
          await admitRequests(requestContext, remoteAddress, rateLimits, 'general', operations.length - 1);
      },
    };
  },
});
