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
import { QuittanceError } from '../../domain/errors/errors.ts';
import type { LiveMember } from '../../identity/live-tickets.ts';
import { guarded } from '../../platform/guard.ts';
import { addressName } from '../../platform/rate-limit.ts';
import {
  admitTicket,
  authenticateCounted,
  callerName,
  noteSender,
  takeRequests,
} from '../../request/admission.ts';
import { authenticate, authenticateMember, type Credentials } from '../../request/authenticate.ts';
import { type App, RequestContext } from '../../request/context.ts';
import { inLaterTurn } from '../../request/turn.ts';
import { errorContextOf, graphqlError } from '../declare/errors.ts';
import { liveCallers } from '../live/live-callers.ts';
import { countSocket } from '../live/live-limits.ts';
import { prepareOperation, type SocketParts, socketExecution } from './socket-operations.ts';
import { type Connection, serveSockets } from './socket-server.ts';

const socketLimits = { payloadBytes: 65_536, operations: 100, initMs: 10_000 } as const;

type ConnectionParameters = { apiKey?: unknown; token?: unknown; ticket?: unknown };

/** State of a socket after its `connection_init` message was accepted. */
type Introduced = {
  /** Authenticates the caller of an operation. */
  readonly identify: (ctx: RequestContext) => Promise<unknown>;
  /** Name of the queue for the socket's operations. */
  readonly turn: string;
  /** Rate limit key for counting the operations. */
  readonly caller: string;
  readonly operations: Set<string>;
  idle: NodeJS.Timeout | undefined;
};

/** Close code for callers with too many sockets. The client can retry later. */
const tryAgainLater = 1013;

type Extra = Connection & { introduced?: Introduced };

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Starts the idle timer. Closes the socket with code 4408 if no operation starts in time. */
function startIdling(app: App, introduced: Introduced, socket: WebSocket): void {
  clearTimeout(introduced.idle);
  const close = guarded(app.log, 'An idle socket could not be closed.', () => socket.close(4408, 'Idle'));
  introduced.idle = setTimeout(close, app.config.socketIdleMs);
  introduced.idle.unref();
}

/** Counts a caller's socket until it closes. If the caller has too many sockets, closes this socket with code 1013 and returns false. */
function admitSocket(app: App, ctx: RequestContext, socket: WebSocket): boolean {
  if (!ctx.isAuthenticated) return true;
  try {
    socket.once('close', guarded(app.log, 'A closed socket is still counted.', countSocket(ctx)));
    return true;
  } catch {
    socket.close(tryAgainLater, 'Too many sockets');
    return false;
  }
}

/** Closes the socket with code 4403 when the caller loses access. */
function closeWithCaller(app: App, ctx: RequestContext, socket: WebSocket): void {
  if (!ctx.isAuthenticated) return;
  const { leave } = liveCallers(app).watch(ctx, () => socket.close(CloseCode.Forbidden, 'Forbidden'));
  socket.once('close', guarded(app.log, 'A closed socket is still watched for its caller.', leave));
}

/**
 * Authenticates a socket with its connection parameters. Returns a function that authenticates the socket's operations. Throws if the
 * credentials are invalid.
 */
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

/** Returns the path in a request target. `null` if the target isn't a valid URL. */
function pathOf(target: string): string | null {
  const [path = ''] = target.split('?', 1);
  return path.startsWith('/') ? path : (URL.parse(target)?.pathname ?? null);
}

/** Rejects an upgrade request and closes its connection. */
function rejectUpgrade(socket: Duplex, status: '400 Bad Request' | '404 Not Found'): void {
  // The connection is no longer read, so a disconnect wouldn't be detected.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Returns the protocol callbacks for connections and operations. Each operation has its own context. */
function socketHooks(app: App, parts: SocketParts): ProtocolOptions<ConnectionParameters, Extra> {
  return {
    // The idle timeout also applies to sockets that haven't been initialized.
    connectionInitWaitTimeout: Math.min(socketLimits.initMs, app.config.socketIdleMs),
    onConnect: async ({ connectionParams, extra }) => {
      const ctx = new RequestContext(app, crypto.randomUUID());
      const remoteAddress = parts.senderOf(extra.request);
      let identify: Introduced['identify'];
      try {
        // The caller isn't authenticated yet, so sockets are queued by IP address.
        await inLaterTurn(app, addressName(remoteAddress));
        identify = await introduce(ctx, connectionParams ?? {}, remoteAddress, parts);
      } catch {
        return false;
      }
      if (!admitSocket(app, ctx, extra.socket)) return false;
      const introduced: Introduced = {
        identify,
        turn: ctx.isAuthenticated ? ctx.environment.id : addressName(remoteAddress),
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
 * Authenticates an operation's caller. If the socket's caller has lost access, closes the socket instead of returning an error. Clients
 * restart operations after a reconnect, but not after an error.
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

/** Counts an operation toward the rate limit and prepares it. Throws if the operation can't start. */
async function startOperation(
  ctx: RequestContext,
  parts: SocketParts,
  { introduced, request, socket }: Extra,
  id: string,
  payload: SubscribePayload,
): Promise<ExecutionArgs> {
  noteSender(ctx, parts.senderOf(request), parts.limits);
  await takeRequests(parts.limits, introduced?.caller ?? addressName(parts.senderOf(request)), 'general');
  if (introduced === undefined) throw new GraphQLError("The socket hasn't sent connection_init.");
  const { operations } = introduced;
  if (operations.size >= socketLimits.operations)
    throw new GraphQLError(`A socket can run up to ${socketLimits.operations} operations at the same time.`);
  operations.add(id);
  clearTimeout(introduced.idle);
  await inLaterTurn(ctx.app, introduced.turn);
  await identifyOrClose(ctx, introduced, socket);
  return prepareOperation(parts, ctx, payload);
}

/** Removes a completed operation. If no operations remain, the idle timer starts. */
function endOperation(app: App, { introduced, socket }: Extra, id: string): void {
  if (introduced?.operations.delete(id) && introduced.operations.size === 0)
    startIdling(app, introduced, socket);
}

/** Passes upgrade requests for `/graphql` to the WebSocket server. Rejects upgrade requests that `upgradeOther` doesn't handle either. */
function takeUpgrades(
  app: App,
  server: Server,
  sockets: WebSocketServer,
  { upgradeOther }: SocketParts,
): void {
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Adds an error listener, because Node removes its listener on upgrades. Without a listener, a disconnect would end the process.
    socket.on('error', () => socket.destroy());
    const path = pathOf(request.url ?? '');
    if (path !== '/graphql' && upgradeOther?.(request, socket, head) === true) return;
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
 * Serves the graphql-transport-ws protocol at `/graphql`. `connectionParams` must contain `apiKey`, `token`, or `ticket`. Closes the socket
 * with code 4403 if the credentials are invalid or the caller loses access, and with code 1013 if the caller has too many sockets. Each
 * operation counts toward the caller's rate limit. An invalid operation ends without closing the socket. Returns a function that closes all
 * sockets.
 */
export function openWebsocket(app: App, server: Server, parts: SocketParts): () => Promise<void> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: socketLimits.payloadBytes,
    // Messages are small, and each compressor would use more memory than the rest of its socket.
    perMessageDeflate: false,
    // Accepts clients that don't support the protocol, so that the socket can be closed with code 4406. Rejecting the handshake would give
    // the client no reason.
    handleProtocols: (offered) =>
      offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : ([...offered][0] ?? false),
  });
  takeUpgrades(app, server, sockets, parts);
  return serveSockets(sockets, socketHooks(app, parts), app.log);
}
