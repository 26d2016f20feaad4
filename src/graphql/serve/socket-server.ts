import type { IncomingMessage } from 'node:http';
import { CloseCode, makeServer, type ServerOptions } from 'graphql-ws';
import type { WebSocket, WebSocketServer } from 'ws';
import { guarded, type Reporter } from '../../platform/guard.ts';
import { startHeartbeat } from './socket-heartbeat.ts';

/** State that the protocol library keeps for each socket. */
export type Connection = { readonly socket: WebSocket; readonly request: IncomingMessage };

/**
 * Sends a message and waits until the operating system has accepted it, so that code that sends to a slow client also slows down.
 * Terminates the socket if sending fails.
 */
const send = (socket: WebSocket, text: string): Promise<void> =>
  new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(text, (error) => {
      if (error != null) socket.terminate();
      resolve();
    });
  });

/** Serves the graphql-transport-ws protocol on all sockets of a server. Returns a function that closes the sockets. */
export function serveSockets<P extends Record<string, unknown>, E extends Connection>(
  sockets: WebSocketServer,
  options: ServerOptions<P, E>,
  log: Reporter,
): () => Promise<void> {
  const protocol = makeServer<P, E>(options);
  const heartbeat = startHeartbeat(log);
  const open = (socket: WebSocket, request: IncomingMessage): void => {
    // The error event reports invalid frames and needs a listener. The library `ws` closes the socket.
    socket.on('error', () => undefined);
    heartbeat.add(socket);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => send(socket, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (heard) =>
          socket.on(
            'message',
            guarded(
              log,
              'A message of a socket could not be served.',
              (data: Buffer) => heard(String(data)),
              () => socket.close(CloseCode.InternalServerError, 'Internal server error'),
            ),
          ),
      },
      { socket, request } as E,
    );
    socket.once(
      'close',
      guarded(log, 'A closed socket could not be given up.', (code: number, reason: Buffer) =>
        closed(code, String(reason)),
      ),
    );
  };
  sockets.on(
    'connection',
    guarded(log, 'A socket could not be opened.', open, (socket) => socket.terminate()),
  );
  return async () => {
    heartbeat.stop();
    for (const socket of sockets.clients) socket.close(1001, 'Going away');
    sockets.removeAllListeners();
    await new Promise<void>((resolve) => sockets.close(() => resolve()));
  };
}
