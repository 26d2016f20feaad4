import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readShop, smallShop } from '../../../../src/modules/sandbox/example-shop/read-shop.ts';
import { eventually } from '../../../support/eventually.ts';
import { clockSettled, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { collect, liveClient } from '../../../support/live.ts';
import { rejection } from '../../../support/refusals.ts';
import { expectLedgerBalanced } from '../../../support/stories.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Run = {
  readonly id: string;
  readonly size: string;
  readonly status: string;
  readonly completedSteps: number;
  readonly totalSteps: number;
  readonly progress: number;
  readonly error: { readonly code: string; readonly message: string; readonly step: number } | null;
};

const fields = 'id size status completedSteps totalSteps progress error { code message step }';
const load = `mutation ($input: SandboxExampleLoadInput!) { sandboxExampleLoad(input: $input) { ${fields} } }`;
const one = `query ($id: ID!) { exampleRun(id: $id) { ${fields} } }`;
const small = { input: { size: 'small' } };

const begin = async (shop: Shop): Promise<Run> =>
  (await t.graphql<{ sandboxExampleLoad: Run }>(load, small, { key: shop.key })).sandboxExampleLoad;

const ended = (shop: Shop, id: string): Promise<Run> =>
  eventually(
    async () => (await t.graphql<{ exampleRun: Run }>(one, { id }, { key: shop.key })).exampleRun,
    ({ status }) => status !== 'running',
  );

/** Returns the number of rows per table in a sandbox. */
async function counts(shop: Shop) {
  const names = ['ExampleRun', 'Customer', 'Plan', 'Feature', 'Subscription', 'Invoice', 'UsageEvent'];
  const rows = await t.app.database.query<{ name: string; count: number }>(
    names
      .map(
        (name) =>
          `SELECT '${name}' AS name, count(*)::int AS count FROM "${name}" WHERE "environmentId" = $1`,
      )
      .join(' UNION ALL '),
    [shop.environmentId],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

async function statuses(shop: Shop) {
  const rows = await t.app.database.query<{ status: string; count: number }>(
    `SELECT status::text, count(*)::int AS count FROM "Subscription" WHERE "environmentId" = $1 GROUP BY 1`,
    [shop.environmentId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/**
 * Returns the expected number of customers per subscription status, computed from the data of the small shop
 * 91 days after January 31.
 */
async function expectedStatuses(): Promise<Record<string, number>> {
  const { customers, plans } = smallShop(await readShop());
  const found: Record<string, number> = {};
  for (const { plan: code, interval, card } of customers) {
    const prices = plans.find(({ plan }) => plan.code === code)?.prices ?? [];
    const billed = interval ?? prices[0]?.billingInterval;
    const expectedStatus =
      card === 'declined'
        ? 'pending_payment'
        : card !== 'failsLater' || billed === 'one_time'
          ? 'active'
          : // The quarter ends 2 days before the simulation does, so dunning is in progress. Yearly overage is charged monthly.
            billed === 'quarterly'
            ? 'past_due'
            : 'canceled';
    found[expectedStatus] = (found[expectedStatus] ?? 0) + 1;
  }
  return found;
}

describe('the small example shop', () => {
  test('is created by a durable run that reports its progress, and a second run only advances the clock', async () => {
    const shop = await otherShop(t);
    await shop.rest('POST', '/test-clock', { frozenTime: '2030-01-31T09:00:00Z' });
    await clockSettled(shop);
    const run = await begin(shop);
    const { customers } = smallShop(await readShop());
    // Steps: one for the catalog, one for the customers, and one for each of 13 weeks that record usage and advance the clock.
    const totalSteps = 1 + customers.length + 13 * 2;
    expect(customers).toHaveLength(30);
    expect(run).toEqual({
      id: expect.stringMatching(/^exr_/),
      size: 'small',
      status: 'running',
      completedSteps: 0,
      totalSteps,
      progress: 0,
      error: null,
    });
    // The first run is still in progress, so only the number of runs can be compared.
    const { errors } = await t.graphqlFailure(load, small, { key: shop.key });
    expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'size' });
    expect(await counts(shop)).toMatchObject({ ExampleRun: 1 });
    const client = liveClient(t.url, { apiKey: shop.key });
    const seen = await collect<{ exampleRunChanged: Run }>(
      client,
      `subscription ($id: ID!) { exampleRunChanged(id: $id) { ${fields} } }`,
      { id: run.id },
    );
    await client.dispose();
    const steps = seen.map(({ exampleRunChanged }) => exampleRunChanged.completedSteps);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(new Set(steps).size).toBeGreaterThan(3);
    expect(seen.at(-1)?.exampleRunChanged).toEqual({
      ...run,
      status: 'completed',
      completedSteps: totalSteps,
      progress: 1,
    });
    const after = await counts(shop);
    expect(after).toMatchObject({ Customer: 30, Plan: 6, Feature: 5, Subscription: 30 });
    expect(after['UsageEvent']).toBeGreaterThan(200);
    expect(await statuses(shop)).toEqual(await expectedStatuses());
    const { testClock } = await t.graphql<{ testClock: { now: string } }>(
      '{ testClock { now } }',
      {},
      { key: shop.key },
    );
    expect(testClock.now).toBe('2030-05-02T09:00:00.000Z');
    await expectLedgerBalanced({
      ...t,
      graphql: (query, variables) => t.graphql(query, variables, { key: shop.key }),
    });

    const second = await ended(shop, (await begin(shop)).id);
    expect(second).toMatchObject({ status: 'completed', progress: 1 });
    expect(await counts(shop)).toMatchObject({ Customer: 30, Plan: 6, Feature: 5 });
    const { exampleRuns, testClockRuns } = await t.graphql<{
      exampleRuns: { nodes: { id: string }[] };
      testClockRuns: { nodes: { targetTime: string }[]; totalCount: { value: number } };
    }>(
      '{ exampleRuns { nodes { id } } testClockRuns(first: 2) { nodes { targetTime } totalCount { value } } }',
      {},
      { key: shop.key },
    );
    expect(exampleRuns.nodes.map(({ id }) => id)).toEqual([second.id, run.id]);
    // The initial clock run and the 13 clock runs of each example run, from latest to earliest.
    expect(testClockRuns.totalCount.value).toBe(27);
    expect(testClockRuns.nodes.map(({ targetTime }) => targetTime)).toEqual([
      '2030-08-01T09:00:00.000Z',
      '2030-07-25T09:00:00.000Z',
    ]);
  }, 120_000);

  test("fails without leaving partial data if it conflicts with the sandbox's catalog", async () => {
    const shop = await otherShop(t);
    await shop.rest('POST', '/features', { name: 'Exports', code: 'downloads', type: 'boolean' });
    const run = await ended(shop, (await begin(shop)).id);
    expect(run).toMatchObject({
      status: 'failed',
      completedSteps: 0,
      error: { code: 'feature_already_exists', step: 1 },
    });
    expect(await counts(shop)).toMatchObject({ Feature: 1, Plan: 0, Customer: 0 });
  });

  test("can't be created in the live environment, and is visible only in its own sandbox", async () => {
    expect(await rejection(t, load, small, { key: t.liveKey })).toMatchObject({ code: 'sandbox_only' });
    expect(await rejection(t, load, { input: { size: 'huge' } })).toMatchObject({ code: 'validation_error' });
    const shop = await otherShop(t);
    const { id } = await begin(shop);
    await ended(shop, id);
    expect(await rejection(t, one, { id })).toMatchObject({ code: 'not_found', param: 'id' });
    const { exampleRuns, testClockRuns } = await t.graphql<{
      exampleRuns: { nodes: unknown[] };
      testClockRuns: { nodes: unknown[] };
    }>('{ exampleRuns { nodes { id } } testClockRuns { nodes { id } } }');
    expect([exampleRuns.nodes, testClockRuns.nodes]).toEqual([[], []]);
    expect(await rejection(t, '{ testClockRuns { nodes { id } } }', {}, { key: t.liveKey })).toMatchObject({
      code: 'sandbox_only',
    });
  }, 180_000);
});
