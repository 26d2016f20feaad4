import type { Metrics } from '../platform/metrics.ts';
import { demandMetricsAccess, type MetricsRequest } from './metrics-access.ts';
import type { Reply } from './reply.ts';
import type { Route } from './router.ts';

type Config = Parameters<typeof demandMetricsAccess>[0];

/** Returns the metrics. Throws `unauthorized` or `forbidden` if the caller may not read them. */
export async function metricsReply(
  metrics: Metrics,
  config: Config,
  request: MetricsRequest,
): Promise<Reply> {
  demandMetricsAccess(config, request);
  return { status: 200, headers: { 'Content-Type': metrics.contentType }, body: await metrics.text() };
}

/** Returns the metrics routes for the main port. Empty if metrics have a separate port. */
export const metricsRoutes = (metrics: Metrics, config: Config): Route[] =>
  config.metricsPort === undefined
    ? [
        {
          path: '/metrics',
          methods: ['GET'],
          answer: ({ headers, socketAddress }) =>
            metricsReply(metrics, config, { header: (name) => headers.get(name), socketAddress }),
        },
      ]
    : [];
