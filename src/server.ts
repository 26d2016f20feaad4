import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { authenticate, credentialsOf, type RequestHeaders } from './authenticate.ts';
import { type App, RequestContext } from './context.ts';
import { QuittanceError } from './domain/errors.ts';
import { KnownQueries } from './graphql/compiled.ts';
import { isPlainPost, type Asked as KnownAsked, knownQueryIn, runKnown } from './graphql/direct.ts';
import { clientError, graphqlError, sceneOf } from './graphql/errors.ts';
import { openGraphql } from './graphql/server.ts';
import { openWebsocket } from './graphql/websocket.ts';
import { authPath } from './infra/auth.ts';
import { monotonicMs } from './infra/clock.ts';
import { openMetrics } from './infra/metrics.ts';
import { addressName, exceededHeaders, openRateLimits } from './infra/rate-limit.ts';
import { failure, type Reply, securityHeaders } from './rest/answer.ts';
import { callerName, openRest, rateLimited, responseOf, restPrefix, versionOf } from './rest/app.ts';
import { askedByNode, isPlain } from './rest/asked.ts';
import { idempotentMutations } from './rest/graphql-idempotency.ts';
import { schema } from './schema.ts';
import { openAccount } from './web/account.ts';
import { openPages } from './web/app.ts';
import { openStripeCallbacks } from './web/stripe-callbacks.ts';

/** The HTTP surface of a process. */
export type Surface = {
  readonly fetch: (request: Request, remoteAddress: string) => Response | Promise<Response>;
  /** Answers a request of Node's server by the shortest way, where there is one; false leaves it to `fetch`. */
  readonly answer: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean | Promise<boolean>;
  /** Serves WebSocket on the server; answers a function that closes its sockets and what the surface holds besides. */
  readonly attach: (server: Server) => () => Promise<void>;
};

type Variables = { requestId: string; remoteAddress: string };

const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' };

/** A refusal before execution: the table's status, the envelope of GraphQL. */
function refused(context: RequestContext, error: unknown, headers: Record<string, string> = {}): Reply {
  const shown = graphqlError(error, sceneOf(context));
  const { status, retryAfter } = shown.extensions;
  return {
    status: Number(status),
    headers: { 'Content-Type': 'application/json', ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }), ...headers },
    body: JSON.stringify({ errors: [shown] }),
  };
}

/** The surfaces in order: health and metrics, GraphQL, REST with its documents, pages. Every answer carries X-Request-Id (PLT-60). */
export function openSurface(app: App): Surface {
  const metrics = openMetrics(app.mail.outcomes);
  const limits = openRateLimits(app.config);
  const queries = new KnownQueries();
  const yoga = openGraphql(app, schema, [idempotentMutations(limits)], queries);
  const rest = openRest(app, schema, limits);
  const account = openAccount(app, limits);
  const pages = openPages(app);
  const stripeCallbacks = openStripeCallbacks(app);
  const hono = new Hono<{ Variables: Variables; Bindings: { remoteAddress: string } }>();

  type Answered = { readonly requestId: string; readonly method: string; readonly path: string; readonly status: number };

  /** Counts an answer, and tells of it where that is wanted. */
  const note = (surface: string, answered: Answered, began: number): void => {
    const milliseconds = monotonicMs() - began;
    metrics.answered(surface, answered.status, milliseconds / 1_000);
    if (app.log.isLevelEnabled('debug')) app.log.debug({ ...answered, milliseconds }, 'answered');
  };

  hono.use('*', async (c, next) => {
    const began = monotonicMs();
    const requestId = crypto.randomUUID();
    c.set('requestId', requestId);
    c.set('remoteAddress', c.env.remoteAddress);
    await next();
    c.res.headers.set('X-Request-Id', requestId);
    for (const [name, value] of Object.entries(securityHeaders)) c.res.headers.set(name, value);
    const [, surface = ''] = c.req.path.split('/');
    note(surface === 'api' ? 'rest' : surface, { requestId, method: c.req.method, path: c.req.path, status: c.res.status }, began);
  });

  // Off unless origins are named: keys do not belong into browsers (protocols C7).
  if (app.config.corsOrigins.length > 0) {
    const shared = cors({
      origin: [...app.config.corsOrigins],
      exposeHeaders: ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After'],
    });
    hono.use('/api/v1/*', shared);
    hono.use('/graphql', shared);
  }

  hono.get('/healthz', (c) => c.json({ status: 'ok' }));
  hono.get('/readyz', async (c) => {
    try {
      await app.database.query('SELECT 1');
      return c.json({ status: 'ready' });
    } catch {
      return c.json({ status: 'unavailable' }, 503);
    }
  });
  hono.get('/metrics', async () => new Response(await metrics.text(), { headers: { 'Content-Type': metrics.contentType } }));

  /** Settles who asks over GraphQL and counts the request; answers the refusal where there is one. */
  async function admit(context: RequestContext, headers: RequestHeaders, remoteAddress: string): Promise<Reply | null> {
    try {
      context.version = versionOf(headers.get('service-version'));
      await authenticate(context, credentialsOf(headers));
    } catch (error) {
      return refused(context, error);
    }
    const caller = context.isAuthenticated ? callerName(context) : addressName(remoteAddress);
    const allowance = await limits.take(caller, 'general');
    return allowance.isExceeded ? refused(context, rateLimited(), exceededHeaders(allowance)) : null;
  }

  hono.all('/graphql', async (c) => {
    const context = new RequestContext(app, c.get('requestId'));
    const { headers } = c.req.raw;
    const remoteAddress = c.get('remoteAddress');
    const refusal = await admit(context, { get: (name) => headers.get(name), all: () => headers }, remoteAddress);
    if (refusal !== null) return responseOf(refusal);
    const response = await yoga.fetch(c.req.raw, { requestContext: context, remoteAddress });
    // Yoga's answer is of another Response class on some platforms; Hono wants the global one.
    return new Response(response.body, { status: response.status, headers: response.headers });
  });

  hono.all(`${authPath}/*`, (c) => account(c.req.raw, c.get('requestId'), c.get('remoteAddress')));
  hono.get('/openapi.json', () => rest.openapi());
  hono.get('/docs', (c) => rest.docs(c.req.path, c.get('requestId')));
  hono.get('/docs/*', (c) => rest.docs(c.req.path, c.get('requestId')));
  hono.all('/api/v1/*', (c) => rest.fetch(c.req.raw, c.get('requestId'), c.get('remoteAddress')));
  hono.notFound(async (c) => {
    const page = (await pages(c.req.raw)) ?? (await stripeCallbacks(c.req.raw));
    if (page !== null) return page;
    const context = new RequestContext(app, c.get('requestId'));
    const error = new QuittanceError('not_found', `There is nothing at ${c.req.path}.`);
    const { status, body } = failure(clientError(error, sceneOf(context)));
    return new Response(body, { status, headers: { 'Content-Type': 'application/json' } });
  });

  const isShared = app.config.corsOrigins.length > 0;

  /** REST without the layers before it, which have nothing to add: its answers carry all headers themselves. */
  async function answerRest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<true> {
    const began = monotonicMs();
    const requestId = crypto.randomUUID();
    const asked = askedByNode(incoming);
    const { status, headers, body } = await rest.answer(asked, requestId);
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
    note('rest', { requestId, method: asked.method, path: asked.address, status }, began);
    return true;
  }

  /** What a known query came to. A failure is answered by the server, which knows how failures are shown and which status they have. */
  async function replyTo(query: KnownAsked, context: RequestContext, bytes: Uint8Array, remoteAddress: string): Promise<Reply> {
    const result = await runKnown(query, context);
    if (result.errors === undefined) return { status: 200, headers: jsonHeaders, body: JSON.stringify(result) };
    const request = new Request('http://localhost/graphql', { method: 'POST', headers: jsonHeaders, body: Buffer.from(bytes) });
    const response = await yoga.fetch(request, { requestContext: context, remoteAddress, result });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  }

  /** Answers a query that is known by the shortest way; false leaves the request, whose body was read, to the long one. */
  async function answerQuery(incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean> {
    const began = monotonicMs();
    const { method, address, headers: asked, remoteAddress, bytes: read } = askedByNode(incoming);
    // Nobody is left to be answered when a body breaks off.
    const bytes = await read(app.config.bodyLimitBytes).catch(() => null);
    if (bytes === null) return true;
    const query = knownQueryIn(bytes, queries, schema);
    if (query === null) {
      Object.assign(incoming, { rawBody: Buffer.from(bytes) });
      return false;
    }
    const requestId = crypto.randomUUID();
    const context = new RequestContext(app, requestId);
    const reply = async () => (await admit(context, asked, remoteAddress)) ?? (await replyTo(query, context, bytes, remoteAddress));
    const { status, headers, body } = await reply().catch((error: unknown) => refused(context, error));
    const everywhere = { 'X-Request-Id': requestId, ...securityHeaders, 'content-length': Buffer.byteLength(body) };
    outgoing.writeHead(status, { ...headers, ...everywhere }).end(body);
    note('graphql', { requestId, method, path: address, status }, began);
    return true;
  }

  /** Ends the connection of a request whose answer failed: nobody waits for ever, and the process goes on. */
  const ending = (outgoing: ServerResponse, answer: Promise<boolean>): Promise<boolean> =>
    answer.catch((error: unknown) => {
      app.log.error({ error }, 'A request could not be answered.');
      outgoing.destroy();
      return true;
    });

  return {
    fetch: (request, remoteAddress) => hono.fetch(request, { remoteAddress }),
    answer: (incoming, outgoing) => {
      if (isShared || !isPlain(incoming, app.config.bodyLimitBytes)) return false;
      if (isPlainPost(incoming)) return ending(outgoing, answerQuery(incoming, outgoing));
      const isRest = incoming.url?.startsWith(`${restPrefix}/`) === true;
      if (isRest) void ending(outgoing, answerRest(incoming, outgoing));
      return isRest;
    },
    attach: (server) => {
      const closeSockets = openWebsocket(app, yoga, server);
      return async () => {
        await closeSockets();
        await rest.close();
      };
    },
  };
}
