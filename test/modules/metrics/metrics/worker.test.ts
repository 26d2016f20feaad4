import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../../../src/modules/customers/customers/create.ts';
import { sumLoop } from '../../../../src/modules/metrics/sums/worker/worker.ts';
import type { App, Context } from '../../../../src/request/context.ts';
import {
  addPlan,
  cards,
  closeApp,
  MovableClock,
  newEnvironment,
  openApp,
  recording,
  subscribe,
  withSettings,
} from '../../../support/billing-world.ts';
import { eventually } from '../../../support/eventually.ts';
import { needsOneServer } from '../../../support/nodes.ts';

// Number of statements that the metrics worker needs for events that don't affect MRR.

let app: App;
beforeAll(async () => {
  const wall = new MovableClock('2027-01-31T09:30:00.000Z');
  app = withSettings(await openApp(wall), { WORKER_POLL_MS: '20' });
});
afterAll(() => closeApp(app));

type Places = {
  readonly position: bigint;
  readonly last: bigint;
  readonly entriesLeft: number;
  readonly leaseUntil: Date | null;
};

/** Returns the position of the last event read in an environment, its last position, and the number of entries that aren't in the sums yet. */
async function placesOf({ sql }: Context): Promise<Places> {
  const [row] = await sql<Places>(
    `SELECT k.seq AS position, k."leaseUntil", (SELECT max(e.position) FROM "Event" e WHERE e."environmentId" = $1) AS last,
       (SELECT count(*)::int FROM "MrrEntry" m JOIN "SumCursor" r ON r."environmentId" = $1 AND r.source = 'revenue'
        WHERE m."environmentId" = $1 AND m.seq > r.seq) AS "entriesLeft"
     FROM "SumCursor" k WHERE k."environmentId" = $1 AND k.source = 'outcomes'`,
  );
  if (row === undefined) throw new Error('An environment has no cursor.');
  return row;
}

/** Runs the worker until it has read all events in the environments. Returns the worker's statements. */
async function statementsUntilDone(environments: readonly Context[]): Promise<string[]> {
  const recorded = recording(app);
  const worker = sumLoop.start(recorded.app);
  try {
    await eventually(async () => {
      const places = await Promise.all(environments.map(placesOf));
      return places.every(({ position, last, entriesLeft }) => position === last && entriesLeft === 0);
    });
  } finally {
    await worker.stop();
  }
  return recorded.statements;
}

test.skipIf(needsOneServer('cursors on several servers are moved one by one'))(
  "the metrics worker uses one SQL statement for all environments to skip events that don't affect MRR",
  async () => {
    const environments: Context[] = [];
    for (let number = 0; number < 12; number++) {
      const ctx = await newEnvironment(app);
      await createCustomer(ctx, { email: 'c@world.test' });
      environments.push(ctx);
    }
    const statements = await statementsUntilDone(environments);
    expect(statements.filter((text) => text.includes('"MrrEntry"')).length).toBeLessThanOrEqual(3);
    // No environment was leased for event processing.
    expect((await Promise.all(environments.map(placesOf))).map(({ leaseUntil }) => leaseUntil)).toEqual(
      environments.map(() => null),
    );
  },
);

test('the metrics worker aggregates events that affect MRR, and skips the events between them', async () => {
  const ctx = await newEnvironment(app);
  await addPlan(ctx, 'monthly', 'monthly', 1_900n);
  const { id: first } = await createCustomer(ctx, { email: 'd@world.test' });
  const { id: second } = await createCustomer(ctx, { email: 'e@world.test' });
  await statementsUntilDone([ctx]);
  await subscribe(ctx, first, 'pln_monthly', cards.pays);
  await statementsUntilDone([ctx]);
  const mrr = async () =>
    ctx.sql(
      `SELECT sum(amount)::int AS mrr FROM "MrrRollup" WHERE "environmentId" = $1 AND scope = 'currency' AND kind = 'level'`,
    );
  expect(await mrr()).toEqual([{ mrr: 190_000 }]);
  await createCustomer(ctx, { email: 'f@world.test' });
  await statementsUntilDone([ctx]);
  await subscribe(ctx, second, 'pln_monthly', cards.pays);
  await statementsUntilDone([ctx]);
  expect(await mrr()).toEqual([{ mrr: 380_000 }]);
});
