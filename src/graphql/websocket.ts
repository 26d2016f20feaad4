import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import {
  CloseCode,
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  type ServerOptions as ProtocolOptions,
  type SubscribePayload,
} from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { admitTicket, authenticateCounted, callerName, noteSender, takeRequests } from '../admission.ts';
import { authenticate, authenticateMember, type Credentials } from '../authenticate.ts';
import { type App, RequestContext } from '../context.ts';
import { QuittanceError } from '../domain/errors.ts';
import type { LiveMember } from '../identity/live-tickets.ts';
import { guarded } from '../platform/guard.ts';
import { addressName } from '../platform/rate-limit.ts';
import { errorContextOf, graphqlError } from './errors.ts';
import { liveCallers } from './live-callers.ts';
import { prepareOperation, type SocketParts, socketExecution } from './socket-operations.ts';
import { type Connection, serveSockets } from './socket-server.ts';

/** What a socket may use. */
const socketLimits = { payloadBytes: 65_536, operations: 100, initMs: 10_000 } as const;

type ConnectionParameters = { apiKey?: unknown; token?: unknown; ticket?: unknown };

/** What is known of a socket that introduced itself. */
type Introduced = {
  /** Settles the caller of an operation. */
  readonly identify: (ctx: RequestContext) => Promise<unknown>;
  /** Whose window its operations count in. */
  readonly caller: string;
  readonly operations: Set<string>;
  idle: NodeJS.Timeout | undefined;
};

type Extra = Connection & { introduced?: Introduced };

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Counts the time a socket carries no operation, from now on, and closes it with 4408 when it is used up. */
function startIdling(app: App, introduced: Introduced, socket: WebSocket): void {
  clearTimeout(introduced.idle);
  const close = guarded(app.log, 'An idle socket could not be closed.', () => socket.close(4408, 'Idle'));
  introduced.idle = setTimeout(close, app.config.socketIdleMs);
  introduced.idle.unref();
}

/** Closes the socket with 4403 when its caller may not go on. */
function closeWithCaller(app: App, ctx: RequestContext, socket: WebSocket): void {
  if (!ctx.isAuthenticated) return;
  const { leave } = liveCallers(app).watch(ctx, () => socket.close(CloseCode.Forbidden, 'Forbidden'));
  socket.once('close', guarded(app.log, 'A closed socket is still watched for its caller.', leave));
}

/** Settles who a socket is by what it introduces itself with. Answers how its operations settle that. Throws for what is not good. */
async function introduce(
  ctx: RequestContext,
  { apiKey, token, ticket }: ConnectionParameters,
  remoteAddress: string,
  { limits }: SocketParts,
): Promise<Introduced['identify']> {
  const credentials: Credentials = { key: textOf(apiKey), token: textOf(token) };
  const ticketText = textOf(ticket);
  if (ticketText && !credentials.key && !credentials.token) {
    const member: LiveMember = await admitTicket(ctx, ticketText, remoteAddress, limits);
    return (operation) => authenticateMember(operation, member);
  }
  await authenticateCounted(ctx, credentials, remoteAddress, limits);
  return (operation) => authenticate(operation, credentials);
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
  return {
    // A socket that never introduces itself carries nothing either.
    connectionInitWaitTimeout: Math.min(socketLimits.initMs, app.config.socketIdleMs),
    onConnect: async ({ connectionParams, extra }) => {
      const ctx = new RequestContext(app, crypto.randomUUID());
      const remoteAddress = parts.senderOf(extra.request);
      let identify: Introduced['identify'];
      try {
        identify = await introduce(ctx, connectionParams ?? {}, remoteAddress, parts);
      } catch {
        return false;
      }
      const introduced: Introduced = {
        identify,
        caller: callerName(ctx, remoteAddress),
        operations: new Set(),
        idle: undefined,
      };
      extra.introduced = introduced;
      closeWithCaller(app, ctx, extra.socket);
      startIdling(app, introduced, extra.socket);
      extra.socket.once('close', () => clearTimeout(introduced.idle));
      return true;
    },
    onSubscribe: async ({ extra }, id, payload) => {
      const ctx = new RequestContext(app, crypto.randomUUID());
      try {
        return await startOperation(ctx, parts, extra, id, payload);
      } catch (error) {
        endOperation(app, extra, id);
        return [graphqlError(error, errorContextOf(ctx))];
      }
    },
    onComplete: ({ extra }, id) => endOperation(app, extra, id),
    ...socketExecution(parts),
  };
}

/**
 * Settles the caller of an operation. Where the one behind the socket may not go on, it is closed at once: an answer would end the operation for good, while clients begin
 * again what a closed socket carried, once there is somebody to ask as.
 */
async function identifyOrClose(
  ctx: RequestContext,
  { identify }: Introduced,
  socket: WebSocket,
): Promise<void> {
  try {
    await identify(ctx);
  } catch (error) {
    if (error instanceof QuittanceError && error.code === 'unauthorized')
      socket.close(CloseCode.Forbidden, 'Forbidden');
    throw error;
  }
}

/** Counts an operation of a socket and makes it ready. Throws where it may not start. */
async function startOperation(
  ctx: RequestContext,
  parts: SocketParts,
  { introduced, request, socket }: Extra,
  id: string,
  payload: SubscribePayload,
): Promise<ExecutionArgs> {
  noteSender(ctx, parts.senderOf(request), parts.limits);
  await takeRequests(parts.limits, introduced?.caller ?? addressName(parts.senderOf(request)), 'general');
  if (introduced === undefined) throw new GraphQLError('The socket has not introduced itself.');
  const { operations } = introduced;
  if (operations.size >= socketLimits.operations)
    throw new GraphQLError(`A socket carries at most ${socketLimits.operations} operations immediately.`);
  operations.add(id);
  clearTimeout(introduced.idle);
  await identifyOrClose(ctx, introduced, socket);
  return prepareOperation(parts, ctx, payload);
}

/** Notes that an operation has ended; without any the socket idles. */
function endOperation(app: App, { introduced, socket }: Extra, id: string): void {
  if (introduced?.operations.delete(id) && introduced.operations.size === 0)
    startIdling(app, introduced, socket);
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
 * Serves graphql-transport-ws on /graphql of the server: `connectionParams` `{ apiKey }`, `{ token }` or `{ ticket }`. A wrong one closes with 4403, and
 * so does the end of the key, session or membership behind it. Every operation has a context of its own, made when it starts, and counts
 * as a request of the caller. What is wrong with an operation ends that one alone, with an `error` message. Answers a function that closes
 * all sockets.
 */
export function openWebsocket(app: App, server: Server, parts: SocketParts): () => Promise<void> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: socketLimits.payloadBytes,
    // Messages are small, and a compressor takes more memory than all else of a socket.
    perMessageDeflate: false,
    // A client that offers other protocols only is taken at its first, so that it can be closed with 4406; with none the connection would only end.
    handleProtocols: (offered) =>
      offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : ([...offered][0] ?? false),
  });
  takeUpgrades(app, server, sockets);
  return serveSockets(sockets, socketHooks(app, parts), app.log);
}
