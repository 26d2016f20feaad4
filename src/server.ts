import type { Server } from 'node:http';
import { waitingOperations } from './engine/usage/queue.ts';
import { openWebsocket } from './graphql/serve/websocket.ts';
import { openGraphqlHttp } from './http/graphql.ts';
import { type Answered, type Handler, openHandler } from './http/handler.ts';
import { healthRoutes } from './http/health.ts';
import { innerSender } from './http/inner-sender.ts';
import { metricsReply, metricsRoutes } from './http/metrics.ts';
import type { MetricsRequest } from './http/metrics-access.ts';
import type { Reply } from './http/reply.ts';
import { senderOf } from './http/request.ts';
import { idempotentMutations } from './idempotency/graphql.ts';
import { mcpRoutes } from './mcp/endpoint.ts';
import { type Metrics, openMetrics } from './platform/metrics.ts';
import { openRateLimits } from './platform/rate-limit.ts';
import { type App, RequestContext } from './request/context.ts';
import { setApprovedRunner } from './request/run-approved.ts';
import { setInnerSender } from './request/send-inner.ts';
import { failedReply } from './rest/answer.ts';
import { restRoutes } from './rest/app.ts';
import { approvedRunner } from './rest/run-approved.ts';
import { schema } from './schema.ts';
import { accountRoutes } from './web/account.ts';
import { pageRoutes } from './web/app.ts';
import { openBrowserBuilds } from './web/browser-builds.ts';
import { dashboardRoutes } from './web/dashboard.ts';
import { docsRoutes } from './web/docs-site.ts';
import { loggedPath } from './web/logged-path.ts';
import { missingPage } from './web/notice-page.ts';
import { oauthRoutes } from './web/oauth.ts';
import { stripeRoutes } from './web/stripe-callbacks.ts';

/** HTTP and WebSocket handlers of a process. */
export type Surface = Handler & {
  /** Handles requests to `/metrics` on the main port and the metrics port. Never throws. */
  readonly metrics: (request: MetricsRequest) => Promise<Reply>;
  /** Makes `/readyz` report that the process no longer accepts requests. */
  readonly leave: () => void;
  /** Attaches the WebSocket handler to a server. Returns a function that closes the sockets and releases other resources. */
  readonly attach: (server: Server) => () => Promise<void>;
};

/** Returns the route label for metrics: the first path segment, `rest` for the REST API, or `none` if no route matched. */
function surfaceOf(route: Answered['route']): string {
  const [, first = 'none'] = route?.path.split('/') ?? [];
  return first === 'api' ? 'rest' : first;
}

/** Counts a response in the metrics and logs it at the `debug` level. */
const noteOf =
  ({ log }: App, metrics: Metrics) =>
  ({ request, route, status, milliseconds }: Answered): void => {
    metrics.answered(surfaceOf(route), status, milliseconds / 1_000);
    if (!log.isLevelEnabled('debug')) return;
    const { id: requestId, method, path } = request;
    log.debug({ requestId, method, status, path: loggedPath(path), milliseconds }, 'answered');
  };

/** Registers a process's routes in order of precedence. Each response includes `X-Request-Id` (PLT-60). */
export function openSurface(app: App): Surface {
  const metrics = openMetrics({
    emails: app.mail.outcomes,
    visits: app.visits,
    rejections: app.rejections,
    database: app.database.share.state,
    replicaLag: () => app.database.replica?.lagSeconds() ?? null,
    waitingOperations: () => waitingOperations(app),
  });
  const limits = openRateLimits(app.config);
  const builds = openBrowserBuilds(app);
  const { base, dev, dashboard, pages } = builds;
  const graphql = openGraphqlHttp(app, {
    schema,
    limits,
    executors: [idempotentMutations(limits)],
    pageDocuments: {
      has: (text) => pages.documents.has(text) || dashboard?.documents.has(text) === true,
      named: (hash) => pages.documents.named(hash) ?? dashboard?.documents.named(hash),
    },
  });
  let isStopping = false;
  const failed = (id: string, error: unknown): Reply => failedReply(new RequestContext(app, id), error);
  const handler: Handler = openHandler({
    routes: [
      ...restRoutes(app, schema, limits),
      ...mcpRoutes(app, schema, limits, (request) => handler.answer(request)),
      ...graphql.routes,
      ...healthRoutes(app.database, () => isStopping),
      ...metricsRoutes(metrics, app.config),
      ...accountRoutes(app, limits),
      ...oauthRoutes(app, limits),
      ...pageRoutes(app, {
        builds: pages,
        base,
        answerPage: graphql.answerPage,
      }),
      ...docsRoutes(app, schema, builds),
      ...stripeRoutes(app),
      ...(dashboard === null ? [] : dashboardRoutes(dashboard, base)),
    ],
    config: app.config,
    failed: (request, error) => missingPage(request, error) ?? failed(request.id, error),
    answered: noteOf(app, metrics),
  });
  setInnerSender(app, innerSender(handler));
  setApprovedRunner(app, approvedRunner(schema, limits));
  return {
    answer: handler.answer,
    listen:
      dev === null
        ? handler.listen
        : async (incoming, outgoing) => {
            if (!(await dev.answer(incoming, outgoing))) await handler.listen(incoming, outgoing);
          },
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
        ...(dev === null ? {} : { upgradeOther: dev.upgrade }),
      });
      return async () => {
        builds.close();
        await closeSockets();
        await limits.close();
      };
    },
  };
}
