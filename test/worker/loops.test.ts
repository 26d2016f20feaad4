import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMetrics } from '../../src/platform/metrics.ts';
import { openVisits } from '../../src/platform/queue/visits.ts';
import type { App } from '../../src/request/context.ts';
import { schema } from '../../src/schema.ts';
import { allLoops, startLoops } from '../../src/worker/loops.ts';
import {
  addCustomers,
  addPlan,
  closeApp,
  MovableClock,
  newEnvironment,
  openApp,
  subscribe,
  withSettings,
} from '../support/billing-world.ts';
import { eventually } from '../support/eventually.ts';

// All background loops of a process.

let app: App;
beforeAll(async () => {
  const opened = await openApp(new MovableClock('2027-01-31T09:30:00.000Z'));
  app = { ...withSettings(opened, { WORKER_POLL_MS: '20' }), visits: openVisits() };
});
afterAll(() => closeApp(app));

test('the loops have different names', () => {
  const names = allLoops(schema).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('a process that runs all loops counts their visits, and stops all loops', async () => {
  const ctx = await newEnvironment(app);
  await addPlan(ctx, 'monthly', 'monthly', 1_900n);
  const [customer = ''] = await addCustomers(ctx, 'c', 1);
  const loops = startLoops(app, allLoops(schema));
  await subscribe(ctx, customer, 'pln_monthly');
  const counted = () => [...app.visits.counts.keys()];
  await eventually(
    async () => counted(),
    (names) => ['scheduled_tasks', 'sums'].every((name) => names.includes(name)),
  );
  // Reads the metrics while the loops run, because the running loops count their waiting rows.
  const metrics = openMetrics({
    emails: new Map([['sent', 2]]),
    visits: app.visits,
    rejections: new Map([['limit_reached', 3]]),
    database: app.database.share.state,
    replicaLag: () => null,
    waitingOperations: () => 4,
  });
  const waiting = await metrics.text();
  await loops.stop();
  const after = JSON.stringify([...app.visits.counts]);
  await subscribe(ctx, (await addCustomers(ctx, 'd', 1))[0] ?? '', 'pln_monthly');
  loops.wake();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(JSON.stringify([...app.visits.counts])).toBe(after);
  expect(waiting).toMatch(/^quittance_worker_waiting\{loop="environments"\} \d+$/m);
  expect(waiting).toMatch(/^quittance_worker_waiting\{loop="export_deliveries"\} 0$/m);
  const text = await metrics.text();
  expect(text).toMatch(/^quittance_emails_total\{outcome="sent"\} 2$/m);
  expect(text).toMatch(/^quittance_errors_total\{code="limit_reached"\} 3$/m);
  expect(text).toMatch(/^quittance_operation_queue 4$/m);
  expect(text).toMatch(/^quittance_database_connections 0$/m);
  expect(text).toMatch(/^quittance_worker_visits_total\{loop="sums",outcome="done"\} [1-9]\d*$/m);
  expect(text).toMatch(/^quittance_worker_visits_total\{loop="sums",outcome="failed"\} 0$/m);
  expect(text).toMatch(/^quittance_worker_visit_seconds_total\{loop="sums"\} \d/m);
});
