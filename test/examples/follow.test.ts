import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClient } from '../../examples/client.ts';
import { exampleOf } from '../../src/domain/events/payloads/fields.ts';
import { eventPayloads } from '../../src/domain/events/payloads/payloads.ts';
import { inTransaction, recordEvents } from '../../src/request/transaction.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// The example client must not lose or repeat events if its connection breaks.

let t: TestApp;
let server: Server;
const sockets = new Set<Socket>();

/** Proxies connections to the service, and can close them. */
beforeAll(async () => {
  t = await startApp();
  const { port } = new URL(t.url);
  server = createServer((incoming) => {
    const outgoing = connect(Number(port), '127.0.0.1');
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  await t.close();
});

const stream =
  'subscription ($afterPosition: SafeInt) { eventStream(afterPosition: $afterPosition) { position data } }';

test('the follow example receives 500 events in order, each once, even if its connection breaks twice', async () => {
  const { port } = server.address() as AddressInfo;
  const client = openClient(`http://127.0.0.1:${port}`, t.sandboxKey);
  const ctx = await t.context();
  const write = async (): Promise<void> => {
    for (let count = 0; count < 500; count += 10) {
      const events = Array.from({ length: 10 }, (_value, index) => ({
        kind: 'customer.updated',
        occurredAt: ctx.clock.now(),
        customerId: null,
        subscriptionId: null,
        data: { ...exampleOf(eventPayloads['customer.updated']), metadata: { number: `${count + index}` } },
      }));
      await inTransaction(ctx, (tx) => recordEvents(tx, events));
    }
  };
  const writing = write();
  const numbers: number[] = [];
  const positions: number[] = [];
  type Told = { eventStream: { position: number; data: { metadata: { number: string } } } };
  for await (const { eventStream } of client.follow<Told>(stream, { afterPosition: 0 })) {
    numbers.push(Number(eventStream.data.metadata.number));
    positions.push(eventStream.position);
    if (numbers.length === 120 || numbers.length === 310) for (const socket of sockets) socket.destroy();
    if (numbers.length === 500) break;
  }
  await writing;
  expect(numbers).toEqual(Array.from({ length: 500 }, (_value, index) => index));
  expect(positions).toEqual(Array.from({ length: 500 }, (_value, index) => index + 1));
});
