import type { SubscriptionForwarder } from '@urql/core';
import type { Client } from 'graphql-ws/client';
import { base } from './place.ts';
import { createStore } from './store.ts';
import { nameOf, textOf, variablesFor } from './texts.ts';
import { ticket } from './ticket.ts';

/** State of the socket: not needed (`idle`), open, or reconnecting (`lost`). */
export const connection = createStore<'idle' | 'open' | 'lost'>('idle');

/**
 * Variables of the event stream, with the position of the last delivered event. They are read again for each new
 * connection.
 */
export const streamPosition: { afterPosition: number | null } = { afterPosition: null };

let client: Promise<Client> | null = null;

const address = (): string => {
  const url = new URL(`${base}/graphql`, location.origin);
  url.protocol = url.protocol.replace('http', 'ws');
  return url.href;
};

/** Ping interval, and the time limit for a reply. Both are in milliseconds. */
const pingMs = 20_000;
const pongMs = 5_000;

async function open(): Promise<Client> {
  const { createClient } = await import('graphql-ws/client');
  let silence: ReturnType<typeof setTimeout> | undefined;
  const opened = createClient({
    url: address(),
    connectionParams: async () => ({ ticket: await ticket() }),
    keepAlive: pingMs,
    retryAttempts: Number.POSITIVE_INFINITY,
    // Each connection needs a new ticket. If the session has expired, `ticket()` waits for a sign-in.
    shouldRetry: () => true,
    retryWait: (attempt) =>
      new Promise((resolve) => {
        setTimeout(resolve, Math.min(1_000 * 2 ** attempt, 15_000));
        addEventListener('online', () => resolve(), { once: true });
      }),
    on: {
      connected: () => connection.set('open'),
      // Browsers can take minutes to notice a lost network. A socket that doesn't reply to a ping is therefore terminated and replaced.
      ping: (isReceived) => {
        if (!isReceived) silence = setTimeout(() => opened.terminate(), pongMs);
      },
      pong: (isReceived) => {
        if (isReceived) clearTimeout(silence);
      },
      closed: (event) => {
        clearTimeout(silence);
        connection.set((event as CloseEvent).code === 1_000 ? 'idle' : 'lost');
      },
    },
  });
  return opened;
}

/** Closes the socket. The next subscription to a live field opens a new one. */
export function closeSocket(): void {
  void client?.then((opened) => opened.dispose());
  client = null;
  connection.set('idle');
}

/** Live fields that resume at the position of the last event after a disconnect. */
const resumed: readonly string[] = ['EventStream', 'EventDigest'];

export type LiveSink = {
  readonly next: (result: unknown) => void;
  readonly error: (error: unknown) => void;
  readonly complete: () => void;
};

type LiveText = {
  readonly query: string;
  readonly operationName?: string;
  readonly variables: Record<string, unknown>;
};

/** Subscribes to a live field over the tab's shared socket. Returns a function that unsubscribes. Variables are read again for each connection. */
export function followText(payload: LiveText, sink: LiveSink): () => void {
  client ??= open();
  let unsubscribe: () => void = () => undefined;
  let isOver = false;
  const begin = (opened: Client): void => {
    if (!isOver) unsubscribe = opened.subscribe(payload, sink);
  };
  client.then(begin, (error: unknown) => sink.error(error));
  return () => {
    isOver = true;
    unsubscribe();
  };
}

/** Forwards the GraphQL client's live fields to the tab's shared socket. */
export const forwardLive: SubscriptionForwarder = (_body, { query, variables }) => ({
  subscribe: (sink) => {
    const text = textOf(query);
    const sent = variablesFor(text, (variables ?? {}) as Record<string, unknown>);
    // Uses a getter, because the variables are read again for each connection.
    if (resumed.includes(nameOf(query)))
      Object.defineProperty(sent, 'afterPosition', {
        enumerable: true,
        get: () => streamPosition.afterPosition,
      });
    const unsubscribe = followText(
      { query: text, variables: sent },
      {
        next: (result) => sink.next(result as never),
        error: (error) => sink.error(error),
        complete: () => sink.complete(),
      },
    );
    return { unsubscribe };
  },
});
