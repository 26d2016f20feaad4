import { WebSocket } from 'ws';
import { type MetError, undeclaredErrors } from './declared-errors.ts';
import type { TestApp } from './harness.ts';

/** A message of graphql-transport-ws. */
export type Message = { readonly type: string; readonly id?: string; readonly payload?: unknown };

/** How a socket was closed. */
export type Close = { readonly code: number; readonly reason: string };

/** A raw socket that keeps what it hears. */
export type RawSocket = {
  readonly socket: WebSocket;
  readonly send: (message: Message) => void;
  /** The next message, as soon as there is one; waits for ever after the last. */
  readonly next: () => Promise<Message>;
  readonly closed: Promise<Close>;
};

/** The errors of a message: the list of one that ends an operation, or those beside the data of a result. */
function errorsOf({ type, payload }: Message): readonly MetError[] {
  if (type === 'error') return payload as readonly MetError[];
  return type === 'next' ? ((payload as { errors?: readonly MetError[] }).errors ?? []) : [];
}

/** Opens a socket to the application as any WebSocket client could, offering these sub-protocols. */
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

/** Opens a socket and initialises it with a key. */
export async function openInitialised(t: TestApp): Promise<RawSocket> {
  const raw = await openSocket(t);
  raw.send({ type: 'connection_init', payload: { apiKey: t.sandboxKey } });
  const { type } = await raw.next();
  if (type !== 'connection_ack') throw new Error(`The socket was answered ${type}.`);
  return raw;
}
