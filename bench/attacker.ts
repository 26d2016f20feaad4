import { WebSocket } from 'ws';

// Simulates attacks by a tenant in a separate process. `node bench/attacker.ts <address> <key> <attack> <seconds>` repeats an attack and prints the
// number of responses by status.

/** Sends a request as the tenant and returns the response status. */
export type Send = (method: string, path: string, body?: unknown) => Promise<number>;

export const sender =
  (url: string, key: string): Send =>
  async (method, path, body) => {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await response.body?.pipeTo(new WritableStream());
      return response.status;
    } catch {
      return 0;
    }
  };

const aliased = (count: number, field: string): string =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`;

/** Opens `count` sockets with 20 live fields each, triggers ten events, and closes the sockets. */
async function floodSockets(url: string, key: string, count: number, send: Send): Promise<number[]> {
  const open = Array.from({ length: count }, async () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, ['graphql-transport-ws']);
    socket.on('error', () => undefined);
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { apiKey: key } })),
    );
    socket.once('message', () => {
      for (let id = 0; id < 20; id++)
        socket.send(
          JSON.stringify({
            type: 'subscribe',
            id: String(id),
            payload: { query: 'subscription { eventStream { id } }' },
          }),
        );
      resolve();
    });
    socket.on('close', () => resolve());
    await promise;
    return socket;
  });
  const sockets = await Promise.all(open);
  const statuses: number[] = [];
  for (let index = 0; index < 10; index++)
    statuses.push(await send('POST', '/api/v1/customers', { email: `flood${index}@example.com` }));
  for (const socket of sockets) socket.terminate();
  return statuses;
}

/** Attack by a tenant. `run` executes the attack once and returns the response statuses. */
type Attack = { readonly name: string; readonly run: () => Promise<readonly number[]> };

function attacksOf(url: string, key: string): readonly Attack[] {
  const send = sender(url, key);
  const ask = (query: string) => send('POST', '/graphql', { query });
  const together = (count: number, one: (index: number) => Promise<number>) =>
    Promise.all(Array.from({ length: count }, (_, index) => one(index)));
  const list = (size: number) => `customers(first: ${size}) { edges { node { metadata } } }`;
  const simulate = '{ testClockSimulate(input: { until: "2045-01-01T00:00:00Z" }) { targetTime } }';
  return [
    {
      name: '50 aliases of ledgerVerify',
      run: () => together(1, () => ask(aliased(50, 'ledgerVerify { ok }'))),
    },
    {
      name: '4 aliases of ledgerVerify',
      run: () => together(1, () => ask(aliased(4, 'ledgerVerify { ok }'))),
    },
    { name: '20 concurrent ledgerVerify', run: () => together(20, () => ask('{ ledgerVerify { ok } }')) },
    { name: '50 concurrent metricsVerify', run: () => together(50, () => ask('{ metricsVerify { ok } }')) },
    { name: '8 concurrent testClockSimulate', run: () => together(8, () => ask(simulate)) },
    {
      name: 'streams of all events and of 64 KiB rows',
      run: () =>
        Promise.all([
          send('GET', '/api/v1/exports/stream?kind=events&format=ndjson'),
          send('GET', '/api/v1/exports/stream?kind=customers&format=csv'),
        ]),
    },
    {
      name: '4 aliases of 100 × 64 KiB, 4 concurrent',
      run: () => together(4, () => ask(aliased(4, list(100)))),
    },
    { name: '50 aliases of 100 × 64 KiB', run: () => together(4, () => ask(aliased(50, list(100)))) },
    {
      name: '20 pages of 100 × 64 KiB over REST',
      run: () => together(20, () => send('GET', '/api/v1/customers?limit=100')),
    },
    { name: '1,500 sockets × 20 live fields', run: () => floodSockets(url, key, 1_500, send) },
  ];
}

export const attackNames = attacksOf('', '').map(({ name }) => name);

const [, , url = '', key = '', wanted = '', seconds = '0'] = process.argv;
const attack = import.meta.main ? attacksOf(url, key).find(({ name }) => name === wanted) : undefined;
if (attack !== undefined) {
  const answers: Record<string, number> = {};
  const until = performance.now() + Number(seconds) * 1_000;
  while (performance.now() < until)
    for (const status of await attack.run()) answers[status] = (answers[status] ?? 0) + 1;
  process.stdout.write(JSON.stringify(answers));
  // Exits even if requests and sockets are still open.
  process.exit(0);
}
