import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import {
  CloseCode,
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  type ServerOptions as ProtocolOptions,
  type SubscribePayload,
} from 'graphql-ws';
import { type Extra as SocketExtra, useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { authenticateCounted, callerName, takeRequests } from '../admission.ts';
import { authenticate, type Credentials } from '../authenticate.ts';
import { type App, RequestContext } from '../context.ts';
import { keyTopic } from '../platform/credentials.ts';
import { guarded } from '../platform/guard.ts';
import { addressName } from '../platform/rate-limit.ts';
import { errorContextOf, graphqlError } from './errors.ts';
import {
  executePrepared,
  prepareOperation,
  type SocketParts,
  subscribePrepared,
} from './socket-operations.ts';

/** What a socket may use. */
const socketLimits = { payloadBytes: 65_536, operations: 100, initMs: 10_000 } as const;

type ConnectionParameters = { apiKey?: unknown; token?: unknown };
type Kept = {
  parameters?: ConnectionParameters;
  caller?: string;
  operations?: Set<string>;
  idle?: NodeJS.Timeout | undefined;
};

type Extra = SocketExtra & Kept;

/** The credentials among connection parameters; what is no text is none. */
function credentialsIn({ apiKey, token }: ConnectionParameters): Credentials {
  return { key: typeof apiKey === 'string' ? apiKey : null, token: typeof token === 'string' ? token : null };
}

/** Counts the time a socket carries no operation, from now on, and closes it with 4408 when it is used up. */
function startIdling(app: App, extra: Kept, socket: WebSocket): void {
  clearTimeout(extra.idle);
  const close = guarded(app.log, 'An idle socket could not be closed.', () => socket.close(4408, 'Idle'));
  extra.idle = setTimeout(close, app.config.socketIdleMs);
  extra.idle.unref();
}

/** Closes the socket when the key it was opened with no longer works. */
function closeWithKey(
  app: App,
  ctx: RequestContext,
  parameters: ConnectionParameters,
  socket: WebSocket,
): void {
  if (ctx.caller.kind !== 'key') return;
  const stop = app.pubsub.onHint(keyTopic(ctx.caller.apiKeyId), () => {
    authenticate(new RequestContext(app, crypto.randomUUID()), credentialsIn(parameters)).catch(() =>
      socket.close(CloseCode.Forbidden, 'Forbidden'),
    );
  });
  socket.once('close', guarded(app.log, 'A closed socket is still watched for its key.', stop));
}

/** The path of a request target, which may be anything a client sent; null for one that is no address. */
function pathOf(target: string): string | null {
  const [path = ''] = target.split('?', 1);
  return path.startsWith('/') ? path : (URL.parse(target)?.pathname ?? null);
}

/** Answers an upgrade request that is not served, and closes its connection. */
function rejectUpgrade(socket: Duplex, status: '400 Bad Request' | '404 Not Found'): void {
  // No one reads from this connection any more, so that its other end leaving would not be noticed.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Serves what a socket asks for: its introduction, and each operation in a context of its own. */
function socketHooks(app: App, parts: SocketParts): ProtocolOptions<ConnectionParameters, Extra> {
  const { limits, senderOf } = parts;
  return {
    // A socket that never introduces itself carries nothing either.
    connectionInitWaitTimeout: Math.min(socketLimits.initMs, app.config.socketIdleMs),
    onConnect: async ({ connectionParams, extra }) => {
      const parameters = connectionParams ?? {};
      const ctx = new RequestContext(app, crypto.randomUUID());
      const remoteAddress = senderOf(extra.request);
      try {
        await authenticateCounted(ctx, credentialsIn(parameters), remoteAddress, limits);
      } catch {
        return false;
      }
      extra.caller = callerName(ctx, remoteAddress);
      extra.parameters = parameters;
      extra.operations = new Set();
      closeWithKey(app, ctx, parameters, extra.socket);
      startIdling(app, extra, extra.socket);
      extra.socket.once('close', () => clearTimeout(extra.idle));
      return true;
    },
    onSubscribe: async ({ extra }, id, payload) => {
      const ctx = new RequestContext(app, crypto.randomUUID());
      try {
        return await startOperation(ctx, parts, extra, id, payload);
      } catch (error) {
        if (extra.operations?.delete(id) && extra.operations.size === 0)
          startIdling(app, extra, extra.socket);
        return [graphqlError(error, errorContextOf(ctx))];
      }
    },
    onComplete: ({ extra }, id) => {
      extra.operations?.delete(id);
      if (extra.operations?.size === 0) startIdling(app, extra, extra.socket);
    },
    execute: executePrepared,
    subscribe: subscribePrepared,
  };
}

/** Counts an operation of a socket and makes it ready. Throws where it may not start. */
async function startOperation(
  ctx: RequestContext,
  parts: SocketParts,
  extra: Extra,
  id: string,
  payload: SubscribePayload,
): Promise<ExecutionArgs> {
  const remoteAddress = parts.senderOf(extra.request);
  await takeRequests(parts.limits, extra.caller ?? addressName(remoteAddress), 'general');
  const { operations = new Set() } = extra;
  if (operations.size >= socketLimits.operations)
    throw new GraphQLError(`A socket carries at most ${socketLimits.operations} operations immediately.`);
  operations.add(id);
  clearTimeout(extra.idle);
  await authenticate(ctx, credentialsIn(extra.parameters ?? {}));
  return prepareOperation(parts, ctx, payload, remoteAddress);
}

/** Takes upgrade requests for /graphql to the server of sockets; all others are rejected. */
function takeUpgrades(app: App, server: Server, sockets: WebSocketServer): void {
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Node takes its own listener away; a client that leaves now would end the process.
    socket.on('error', () => socket.destroy());
    const path = pathOf(request.url ?? '');
    if (path !== '/graphql')
      return rejectUpgrade(socket, path === null ? '400 Bad Request' : '404 Not Found');
    sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request));
  };
  server.on(
    'upgrade',
    guarded(app.log, 'A connection could not be upgraded.', upgrade, (_request, socket) => socket.destroy()),
  );
}

/**
 * Serves graphql-transport-ws on /graphql of the server: `connectionParams: { apiKey }` or `{ token }`. A wrong key closes with 4403; a
 * deleted one closes its sockets. Every operation has a context of its own, made when it starts, and counts as a request of the caller. What
 * is wrong with an operation ends that one alone, with an `error` message. Answers a function that closes all sockets.
 */
export function openWebsocket(app: App, server: Server, parts: SocketParts): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: socketLimits.payloadBytes });
  takeUpgrades(app, server, sockets);
  const disposable = useServer<ConnectionParameters, Kept>(socketHooks(app, parts), sockets);
  // A frame that is none is the client's mistake, which `ws` answers by closing. The library above prints each, and hears only the first of a
  // socket; a second one would end the process.
  sockets.on(
    'connection',
    guarded(app.log, 'A socket could not be opened.', (socket) =>
      socket.removeAllListeners('error').on('error', () => undefined),
    ),
  );
  // A client that offers other protocols only is taken at its first, so that it can be closed with 4406; with none the library would only end the connection.
  sockets.options.handleProtocols = (offered) =>
    offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : ([...offered][0] ?? false);
  return async () => {
    await disposable.dispose();
    sockets.close();
  };
}
