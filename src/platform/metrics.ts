import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { VisitCounts } from './queue/visits.ts';

/** Metrics of the process, in Prometheus format. */
export type Metrics = {
  /** Records a request with its interface (rest, graphql, page, …), status and duration in seconds. */
  readonly answered: (surface: string, status: number, seconds: number) => void;
  readonly contentType: string;
  readonly text: () => Promise<string>;
};

/** Creates the metrics, including the counts of emails and of the background loops' work. Uses a separate registry per call, so that a process can run several servers. */
export function openMetrics(
  emailOutcomes: ReadonlyMap<string, number>,
  visits: ReadonlyMap<string, VisitCounts>,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'quittance_http_request_duration_seconds',
    help: 'Time from the first byte of a request to its answer, by surface and status.',
    labelNames: ['surface', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  new Counter({
    name: 'quittance_emails_total',
    help: 'Emails to customers by how they ended: sent, failed, unconfirmed, canceled, kept, and delayed for each attempt that is made again.',
    labelNames: ['outcome'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of emailOutcomes) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'quittance_worker_visits_total',
    help: 'Visits of background loops to leased rows, by loop and outcome: done or failed.',
    labelNames: ['loop', 'outcome'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [loop, { done, failed }] of visits) {
        this.inc({ loop, outcome: 'done' }, done);
        this.inc({ loop, outcome: 'failed' }, failed);
      }
    },
  });
  new Counter({
    name: 'quittance_worker_visit_seconds_total',
    help: 'Duration of the visits of background loops, by loop.',
    labelNames: ['loop'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [loop, { seconds }] of visits) this.inc({ loop }, seconds);
    },
  });
  return {
    answered: (surface, status, seconds) => requests.observe({ surface, status: String(status) }, seconds),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
