import type { IncomingMessage, Server } from 'node:http';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { authenticate, type Credentials } from '../authenticate.ts';
import { type App, RequestContext } from '../context.ts';
import { keyTopic } from '../infra/credentials.ts';
import { graphqlError, sceneOf } from './errors.ts';
import type { openGraphql } from './server.ts';

/** What a socket may use (protocols A7). */
const socketLimits = { payloadBytes: 65_536, operations: 100, initMs: 10_000 } as const;

type ConnectionParameters = { apiKey?: unknown; token?: unknown };
type Kept = { parameters?: ConnectionParameters; operations?: Set<string>; idle?: NodeJS.Timeout | undefined };

/** The credentials among connection parameters; what is no text is none. */
function credentialsIn({ apiKey, token }: ConnectionParameters): Credentials {
  return { key: typeof apiKey === 'string' ? apiKey : null, token: typeof token === 'string' ? token : null };
}

/** Counts the time a socket carries no operation, from now on, and closes it with 4408 when it is used up. */
function startIdling(app: App, extra: Kept, socket: WebSocket): void {
  clearTimeout(extra.idle);
  extra.idle = setTimeout(() => socket.close(4408, 'Idle'), app.config.socketIdleMs);
  extra.idle.unref();
}

/** Closes the socket when the key it was opened with no longer works. */
function closeWithKey(app: App, context: RequestContext, parameters: ConnectionParameters, socket: WebSocket): void {
  if (context.caller.kind !== 'key') return;
  const stop = app.pubsub.onHint(keyTopic(context.caller.apiKeyId), () => {
    authenticate(new RequestContext(app, crypto.randomUUID()), credentialsIn(parameters)).catch(() =>
      socket.close(CloseCode.Forbidden, 'Forbidden'),
    );
  });
  socket.once('close', stop);
}

/**
 * Serves graphql-transport-ws on /graphql of the server: `connectionParams: { apiKey }` or `{ token }`. A wrong key closes with 4403; a
 * deleted one closes its sockets. Every operation has a context of its own, made when it starts. Answers a function that closes all sockets.
 */
export function openWebsocket(app: App, yoga: ReturnType<typeof openGraphql>, server: Server): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: socketLimits.payloadBytes });
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/graphql') {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request));
  });
  const disposable = useServer<ConnectionParameters, Kept>(
    {
      // A socket that never introduces itself carries nothing either.
      connectionInitWaitTimeout: Math.min(socketLimits.initMs, app.config.socketIdleMs),
      onConnect: async ({ connectionParams, extra }) => {
        const parameters = connectionParams ?? {};
        const context = new RequestContext(app, crypto.randomUUID());
        try {
          await authenticate(context, credentialsIn(parameters));
        } catch {
          return false;
        }
        extra.parameters = parameters;
        extra.operations = new Set();
        closeWithKey(app, context, parameters, extra.socket);
        startIdling(app, extra, extra.socket);
        extra.socket.once('close', () => clearTimeout(extra.idle));
        return true;
      },
      onSubscribe: async ({ extra }, id, payload) => {
        const context = new RequestContext(app, crypto.randomUUID());
        try {
          if ((extra.operations?.size ?? 0) >= socketLimits.operations) {
            throw new GraphQLError(`A socket carries at most ${socketLimits.operations} operations at once.`);
          }
          await authenticate(context, credentialsIn(extra.parameters ?? {}));
        } catch (error) {
          return [graphqlError(error, sceneOf(context))];
        }
        const enveloped = yoga.getEnveloped({
          requestContext: context,
          remoteAddress: '',
          params: payload,
          request: requestOf(extra.request),
        } as never);
        const document = parsed(() => enveloped.parse(payload.query));
        if (document instanceof GraphQLError) return [graphqlError(document, sceneOf(context))];
        const errors = enveloped.validate(enveloped.schema, document);
        if (errors.length > 0) return errors.map((error: GraphQLError) => graphqlError(error, sceneOf(context)));
        extra.operations?.add(id);
        clearTimeout(extra.idle);
        return {
          schema: enveloped.schema,
          document,
          operationName: payload.operationName,
          variableValues: payload.variables,
          contextValue: await enveloped.contextFactory(),
          rootValue: { execute: enveloped.execute, subscribe: enveloped.subscribe },
        } as ExecutionArgs;
      },
      onComplete: ({ extra }, id) => {
        extra.operations?.delete(id);
        if (extra.operations?.size === 0) startIdling(app, extra, extra.socket);
      },
      execute: (args) => (args.rootValue as Enveloped).execute(args),
      subscribe: (args) => (args.rootValue as Enveloped).subscribe(args),
    },
    sockets,
  );
  // A client that offers other protocols only is taken at its first, so that it can be told 4406; with none its library would just give up.
  sockets.options.handleProtocols = (offered) =>
    offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : ([...offered][0] ?? false);
  return async () => {
    await disposable.dispose();
    sockets.close();
  };
}

type Enveloped = { execute: (args: ExecutionArgs) => never; subscribe: (args: ExecutionArgs) => never };

const requestOf = (request: IncomingMessage): Request => new Request(new URL(request.url ?? '/graphql', 'http://localhost'));

function parsed<T>(parse: () => T): T | GraphQLError {
  try {
    return parse();
  } catch (error) {
    return error instanceof GraphQLError ? error : new GraphQLError('The document cannot be parsed.');
  }
}
