import { WebSocket } from 'ws';

// Child process that keeps sockets open and measures the delay of events.

/** Message from the benchmark to this process. */
export type HolderRequest =
  | {
      readonly ask: 'open';
      readonly url: string;
      /** API keys for the environments, which the sockets use in rotation. */
      readonly keys: readonly string[];
      readonly sockets: number;
    }
  | { readonly ask: 'measured' };

/** Message to the benchmark. Reports that all sockets are open, or the event delays since the last message. */
export type HolderResponse =
  | { readonly told: 'open' }
  | { readonly told: 'measured'; readonly latencies: readonly number[]; readonly ended: number };

const query = 'subscription { eventStream { position event timestamp customer { id email } } }';

/** Number of sockets to open at the same time. */
const atOnce = 50;

const tell = (told: HolderResponse): void => void process.send?.(told);

let latencies: number[] = [];
let ended = 0;

/** Opens a socket with a live field. Also sends a query, whose response shows that the subscription is registered. */
const open = (url: string, apiKey: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, ['graphql-transport-ws'], { perMessageDeflate: false });
    const send = (message: object): void => socket.send(JSON.stringify(message));
    socket.once('open', () => send({ type: 'connection_init', payload: { apiKey } }));
    socket.on('error', reject);
    socket.on('close', () => ended++);
    socket.on('message', (data) => {
      const { type, id, payload } = JSON.parse(String(data)) as {
        type: string;
        id?: string;
        payload?: { data?: { eventStream?: { timestamp: string } } };
      };
      if (type === 'connection_ack') {
        send({ type: 'subscribe', id: 'live', payload: { query } });
        send({ type: 'subscribe', id: 'ready', payload: { query: '{ __typename }' } });
      } else if (type === 'complete' && id === 'ready') resolve();
      else if (type === 'error') reject(new Error(String(data)));
      const timestamp = payload?.data?.eventStream?.timestamp;
      if (timestamp !== undefined) latencies.push(Date.now() - Date.parse(timestamp));
    });
  });

process.on('message', (asked: HolderRequest) => {
  if (asked.ask === 'measured') {
    tell({ told: 'measured', latencies, ended });
    latencies = [];
    return;
  }
  const { url, keys, sockets } = asked;
  const opened = async (): Promise<void> => {
    for (let begin = 0; begin < sockets; begin += atOnce) {
      const size = Math.min(atOnce, sockets - begin);
      await Promise.all(
        Array.from({ length: size }, (_value, index) => open(url, keys[(begin + index) % keys.length] ?? '')),
      );
    }
    tell({ told: 'open' });
  };
  opened().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
