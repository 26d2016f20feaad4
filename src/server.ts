import type { Server } from 'node:http';
import { type App, RequestContext } from './context.ts';
import { openWebsocket } from './graphql/websocket.ts';
import { openGraphqlHttp } from './http/graphql.ts';
import { type Answered, type Handler, openHandler } from './http/handler.ts';
import { healthRoutes } from './http/health.ts';
import { metricsReply, metricsRoutes } from './http/metrics.ts';
import type { MetricsRequest } from './http/metrics-access.ts';
import type { Reply } from './http/reply.ts';
import { senderOf } from './http/request.ts';
import { idempotentMutations } from './idempotency/graphql.ts';
import { type Metrics, openMetrics } from './platform/metrics.ts';
import { openRateLimits } from './platform/rate-limit.ts';
import { failedReply } from './rest/answer.ts';
import { restRoutes } from './rest/app.ts';
import { schema } from './schema.ts';
import { accountRoutes } from './web/account.ts';
import { pageRoutes } from './web/app.ts';
import { dashboardRoutes } from './web/dashboard.ts';
import { loggedPath } from './web/logged-path.ts';
import { stripeRoutes } from './web/stripe-callbacks.ts';
import { openWebBuilds } from './web/web-build.ts';

/** What a process offers over HTTP. */
export type Surface = Handler & {
  /** Answers a request for the metrics, on whichever port it came. Never throws. */
  readonly metrics: (request: MetricsRequest) => Promise<Reply>;
  /** From now on `/readyz` says that no more requests are wanted. */
  readonly leave: () => void;
  /** Serves WebSocket on the server; answers a function that closes its sockets and what the surface holds besides. */
  readonly attach: (server: Server) => () => Promise<void>;
};

/** What a route is called in the metrics: the first segment of its path, `rest` for the API, and `none` where there is nothing. */
function surfaceOf(route: Answered['route']): string {
  const [, first = 'none'] = route?.path.split('/') ?? [];
  return first === 'api' ? 'rest' : first;
}

/** Counts an answer, and logs it at the level `debug`. */
const noteOf =
  ({ log }: App, metrics: Metrics) =>
  ({ request, route, status, milliseconds }: Answered): void => {
    metrics.answered(surfaceOf(route), status, milliseconds / 1_000);
    if (!log.isLevelEnabled('debug')) return;
    const { id: requestId, method, path } = request;
    log.debug({ requestId, method, status, path: loggedPath(path), milliseconds }, 'answered');
  };

/** Everything a process answers, in the order it is looked for. Every answer carries X-Request-Id (PLT-60). */
export function openSurface(app: App): Surface {
  const metrics = openMetrics(app.mail.outcomes);
  const limits = openRateLimits(app.config);
  const { dashboard, role } = app.config;
  const builds =
    dashboard === 'off' || role === 'worker'
      ? null
      : openWebBuilds({ name: 'dashboard', log: app.log, watches: dashboard === 'watch' });
  const pages = openWebBuilds({
    name: 'pages',
    log: app.log,
    watches: dashboard === 'watch',
    // A process that shows no dashboard may show no page either.
    isLazy: builds === null,
  });
  const graphql = openGraphqlHttp(app, {
    schema,
    limits,
    executors: [idempotentMutations(limits)],
    pageDocuments: {
      has: (text) => pages.documents.has(text) || builds?.documents.has(text) === true,
      named: (hash) => pages.documents.named(hash) ?? builds?.documents.named(hash),
    },
  });
  let isStopping = false;
  const failed = (id: string, error: unknown): Reply => failedReply(new RequestContext(app, id), error);
  const handler = openHandler({
    routes: [
      ...restRoutes(app, schema, limits),
      ...graphql.routes,
      ...healthRoutes(app.database, () => isStopping),
      ...metricsRoutes(metrics, app.config),
      ...accountRoutes(app, limits),
      ...pageRoutes(app, {
        builds: pages,
        base: new URL(app.config.publicUrl).pathname.replace(/\/+$/, ''),
        answerPage: graphql.answerPage,
      }),
      ...stripeRoutes(app),
      ...(builds === null ? [] : dashboardRoutes(app, builds)),
    ],
    config: app.config,
    failed: ({ id }, error) => failed(id, error),
    answered: noteOf(app, metrics),
  });
  return {
    ...handler,
    metrics: (request) =>
      metricsReply(metrics, app.config, request).catch((error: unknown) =>
        failed(crypto.randomUUID(), error),
      ),
    leave: () => {
      isStopping = true;
    },
    attach: (server) => {
      const closeSockets = openWebsocket(app, server, {
        documents: graphql.documents,
        limits,
        senderOf: (incoming) => senderOf(app.config.trustedProxies, incoming),
      });
      return async () => {
        builds?.close();
        pages.close();
        await closeSockets();
        await limits.close();
      };
    },
  };
}
