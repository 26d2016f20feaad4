import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buildSchema } from 'graphql';
import { MessageType } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type Connection, serveSockets } from '../../src/graphql/serve/socket-server.ts';

// If a client has disconnected, sending to it must not count as a service error.

test('a message to a disconnected client is dropped silently', async () => {
  const said: unknown[] = [];
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  const opened = Promise.withResolvers<void>();
  const stop = serveSockets<Record<string, unknown>, Connection>(
    sockets,
    {
      schema: buildSchema('type Query { ok: Boolean }'),
      // Closes the connection after the message arrives and before the response is sent.
      onConnect: ({ extra }) => {
        (extra.socket as unknown as { readonly _socket: Socket })._socket.destroy();
        expect(extra.socket.readyState).toBe(WebSocket.OPEN);
        opened.resolve();
      },
    },
    { error: (...about: unknown[]) => void said.push(about) } as never,
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`, 'graphql-transport-ws');
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.once('open', () => client.send(JSON.stringify({ type: MessageType.ConnectionInit })));
  await opened.promise;
  await closed;
  await expect.poll(() => sockets.clients.size).toBe(0);
  expect(said).toEqual([]);
  await stop();
  await new Promise((resolve) => server.close(resolve));
});
