import { type Client, createClient } from 'graphql-ws';
import type { TestApp } from '../../../support/harness.ts';

/** Reads a GraphQL subscription. Each call waits for the next value. `done` is `true` after the last value. */
export type Reader<T> = {
  readonly next: () => Promise<IteratorResult<T>>;
  readonly stop: () => Promise<void>;
};

/** Creates a WebSocket client with the sandbox key or the given key. */
export const openSocket = (t: TestApp, apiKey: string = t.sandboxKey): Client =>
  createClient({
    url: `${t.url.replace('http', 'ws')}/graphql`,
    connectionParams: { apiKey },
    retryAttempts: 0,
  });

/** Subscribes to an operation with a single field. If the operation fails, the next read throws. */
export function follow<T>(client: Client, query: string, variables: Record<string, unknown> = {}): Reader<T> {
  const results = client.iterate<Record<string, T>>({ query, variables });
  return {
    next: async () => {
      const { value, done } = await results.next();
      if (done === true) return { value: undefined, done: true };
      if (value.errors !== undefined) throw new Error(JSON.stringify(value.errors));
      const [field] = Object.values(value.data ?? {});
      return { value: field as T, done: false };
    },
    stop: async () => {
      await results.return?.();
    },
  };
}
