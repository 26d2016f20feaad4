import { afterAll, beforeAll, expect, test } from 'vitest';
import { countPast } from '../../../../src/engine/usage/shared-past.ts';
import type { Query } from '../../../../src/platform/db/pool.ts';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { eventually } from '../../../support/eventually.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

// Past usage that new limits of the organization and of plans include (LIM-38).

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const consumerOfMany = (): Promise<Consumer> =>
  createConsumer(limits.shop, { terms: { includedAmount: 1_000_000 } });

/** Limit of the organization on the calls of a consumer in a day. */
const callsOf = ({ feature }: Consumer): Json => ({
  scope: { organization: true },
  measure: 'calls',
  filter: { features: [feature.code] },
  window: { kind: 'day' },
  amount: 100,
});

const isActive = (id: string): Promise<boolean> =>
  eventually(async () => (await limits.shop.rest('GET', `/limits/${id}`)).body['status'] === 'active');

async function usedOf(id: string): Promise<string | undefined> {
  const query = 'query ($id: ID!) { limit(id: $id) { states { used } } }';
  return (await t.graphql<{ limit: { states: { used: string }[] } }>(query, { id })).limit.states[0]?.used;
}

async function settleTwice(consumer: Consumer): Promise<void> {
  const { body } = await limits.shop.rest('POST', '/usage/holds', {
    ...of(consumer),
    estimate: { value: 5 },
  });
  const path = `/usage/holds/${String(body['id'])}/settle`;
  expect((await limits.shop.rest('POST', path, { value: 1, final: false })).status).toBe(200);
  expect((await limits.shop.rest('POST', path, { value: 2 })).status).toBe(200);
}

test('settlements of one hold are one call, before and after a new limit', async () => {
  const consumer = await consumerOfMany();
  const before = await limits.limit(callsOf(consumer));
  expect(await isActive(before.id)).toBe(true);
  await settleTwice(consumer);
  await limits.track(consumer);
  expect(await usedOf(before.id)).toBe('2');
  const after = await limits.limit({ ...callsOf(consumer), scope: { plan: consumer.planId } });
  expect(await isActive(after.id)).toBe(true);
  expect(await usedOf(after.id)).toBe('2');
});

test('events that are corrected while past usage is summed are subtracted once', async () => {
  const consumer = await consumerOfMany();
  const { id: event } = await limits.track(consumer);
  await limits.track(consumer);
  await limits.track(consumer);
  const { id } = await limits.limit(callsOf(consumer));
  expect(await isActive(id)).toBe(true);
  await t.app.database.query(
    `UPDATE "SharedGauge" SET "isCounting" = true WHERE "environmentId" = $1 AND key LIKE '%' || $2 || '%'`,
    [t.sandboxId, consumer.feature.code],
  );
  const ctx = await t.context();
  const { sql } = ctx;
  let isCorrected = false;
  // The event is voided after the numbers of the environment were read.
  const voiding: Query = async <Row>(...[text, params, rowOf]: Parameters<Query>) => {
    const rows = await sql<Row>(text, params, rowOf as never);
    if (!isCorrected && text.includes('SELECT seq FROM "EnvironmentCounter"')) {
      isCorrected = true;
      const { status } = await limits.shop.rest('POST', `/usage/events/${String(event)}/void`, {});
      expect(status).toBe(200);
    }
    return rows;
  };
  Object.defineProperty(ctx, 'sql', { value: voiding });
  await countPast(ctx);
  expect(isCorrected).toBe(true);
  expect(await usedOf(id)).toBe('2');
});

test('past usage is counted although crossings of another limit cannot be reported', async () => {
  const [broken, consumer] = [await consumerOfMany(), await consumerOfMany()];
  await limits.track(consumer);
  const first = await limits.limit({ ...callsOf(broken), amount: 1 });
  expect(await isActive(first.id)).toBe(true);
  await limits.track(broken);
  const isOfBroken = `"environmentId" = $1 AND key LIKE '%' || $2 || '%'`;
  const names = [t.sandboxId, broken.feature.code];
  await t.app.database.query(
    `UPDATE "SharedGauge" SET "crossedAt" = now(), ended = '5' WHERE ${isOfBroken}`,
    names,
  );
  const { id } = await limits.limit(callsOf(consumer));
  const isCounted = await isActive(id);
  await t.app.database.query(
    `UPDATE "SharedGauge" SET "crossedAt" = NULL, ended = '[]' WHERE ${isOfBroken}`,
    names,
  );
  expect(isCounted).toBe(true);
  expect(await usedOf(id)).toBe('1');
});
