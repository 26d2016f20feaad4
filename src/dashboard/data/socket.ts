import type { SubscriptionForwarder } from '@urql/core';
import type { Client } from 'graphql-ws/client';
import { base } from './place.ts';
import { createStore } from './store.ts';
import { nameOf, textOf, variablesFor } from './texts.ts';
import { ticket } from './ticket.ts';

/** How the socket stands: none is wanted, it is open, or it is being opened again. */
export const connection = createStore<'idle' | 'open' | 'lost'>('idle');

/** The variables of the stream of events, sent with each connection: the position of the last event that was told. */
export const streamPosition: { afterPosition: number | null } = { afterPosition: null };

let client: Promise<Client> | null = null;

const address = (): string => {
  const url = new URL(`${base}/graphql`, location.origin);
  url.protocol = url.protocol.replace('http', 'ws');
  return url.href;
};

/** How often the service is asked whether it is still there, and how long it may take to answer. */
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
    // Each connection has a ticket of its own: where the session has ended, that waits for a sign-in.
    shouldRetry: () => true,
    retryWait: (attempt) =>
      new Promise((resolve) => {
        setTimeout(resolve, Math.min(1_000 * 2 ** attempt, 15_000));
        addEventListener('online', () => resolve(), { once: true });
      }),
    on: {
      connected: () => connection.set('open'),
      // A network that is gone closes nothing for minutes: the socket is given up, and another one opened.
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

/** Ends the socket; the next live field opens another one. */
export function closeSocket(): void {
  void client?.then((opened) => opened.dispose());
  client = null;
  connection.set('idle');
}

/** Live fields that go on at the position of the last event. */
const resumed: readonly string[] = ['EventStream', 'EventDigest'];

/** What hears of a live field. */
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

/** Follows a live field over the tab's one socket until the function it answers is called. Variables are read with each connection, as they are then. */
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

/** Sends a live field of a page over the tab's one socket. */
export const forwardLive: SubscriptionForwarder = (_body, { query, variables }) => ({
  subscribe: (sink) => {
    const text = textOf(query);
    const sent = variablesFor(text, (variables ?? {}) as Record<string, unknown>);
    // Read with each connection.
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
