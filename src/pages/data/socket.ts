// Minimal client for the `graphql-transport-ws` protocol, which a page's live fields use. A library for the whole protocol would use a tenth of the
// page's script size budget.

type Subscription = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly next: (result: { readonly data?: unknown }) => void;
  /** Called when the subscription has ended and won't be resumed. */
  readonly end: () => void;
};

type Message = { readonly type: string; readonly id: string; readonly payload: { readonly data?: unknown } };

/** Maximum delay before a lost connection is reopened, in milliseconds. */
const longestPauseMs = 30_000;

/** Waits before a retry, longer after each failure. Ends early when the browser is online again. */
const pause = (tries: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.min(1_000 * 2 ** tries, longestPauseMs));
    addEventListener('online', () => resolve(), { once: true });
  });

/**
 * Returns a function that subscribes to live fields over a socket. The socket is open while there are subscriptions, and reconnects if the connection
 * is lost.
 */
export function socketAt(address: string, token: string): (subscription: Subscription) => () => void {
  const wanted = new Map<string, Subscription>();
  let socket: WebSocket | null = null;
  let isReady = false;
  let ids = 0;
  let tries = 0;

  const send = (message: object): void => socket?.send(JSON.stringify(message));
  const begin = (id: string): void => {
    const { query, variables } = wanted.get(id) ?? {};
    send({ type: 'subscribe', id, payload: { query, variables } });
  };
  function drop(id: string): Subscription | undefined {
    const subscription = wanted.get(id);
    wanted.delete(id);
    if (wanted.size === 0) socket?.close(1_000);
    return subscription;
  }
  function receive({ type, id, payload }: Message): void {
    if (type === 'connection_ack') {
      isReady = true;
      tries = 0;
      for (const each of wanted.keys()) begin(each);
    } else if (type === 'ping') send({ type: 'pong' });
    else if (type === 'next') wanted.get(id)?.next(payload);
    else if (type === 'error' || type === 'complete') drop(id)?.end();
  }
  function open(): void {
    const opened = new WebSocket(address, 'graphql-transport-ws');
    socket = opened;
    opened.onopen = () => send({ type: 'connection_init', payload: { token } });
    opened.onmessage = ({ data }) => receive(JSON.parse(String(data)) as Message);
    opened.onclose = ({ code }) => {
      socket = null;
      isReady = false;
      // Errors with these close codes, such as an ended session, would recur after a reconnect.
      if (code >= 4_400 && code < 4_500) for (const id of [...wanted.keys()]) drop(id)?.end();
      if (wanted.size > 0) void pause(tries++).then(reopen);
    };
  }
  function reopen(): void {
    if (socket === null && wanted.size > 0) open();
  }
  return (subscription) => {
    const id = String(++ids);
    wanted.set(id, subscription);
    if (isReady) begin(id);
    else if (tries === 0) reopen();
    return () => {
      if (!wanted.has(id)) return;
      if (isReady) send({ type: 'complete', id });
      drop(id);
    };
  };
}
