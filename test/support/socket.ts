import { WebSocket } from 'ws';
import { type MetError, undeclaredErrors } from './declared-errors.ts';
import type { TestApp } from './harness.ts';

/** Message of the graphql-transport-ws protocol. */
export type Message = { readonly type: string; readonly id?: string; readonly payload?: unknown };

export type Close = { readonly code: number; readonly reason: string };

/** WebSocket that queues received messages. */
export type RawSocket = {
  readonly socket: WebSocket;
  readonly send: (message: Message) => void;
  /** Returns the next message. Never resolves after the last message. */
  readonly next: () => Promise<Message>;
  readonly closed: Promise<Close>;
};

/** Returns the errors in an `error` message or a result. */
function errorsOf({ type, payload }: Message): readonly MetError[] {
  if (type === 'error') return payload as readonly MetError[];
  return type === 'next' ? ((payload as { errors?: readonly MetError[] }).errors ?? []) : [];
}

/** Opens a WebSocket with these subprotocols, without sending messages. */
export async function openSocket(
  t: TestApp,
  protocols: readonly string[] = ['graphql-transport-ws'],
): Promise<RawSocket> {
  const socket = new WebSocket(`${t.url.replace('http', 'ws')}/graphql`, [...protocols]);
  const heard: Message[] = [];
  let wake = (): void => undefined;
  socket.on('message', (data) => {
    heard.push(JSON.parse(String(data)) as Message);
    wake();
  });
  const closed = new Promise<Close>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await new Promise((resolve) => socket.once('open', resolve));
  const queries = new Map<string | undefined, string>();
  return {
    socket,
    closed,
    send: (message) => {
      const { query } = (message.payload ?? {}) as { query?: unknown };
      if (message.type === 'subscribe' && typeof query === 'string') queries.set(message.id, query);
      socket.send(JSON.stringify(message));
    },
    next: async () => {
      for (;;) {
        const message = heard.shift();
        if (message !== undefined) {
          const undeclared = undeclaredErrors(queries.get(message.id) ?? '', errorsOf(message));
          if (undeclared.length > 0) throw new Error(undeclared.join('\n'));
          return message;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** Opens a WebSocket and initializes it with an API key. */
export async function openInitialised(t: TestApp): Promise<RawSocket> {
  const raw = await openSocket(t);
  raw.send({ type: 'connection_init', payload: { apiKey: t.sandboxKey } });
  const { type } = await raw.next();
  if (type !== 'connection_ack') throw new Error(`The socket was answered ${type}.`);
  return raw;
}
