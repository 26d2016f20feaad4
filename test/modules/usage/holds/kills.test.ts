import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireHolds } from '../../../../src/engine/usage/expire-holds.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { inTransaction } from '../../../../src/request/transaction.ts';
import { schema } from '../../../../src/schema.ts';
import { killedAt, type Mortal } from '../../../support/breaking.ts';
import { type Consumer, createConsumer, createCreditsConsumer, of } from '../../../support/consumers.ts';
import { askHandler, openRestHandler } from '../../../support/handler.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

// Requests about holds whose process is killed before each statement and after the commit. The client repeats a request with the same
// identifiers until it gets a response.

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const budget = 'team:a';

/** Creates limits of a customer, of its budget, and of its plan. */
async function createLimits({ customerId, planId, feature }: Consumer, asset: string | null): Promise<void> {
  await limits.shop.rest('POST', `/customers/${customerId}/budgets`, { key: budget });
  const units = { measure: 'units', filter: { features: [feature.code] }, amount: 1_000 };
  const thresholds = [{ amount: 30 }, { amount: 60 }];
  await limits.limit({ ...units, scope: { customer: customerId }, window: { kind: 'day' }, thresholds });
  await limits.limit({ ...units, scope: { customer: customerId, budget }, window: { kind: 'lifetime' } });
  await limits.limit({ ...units, scope: { plan: planId }, window: { kind: 'lifetime' } });
  const most =
    asset === null
      ? { measure: 'spend', currency: 'usd', amount: 7_000 }
      : { measure: 'drawn', asset, amount: 70, window: { kind: 'day' } };
  await limits.limit({ ...most, scope: { customer: customerId } });
}

async function createMetered(): Promise<Consumer> {
  const terms = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };
  const consumer = await createConsumer(limits.shop, { terms });
  await createLimits(consumer, null);
  return consumer;
}

async function createCredits(): Promise<Consumer> {
  const consumer = await createCreditsConsumer(limits.shop, 640, 1);
  await createLimits(consumer, 'credits');
  return consumer;
}

/** Customers, and the steps that kill the process. */
const worlds = [
  ['units that cost money', createMetered, /hold|extension|settlement|release/],
  ['credits', createCredits, /settlement/],
] as const;

/** Returns everything that usage of a customer changes, without identifiers and times, which differ between customers. */
async function books({ customerId, subscriptionId, planId, feature }: Consumer): Promise<string> {
  const [row] = await t.app.database.query<{ books: unknown }>(
    `SELECT json_build_object(
       'counters', (SELECT json_agg(json_build_array(total, consumed, held, price, crossed)) FROM "UsageCounter" WHERE "environmentId" = $1 AND "subscriptionId" = $3),
       'pools', (SELECT pools FROM "ConsumptionAccount" WHERE "environmentId" = $1 AND id = $3),
       'lots', (SELECT json_agg(json_build_array(source, remaining) ORDER BY seq) FROM "Lot" WHERE "environmentId" = $1 AND "customerId" = $2),
       'entries', (SELECT json_agg(json_build_array(type, amount) ORDER BY seq) FROM "ConsumptionEntry" WHERE "environmentId" = $1 AND "subscriptionId" = $3),
       'usage', (SELECT json_agg(json_build_array(value, deducted, hold) ORDER BY seq) FROM "UsageEvent" WHERE "environmentId" = $1 AND "customerId" = $2),
       'holds', (SELECT json_agg(json_build_array(status, units, settled, price, gauges) ORDER BY seq) FROM "UsageHold" WHERE "environmentId" = $1 AND "customerId" = $2),
       'gauges', (SELECT json_agg(json_build_array(g.key, g.value->'used', g.value->'held', g.value->'peak') ORDER BY b.key, g.key)
         FROM "LimitState" s LEFT JOIN "Budget" b ON b."environmentId" = $1 AND b.id = s.id CROSS JOIN LATERAL jsonb_each(s.gauges) g
         WHERE s."environmentId" = $1 AND s."customerId" = $2),
       'shared', (SELECT json_agg(json_build_array(used, held)) FROM "SharedGauge" WHERE "environmentId" = $1 AND "nodeId" = $4),
       'crossings', (SELECT json_agg(json_build_array(kind, threshold, value) ORDER BY seq) FROM "LimitCrossing" WHERE "environmentId" = $1 AND "customerId" = $2),
       'events', (SELECT json_agg(kind ORDER BY position) FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2)) AS books`,
    [t.sandboxId, customerId, subscriptionId, planId],
  );
  return JSON.stringify(row?.books, null, 1)
    .replaceAll(feature.code, 'feature')
    .replaceAll(/\b[a-z]{3}_[0-9A-Za-z]+/g, 'id');
}

/** Step of a client. Runs on an application, and returns the response. */
type Step = (mortal: Pick<Mortal, 'app'>) => Promise<unknown>;

const keys = new Map<string, string>();

/** Returns a request. Each repetition has the same idempotency key. */
const request =
  (path: string, body: Json, key: string): Step =>
  async ({ app }) => {
    const response = await askHandler(
      openRestHandler(app, schema),
      new Request(`http://127.0.0.1/api/v1${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': t.sandboxKey,
          'idempotency-key': keys.getOrInsertComputed(key, () => crypto.randomUUID()),
        },
        body: JSON.stringify(body),
      }),
    );
    const answer: unknown = await response.json();
    expect(response.status, JSON.stringify(answer)).toBeLessThan(300);
    return answer;
  };

/** Expires the holds of the environment that end within the next hour. */
const expire: Step = async ({ app }) => {
  const now = new Date(app.wall.now().getTime() + 3_600_000);
  await inTransaction(await systemContext(app, t.sandboxId), (tx) => expireHolds(tx, now));
  return null;
};

/** Steps of a customer: opens, extends, and settles a hold, and releases a hold. */
function stepsOf(consumer: Consumer): readonly (readonly [name: string, step: Step])[] {
  const id = (name: string) => `${consumer.customerId}-${name}`;
  const open = (name: string, value: number) =>
    request('/usage/holds', { ...of(consumer), budget, holdId: id(name), estimate: { value } }, id(name));
  const act = (name: string, action: string, body: Json, nth = '') =>
    request(`/usage/holds/${encodeURIComponent(id(name))}/${action}`, body, id(`${name} ${action} ${nth}`));
  return [
    ['hold', open('a', 40)],
    ['extension', act('a', 'extend', { add: { value: 10 }, expiresIn: 86_400 })],
    ['partial settlement', act('a', 'settle', { value: 15, final: false, eventId: id('event') }, 'first')],
    ['other', open('b', 5)],
    ['release', act('b', 'release', {})],
    // The limit accepts 20 of the 25 units above the estimate.
    ['final settlement', act('a', 'settle', { value: 60 }, 'final')],
  ];
}

/** Kills the process of a step at each statement until the step is complete. Returns the number of kills. */
async function perform(consumer: Consumer, name: string, step: Step): Promise<number> {
  const before = await books(consumer);
  const seen: string[] = [];
  for (let number = 1; ; number++) {
    expect(number, name).toBeLessThan(100);
    const mortal = killedAt(t.app, number);
    const failure: unknown = await step(mortal).then(
      () => null,
      (error: unknown) => error,
    );
    if (!mortal.isDead()) {
      expect(failure, name).toBeNull();
      break;
    }
    seen.push(await books(consumer));
  }
  const after = await books(consumer);
  expect(after, name).not.toBe(before);
  // Each kill leaves the books unchanged, or the step is complete.
  const committed = seen.indexOf(after);
  expect(committed, name).toBeGreaterThan(0);
  for (const [index, found] of seen.entries()) expect(found, name).toBe(index < committed ? before : after);
  return seen.length;
}

describe.each(worlds)('holds on %s', (_name, create, killed) => {
  test('have the same effects if the process is killed at each statement', async () => {
    const [undisturbed, disturbed] = [await create(), await create()];
    for (const [, step] of stepsOf(undisturbed)) await step(t);
    let kills = 0;
    for (const [name, step] of stepsOf(disturbed)) {
      if (killed.test(name)) kills += await perform(disturbed, name, step);
      else await step(t);
    }
    expect(await books(disturbed)).toBe(await books(undisturbed));
    expect(kills).toBeGreaterThan(30);
  });

  test('expire once if the process is killed at each statement', async () => {
    const consumer = await create();
    const body = { ...of(consumer), budget, estimate: { value: 30 }, expiresIn: 1_800 };
    const { status } = await limits.shop.rest('POST', '/usage/holds', body);
    expect(status).toBe(201);
    expect(await perform(consumer, 'expiry', expire)).toBeGreaterThan(5);
    expect(await limits.events(consumer, 'hold.expired')).toHaveLength(1);
    expect(await limits.states(consumer)).toMatchObject([{ used: '0' }, { used: '0' }, { used: '0' }]);
    expect((await limits.states(consumer)).filter(({ held }) => held !== undefined)).toEqual([]);
  });
});
