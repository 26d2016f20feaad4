import { type Client, createClient, type FormattedExecutionResult } from 'graphql-ws';
import { WebSocket } from 'ws';

/** Returns a GraphQL client over WebSocket, configured as in the dashboard. */
export const liveClient = (url: string, connectionParams: Record<string, unknown>): Client =>
  createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
  });

/** Collects all values of a live field until the subscription completes. Rejects on errors. */
export async function collect<T>(
  client: Client,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<T[]> {
  const values: T[] = [];
  for await (const result of client.iterate<T>({ query, variables })) values.push(dataOf(result));
  return values;
}

function dataOf<T>(result: FormattedExecutionResult<T, unknown>): T {
  if (result.errors !== undefined || result.data === null || result.data === undefined)
    throw new Error(`The live field failed: ${JSON.stringify(result.errors)}`);
  return result.data;
}
