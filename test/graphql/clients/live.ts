import { createClient as createSseClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createActiveSubscription, createCustomer } from '../../support/factories.ts';
import type { World } from './world.ts';

type Run = { readonly status: string; readonly completedDeadlineCount: number };
type Progress = { readonly testClockRunProgress: Run };

const progressText = `subscription Progress($id: ID!) { testClockRunProgress(id: $id) { id status completedDeadlineCount } }`;
const streamText = `subscription Stream($after: SafeInt) { eventStream(afterPosition: $after) { event position data } }`;

/** Starts a clock run with three renewals in the sandbox. Returns the run's ID. */
async function beginRun({ t, shop }: World): Promise<string> {
  await createActiveSubscription(shop);
  const { testClockAdvance } = await t.graphql<{ testClockAdvance: { id: string } }>(
    'mutation { testClockAdvance(input: { advanceDays: 95 }) { id } }',
    {},
    { key: shop.key },
  );
  return testClockAdvance.id;
}

/** Returns a WebSocket class whose connections a test can cut without a close handshake. */
function cuttable(): {
  readonly Socket: new (address: string | URL, protocols?: string | string[]) => WebSocket;
  readonly cut: () => void;
  readonly count: () => number;
} {
  const sockets: WebSocket[] = [];
  class Socket extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      sockets.push(this);
    }
  }
  return { Socket, cut: () => sockets.at(-1)?.terminate(), count: () => sockets.length };
}

const socketClient = ({ url, headers }: World, webSocketImpl: unknown) =>
  createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl,
    connectionParams: { apiKey: headers['x-api-key'] },
    retryAttempts: 10,
    retryWait: async () => undefined,
    shouldRetry: () => true,
  });

/** Tests graphql-ws and graphql-sse. */
export function liveTests(world: () => World): void {
  test('graphql-ws follows a test clock run to its end after a lost connection', async () => {
    const { Socket, cut, count } = cuttable();
    const client = socketClient(world(), Socket);
    const statuses: string[] = [];
    const id = await beginRun(world());
    for await (const { data } of client.iterate<Progress>({
      query: progressText,
      variables: { id },
    })) {
      statuses.push(data?.testClockRunProgress.status ?? '');
      if (statuses.length === 1) cut();
    }
    expect(statuses.at(-1)).toBe('completed');
    expect(count()).toBe(2);
    await client.dispose();
  });

  test('graphql-ws receives every event after three lost connections if it resumes by position', async () => {
    const { shop } = world();
    const { Socket, cut, count } = cuttable();
    const client = socketClient(world(), Socket);
    const created: string[] = [(await createCustomer(shop)).id];
    const seen: string[] = [];
    // Variables of the subscription. The client reads them for each connection, so a reconnect sends the current value.
    const variables: { after: number } = { after: 0 };
    type Stream = { eventStream: { event: string; position: number; data: { id: string } } };
    for await (const { data } of client.iterate<Stream>({ query: streamText, variables })) {
      if (data == null) continue;
      const { event, position, data: customer } = data.eventStream;
      expect(position).toBeGreaterThan(variables.after);
      variables.after = position;
      if (event !== 'customer_created') continue;
      seen.push(customer.id);
      if (seen.at(-1) !== created.at(-1)) continue;
      if (created.length === 10) break;
      if (created.length % 3 === 0) cut();
      created.push((await createCustomer(shop)).id);
    }
    expect(seen.slice(-10)).toEqual(created);
    expect(new Set(seen).size).toBe(seen.length);
    expect(count()).toBe(4);
    await client.dispose();
  });

  test('graphql-sse follows a test clock run to its end', async () => {
    const { url, headers } = world();
    const client = createSseClient({ url, headers: { ...headers } });
    const id = await beginRun(world());
    const statuses: string[] = [];
    for await (const { data } of client.iterate<Progress>({ query: progressText, variables: { id } }))
      statuses.push(data?.testClockRunProgress.status ?? '');
    expect(statuses.at(-1)).toBe('completed');
    client.dispose();
  });
}
