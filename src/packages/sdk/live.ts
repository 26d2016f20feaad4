import { ConnectionError, errorOf } from './errors.ts';
import type { Transport } from './http.ts';

type Message = {
  readonly type: string;
  readonly payload?: { readonly data?: unknown } | readonly { message: string; extensions?: object }[];
};

/** Interval between pings in milliseconds. A socket is replaced if it receives nothing in the interval after a ping. */
const pingMs = 20_000;

/** Close code of a caller who lost access. */
const accessLost = 4403;

/**
 * Yields the values of a live field over one socket (`graphql-transport-ws`). Ends when the server completes the field or the signal is
 * aborted. Throws `ConnectionError` if the socket is closed, so that the caller can subscribe again.
 */
export async function* liveValues<Value>(
  { baseUrl, options: { apiKey, WebSocket: Socket = globalThis.WebSocket } }: Transport,
  document: { readonly query: string; readonly variables: object; readonly field: string },
  signal?: AbortSignal,
): AsyncGenerator<Value, void> {
  signal?.throwIfAborted();
  if (Socket === undefined)
    throw new ConnectionError('This runtime has no WebSocket. Pass a class as `WebSocket`.');
  const socket = new Socket(`${baseUrl.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
  const waiting: Value[] = [];
  let end: { readonly error?: unknown } | null = null;
  let wake: () => void = () => undefined;
  const finish = (error?: unknown): void => {
    end ??= error === undefined ? {} : { error };
    wake();
  };
  const send = (message: object): void => socket.send(JSON.stringify(message));
  let isSilent = false;
  const heartbeat = setInterval(() => {
    if (isSilent) return finish(new ConnectionError('The service did not respond to a ping.'));
    isSilent = true;
    if (socket.readyState === Socket.OPEN) send({ type: 'ping' });
  }, pingMs);
  const abort = (): void => finish(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  socket.addEventListener('open', () => send({ type: 'connection_init', payload: { apiKey } }));
  socket.addEventListener('message', ({ data }) => {
    isSilent = false;
    const { type, payload } = JSON.parse(String(data)) as Message;
    const { query, variables, field } = document;
    if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query, variables } });
    else if (type === 'ping') send({ type: 'pong' });
    else if (type === 'complete') finish();
    else if (type === 'error') {
      const [failure] = payload as readonly { message: string; extensions?: object }[];
      const known = { type: 'internal_error', code: 'internal_error', message: failure?.message ?? type };
      finish(errorOf({ ...known, status: 200, requestId: null, ...failure?.extensions }));
    } else if (type === 'next') {
      const values = (payload as { data?: Record<string, Value> }).data;
      if (values?.[field] !== undefined) waiting.push(values[field]);
      wake();
    }
  });
  socket.addEventListener('close', ({ code, reason }) =>
    finish(
      code === accessLost
        ? errorOf({
            type: 'authentication_error',
            code: 'unauthorized',
            message: reason === '' ? 'The API key is no longer valid.' : reason,
            status: 401,
            requestId: null,
          })
        : new ConnectionError(`The socket was closed with code ${code}.`),
    ),
  );
  socket.addEventListener('error', () => finish(new ConnectionError('The socket could not be opened.')));
  try {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift() as Value;
      const ended = end as { readonly error?: unknown } | null;
      if (ended !== null) {
        if ('error' in ended) throw ended.error;
        return;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0 || end !== null) resolve();
      });
    }
  } finally {
    clearInterval(heartbeat);
    signal?.removeEventListener('abort', abort);
    socket.close();
  }
}
