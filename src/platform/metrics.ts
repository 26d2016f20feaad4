import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Metrics of the process, in Prometheus format. */
export type Metrics = {
  /** Records a request with its interface (rest, graphql, page, …), status and duration in seconds. */
  readonly answered: (surface: string, status: number, seconds: number) => void;
  readonly contentType: string;
  readonly text: () => Promise<string>;
};

/** Creates the metrics, including email counts. Uses a separate registry per call, so that a process can run several servers. */
export function openMetrics(emailOutcomes: ReadonlyMap<string, number>): Metrics {
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
  return {
    answered: (surface, status, seconds) => requests.observe({ surface, status: String(status) }, seconds),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
