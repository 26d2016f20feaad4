import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { authenticate, credentialsOf } from './authenticate.ts';
import { type App, RequestContext } from './context.ts';
import { QuittanceError } from './domain/errors.ts';
import { clientError, graphqlError, sceneOf } from './graphql/errors.ts';
import { openGraphql } from './graphql/server.ts';
import { openWebsocket } from './graphql/websocket.ts';
import { authPath } from './infra/auth.ts';
import { monotonicMs } from './infra/clock.ts';
import { openMetrics } from './infra/metrics.ts';
import { addressName, exceededHeaders, openRateLimits } from './infra/rate-limit.ts';
import { failure, securityHeaders } from './rest/answer.ts';
import { callerName, openRest, rateLimited, restPrefix, versionOf } from './rest/app.ts';
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
  readonly answer: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** Serves WebSocket on the server; answers a function that closes its sockets and what the surface holds besides. */
  readonly attach: (server: Server) => () => Promise<void>;
};

type Variables = { requestId: string; remoteAddress: string };

/** A refusal before execution: the table's status, the envelope of GraphQL. */
function refused(context: RequestContext, error: unknown, headers: Record<string, string> = {}): Response {
  const shown = graphqlError(error, sceneOf(context));
  const { status, retryAfter } = shown.extensions;
  return new Response(JSON.stringify({ errors: [shown] }), {
    status: Number(status),
    headers: { 'Content-Type': 'application/json', ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }), ...headers },
  });
}

/** The surfaces in order: health and metrics, GraphQL, REST with its documents, pages. Every answer carries X-Request-Id (PLT-60). */
export function openSurface(app: App): Surface {
  const metrics = openMetrics(app.mail.outcomes);
  const limits = openRateLimits(app.config);
  const yoga = openGraphql(app, schema, [idempotentMutations(limits)]);
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

  hono.all('/graphql', async (c) => {
    const context = new RequestContext(app, c.get('requestId'));
    try {
      context.version = versionOf(c.req.header('service-version') ?? null);
      const { headers } = c.req.raw;
      await authenticate(context, credentialsOf({ get: (name) => headers.get(name), all: () => headers }));
    } catch (error) {
      return refused(context, error);
    }
    const caller = context.isAuthenticated ? callerName(context) : addressName(c.get('remoteAddress'));
    const allowance = await limits.take(caller, 'general');
    if (allowance.isExceeded) return refused(context, rateLimited(), exceededHeaders(allowance));
    const response = await yoga.fetch(c.req.raw, { requestContext: context, remoteAddress: c.get('remoteAddress') });
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
  async function answerRest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const began = monotonicMs();
    const requestId = crypto.randomUUID();
    const asked = askedByNode(incoming);
    const { status, headers, body } = await rest.answer(asked, requestId);
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
    note('rest', { requestId, method: asked.method, path: asked.address, status }, began);
  }

  return {
    fetch: (request, remoteAddress) => hono.fetch(request, { remoteAddress }),
    answer: (incoming, outgoing) => {
      const isDirect = !isShared && incoming.url?.startsWith(`${restPrefix}/`) === true && isPlain(incoming, app.config.bodyLimitBytes);
      if (isDirect) void answerRest(incoming, outgoing);
      return isDirect;
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
