import { type Client, createClient } from 'graphql-ws';
import type { TestApp } from '../../support/harness.ts';

/** A live field being read: each call waits for the next value, and `done` is true after the last. */
export type Reader<T> = {
  readonly next: () => Promise<IteratorResult<T>>;
  readonly stop: () => Promise<void>;
};

/** A WebSocket client of the product with the sandbox key, or another one. */
export const openSocket = (t: TestApp, apiKey: string = t.sandboxKey): Client =>
  createClient({
    url: `${t.url.replace('http', 'ws')}/graphql`,
    connectionParams: { apiKey },
    retryAttempts: 0,
  });

/** Subscribes to the only live field of an operation. A failing operation fails the next read. */
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
