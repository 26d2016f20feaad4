import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { admitRequests } from '../admission.ts';
import type { RateLimits } from '../platform/rate-limit.ts';
import { limits } from './limits.ts';
import type { Handed } from './request-parts.ts';
import { isDeeper, maxJsonDepth } from './scalars.ts';

// What a GraphQL request over HTTP must look like before its documents are read.

/** Throws GraphQLError where the parameters of an operation are not what they have to be. */
export function checkParameters(parameters: unknown): void {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    throw new GraphQLError('An operation must be an object.');
  const { operationName = null } = parameters as { readonly operationName?: unknown };
  if (operationName !== null && typeof operationName !== 'string')
    throw new GraphQLError('operationName must be a string.');
  for (const member of ['variables', 'extensions'] as const) {
    const value = (parameters as Readonly<Record<string, unknown>>)[member];
    if (isDeeper(value, maxJsonDepth + 1))
      throw new GraphQLError(`${member} must nest at most ${maxJsonDepth} levels deep.`);
  }
}

/**
 * Checks requests as they come in: JSON that is none and values that nest too deep are rejected with 400, batches that are too long too. Every
 * further operation of a batch counts as a request of its caller.
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
          throw new GraphQLError(`A request has at most ${limits.batch} operations.`);
        for (const parameters of operations) checkParameters(parameters);
        // The server in front hands both over with every request.
        const handed = serverContext as unknown as Handed;
        const { requestContext, remoteAddress } = handed;
        handed.isBatch = Array.isArray(parsed);
        if (operations.length > 1)
          await admitRequests(requestContext, remoteAddress, rateLimits, 'general', operations.length - 1);
      },
    };
  },
});
