import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { monotonicMs } from './clock.ts';
import type { ShareState } from './db/pool.ts';
import type { Visits } from './queue/visits.ts';

/** Metrics of the process, in Prometheus format. */
export type Metrics = {
  /** Records a request with its interface (rest, graphql, page, …), status and duration in seconds. */
  readonly answered: (surface: string, status: number, seconds: number) => void;
  readonly contentType: string;
  readonly text: () => Promise<string>;
};

/** Values that the metrics read from other parts of the process. */
export type MetricSources = {
  /** Number of emails by outcome. */
  readonly emails: ReadonlyMap<string, number>;
  readonly visits: Pick<Visits, 'counts' | 'backlogs'>;
  /** Number of errors by error code. */
  readonly rejections: ReadonlyMap<string, number>;
  readonly database: () => ShareState;
  /** Age of the read replica's data in seconds. `null` if it isn't known, or without a replica. */
  readonly replicaLag: () => number | null;
  /** Number of operations that wait for a batch. */
  readonly waitingOperations: () => number;
};

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

/** Metric whose values are read when the metrics are requested. */
type ReadMetric = {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: () => Iterable<Sample> | Promise<Iterable<Sample>>;
};

/** Interval between the searches that count the waiting rows of the background loops, in milliseconds. */
const backlogMs = 10_000;

/** Returns a function that counts the waiting rows of each loop, at most once per interval. A loop whose search fails is omitted. */
function backlogReader(backlogs: MetricSources['visits']['backlogs']): () => Promise<Sample[]> {
  let known: Promise<Sample[]> = Promise.resolve([]);
  let readAt = 0;
  const read = async (): Promise<Sample[]> => {
    const samples: Sample[] = [];
    for (const [loop, count] of backlogs) {
      const waiting = await count().catch(() => null);
      if (waiting !== null) samples.push([{ loop }, waiting]);
    }
    return samples;
  };
  return () => {
    if (monotonicMs() >= readAt) {
      readAt = monotonicMs() + backlogMs;
      known = read();
    }
    return known;
  };
}

const bySource = (counts: ReadonlyMap<string, number>, label: string) => (): Sample[] =>
  [...counts].map(([value, count]) => [{ [label]: value }, count]);

/** Counters, whose values only increase. */
const countersOf = ({ emails, visits, rejections, database }: MetricSources): ReadMetric[] => [
  {
    name: 'quittance_emails_total',
    help: 'Emails to customers by how they ended: sent, failed, unconfirmed, canceled, kept, and delayed for each attempt that is made again.',
    labels: ['outcome'],
    read: bySource(emails, 'outcome'),
  },
  {
    name: 'quittance_errors_total',
    help: 'Errors returned to clients, by error code, such as limit_reached.',
    labels: ['code'],
    read: bySource(rejections, 'code'),
  },
  {
    name: 'quittance_worker_visits_total',
    help: 'Visits of background loops to leased rows, by loop and outcome: done or failed.',
    labels: ['loop', 'outcome'],
    read: () =>
      [...visits.counts].flatMap(([loop, { done, failed }]): Sample[] => [
        [{ loop, outcome: 'done' }, done],
        [{ loop, outcome: 'failed' }, failed],
      ]),
  },
  {
    name: 'quittance_worker_visit_seconds_total',
    help: 'Duration of the visits of background loops, by loop.',
    labels: ['loop'],
    read: () => [...visits.counts].map(([loop, { seconds }]): Sample => [{ loop }, seconds]),
  },
  {
    name: 'quittance_database_seconds_total',
    help: 'Time for which the ten busiest environments used database connections.',
    labels: ['environment'],
    read: () =>
      database().busiest.map(
        ({ environmentId, seconds }): Sample => [{ environment: environmentId }, seconds],
      ),
  },
  {
    name: 'quittance_database_uses_total',
    help: 'Statements outside transactions and transactions of the ten busiest environments.',
    labels: ['environment'],
    read: () =>
      database().busiest.map(({ environmentId, count }): Sample => [{ environment: environmentId }, count]),
  },
];

/** Gauges, which show the current state. */
const gaugesOf = ({ visits, database, replicaLag, waitingOperations }: MetricSources): ReadMetric[] => [
  {
    name: 'quittance_database_connections',
    help: 'Database connections that environments use.',
    labels: [],
    read: () => [[{}, database().inUse]],
  },
  {
    name: 'quittance_database_waiting',
    help: 'Work of environments that waits for a database connection.',
    labels: [],
    read: () => [[{}, database().waiting]],
  },
  {
    name: 'quittance_database_unavailable',
    help: 'Parts of the database that do not respond: nodes of a cluster, or environments on a single server.',
    labels: ['place'],
    read: () => database().unavailable.map((place): Sample => [{ place }, 1]),
  },
  {
    name: 'quittance_replica_lag_seconds',
    help: 'Age of the data of the read replica.',
    labels: [],
    read: () => [replicaLag()].flatMap((lag): Sample[] => (lag === null ? [] : [[{}, lag]])),
  },
  {
    name: 'quittance_operation_queue',
    help: 'Operations that wait for a batch, such as the recording of events.',
    labels: [],
    read: () => [[{}, waitingOperations()]],
  },
  {
    name: 'quittance_worker_waiting',
    help: 'Rows that wait for a background loop, up to 1,000 per loop, such as due environments.',
    labels: ['loop'],
    read: backlogReader(visits.backlogs),
  },
];

/** Creates the metrics. Uses a separate registry per call, so that a process can run several servers. */
export function openMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'quittance_http_request_duration_seconds',
    help: 'Time from the first byte of a request to its answer, by surface and status.',
    labelNames: ['surface', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const declare = (Type: typeof Counter | typeof Gauge, { name, help, labels, read }: ReadMetric): void => {
    const metric: Counter | Gauge = new Type({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        // Concurrent scrapes must not add their values, so the values are replaced without a pause in between.
        const values = [...(await read())];
        metric.reset();
        for (const [own, value] of values) metric.inc(own, value);
      },
    });
  };
  for (const metric of countersOf(sources)) declare(Counter, metric);
  for (const metric of gaugesOf(sources)) declare(Gauge, metric);
  return {
    answered: (surface, status, seconds) => requests.observe({ surface, status: String(status) }, seconds),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
