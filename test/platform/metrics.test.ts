import { expect, test } from 'vitest';
import { openMetrics } from '../../src/platform/metrics.ts';

// Values of `/metrics` that are read when the metrics are requested.

/** Opens metrics of a process whose counters can be changed. The waiting rows of a loop are only counted after `release`. */
function openProcess() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const rejections = new Map([['limit_reached', 3]]);
  const visits = { done: 7, failed: 1, seconds: 2.5 };
  const metrics = openMetrics({
    emails: new Map([
      ['sent', 2],
      ['failed', 1],
    ]),
    visits: {
      counts: new Map([['sums', visits]]),
      backlogs: new Map([['environments', () => released.then(() => 12)]]),
    },
    rejections,
    database: () => ({
      inUse: 4,
      waiting: 5,
      unavailable: ['node-2'],
      busiest: [{ environmentId: 'env_1', seconds: 1.5, count: 9 }],
    }),
    replicaLag: () => 0.5,
    waitingOperations: () => 6,
  });
  return { metrics, rejections, release };
}

/** Returns the samples of Quittance in a text, sorted. */
const samplesIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('quittance_') && !line.startsWith('quittance_http_'))
    .toSorted();

const samples = (limitReached: number): string[] => [
  'quittance_database_connections 4',
  'quittance_database_seconds_total{environment="env_1"} 1.5',
  'quittance_database_unavailable{place="node-2"} 1',
  'quittance_database_uses_total{environment="env_1"} 9',
  'quittance_database_waiting 5',
  'quittance_emails_total{outcome="failed"} 1',
  'quittance_emails_total{outcome="sent"} 2',
  `quittance_errors_total{code="limit_reached"} ${limitReached}`,
  'quittance_operation_queue 6',
  'quittance_replica_lag_seconds 0.5',
  'quittance_worker_visit_seconds_total{loop="sums"} 2.5',
  'quittance_worker_visits_total{loop="sums",outcome="done"} 7',
  'quittance_worker_visits_total{loop="sums",outcome="failed"} 1',
  'quittance_worker_waiting{loop="environments"} 12',
];

test('two scrapes at the same time return the same values, which are not added', async () => {
  const { metrics, release } = openProcess();
  const scrapes = Promise.all([metrics.text(), metrics.text(), metrics.text()]);
  release();
  for (const text of await scrapes) expect(samplesIn(text)).toEqual(samples(3));
});

test('a scrape that starts during another one returns the current values', async () => {
  const { metrics, rejections, release } = openProcess();
  const first = metrics.text();
  await new Promise((resolve) => setTimeout(resolve, 10));
  rejections.set('limit_reached', 5);
  const second = metrics.text();
  release();
  await first;
  expect(samplesIn(await second)).toEqual(samples(5));
  expect(samplesIn(await metrics.text())).toEqual(samples(5));
});
