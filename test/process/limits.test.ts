import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, callerOf } from '../support/caller.ts';
import { type Child, startChild } from '../support/child.ts';
import { randomOf } from '../support/random.ts';
import { type ChildStorage, childStorage } from '../support/storage.ts';
import { pause } from '../support/usage-load.ts';

// Limits and holds while the process is killed repeatedly (laws 1, 3, and 5). The effect of a request without a response is unknown.

const clients = Number(process.env['LIMIT_CLIENTS'] ?? 24);
const kills = Number(process.env['LIMIT_KILLS'] ?? 3);
/** Factor of the amounts. Longer runs need larger amounts, so that usage reaches them late. */
const scale = Number(process.env['LIMIT_SCALE'] ?? 1);
const amounts = { organization: 900 * scale, plan: 700 * scale, customer: 300 * scale };

let storage: ChildStorage;
beforeAll(async () => {
  storage = await childStorage({ RATE_LIMIT_PER_MINUTE: '0', WORKER_POLL_MS: '50' });
});
afterAll(() => storage.remove());

type Made = { readonly id: string };

/** Creates customers of two free plans, with limits of the customers, of the first plan, and of the organization. */
async function makeShop(child: Child): Promise<{ readonly key: string; readonly customerIds: string[] }> {
  const about = { name: 'Shop', country: 'US', businessType: 'software' };
  const { sandboxApiKey: key } = await callerOf(child, null).rest<{ sandboxApiKey: string }>(
    'POST',
    '/provision',
    about,
  );
  const shop = callerOf(child, key);
  const feature = await shop.rest<Made>('POST', '/features', { name: 'Calls', code: 'calls', type: 'usage' });
  const planIds: string[] = [];
  for (const code of ['first', 'second']) {
    const { id } = await shop.rest<Made>('POST', '/plans', { name: code, code, isFree: true });
    await shop.rest('POST', `/plans/${id}/features`, {
      featureId: feature.id,
      includedAmount: 1_000_000 * scale,
    });
    planIds.push(id);
  }
  const units = { measure: 'units', filter: { features: ['calls'] }, action: 'block' };
  const window = { kind: 'lifetime' };
  await shop.rest('POST', '/limits', {
    ...units,
    window,
    scope: { organization: true },
    amount: amounts.organization,
  });
  await shop.rest('POST', '/limits', { ...units, window, scope: { plan: planIds[0] }, amount: amounts.plan });
  const customerIds: string[] = [];
  for (let index = 0; index < 4; index++) {
    const { id } = await shop.rest<Made>('POST', '/customers', { email: `customer-${index}@example.com` });
    await shop.rest('POST', '/subscriptions', { customerId: id, planId: planIds[index === 3 ? 1 : 0] });
    await shop.rest('POST', '/limits', {
      ...units,
      window,
      scope: { customer: id },
      amount: amounts.customer,
    });
    customerIds.push(id);
  }
  return { key, customerIds };
}

/** Settlement whose response was received. */
type Settled = { readonly hold: string; readonly eventId: string };

/** Sends usage, holds, settlements, and releases until `goesOn` returns false. Failed requests are ignored, because the process can be killed. */
async function load(
  shop: () => Caller,
  customerId: string | undefined,
  seed: number,
  goesOn: () => boolean,
): Promise<Settled[]> {
  const random = randomOf(seed);
  const settled: Settled[] = [];
  const subject = { customerId, featureCode: 'calls' };
  for (let round = 0; goesOn(); round++) {
    const name = `${seed}-${round}`;
    try {
      if (random.below(3) === 0) {
        await shop().rest('POST', '/usage/events', {
          ...subject,
          value: 1 + random.below(3),
          eventId: `e-${name}`,
        });
        continue;
      }
      const { id } = await shop().rest<Made>('POST', '/usage/holds', {
        ...subject,
        holdId: `h-${name}`,
        estimate: { value: 1 + random.below(5) },
        expiresIn: random.below(4) === 0 ? 1 : 600,
      });
      const way = random.below(8);
      if (way === 0) continue;
      if (way === 1) await shop().rest('POST', `/usage/holds/${id}/release`);
      else {
        const eventId = `s-${name}`;
        await shop().rest('POST', `/usage/holds/${id}/settle`, { value: 1 + random.below(7), eventId });
        settled.push({ hold: id, eventId });
      }
    } catch {
      await pause(5);
    }
  }
  return settled;
}

it(`keeps all limits and holds if the process is killed ${kills} times`, {
  timeout: 240_000 + 10_000 * kills,
}, async () => {
  let child = await startChild(storage.env);
  const { key, customerIds } = await makeShop(child);
  let shop = callerOf(child, key);
  let isOn = true;
  const loads = Array.from({ length: clients }, (_client, index) =>
    load(
      () => shop,
      customerIds[index % customerIds.length],
      index,
      () => isOn,
    ),
  );
  for (let round = 0; round < kills; round++) {
    await pause(1_500);
    await child.kill();
    await storage.meanwhile();
    child = await startChild(storage.env);
    shop = callerOf(child, key);
  }
  await pause(1_500);
  isOn = false;
  const settled = (await Promise.all(loads)).flat();
  await child.stop();

  await storage.meanwhile(async (database) => {
    const [sums] = await database.query<Record<string, number>>(
      `SELECT (SELECT coalesce(sum(value - coalesce((hold->'uncounted'->>'quantity')::numeric, 0)), 0)::int FROM "UsageEvent") AS events,
         (SELECT coalesce(sum(units), 0)::int FROM "UsageHold" WHERE status = 'open') AS holds,
         (SELECT count(*)::int FROM "UsageEvent" WHERE "eventId" LIKE 's-%') AS settlements,
         (SELECT count(DISTINCT hold->>'id')::int FROM "UsageEvent" WHERE "eventId" LIKE 's-%') AS "settledHolds",
         (SELECT count(*)::int FROM "UsageHold" WHERE status = 'settled') AS ended,
         (SELECT used::int FROM "SharedGauge" WHERE "nodeId" = 'organization') AS used,
         (SELECT held::int FROM "SharedGauge" WHERE "nodeId" = 'organization') AS held`,
    );
    // The gauge equals the stored events, and the open holds.
    expect(sums).toMatchObject({ used: sums?.['events'], held: sums?.['holds'] });
    // Each settled hold has exactly one event, and no acknowledged settlement is lost.
    expect(sums).toMatchObject({ settlements: sums?.['ended'], settledHolds: sums?.['ended'] });
    const stored = await database.query<{ eventId: string }>(
      `SELECT "eventId" FROM "UsageEvent" WHERE "eventId" LIKE 's-%'`,
    );
    const known = new Set(stored.map(({ eventId }) => eventId));
    expect(settled.filter(({ eventId }) => !known.has(eventId))).toEqual([]);
    const gauges = await database.query<{ node: string; taken: number; peak: number }>(
      `SELECT left("nodeId", 4) AS node, (used + held)::int AS taken, "heldPeak"::int AS peak FROM "SharedGauge" ORDER BY "nodeId"`,
    );
    expect(gauges.map(({ node }) => node)).toEqual(['orga', 'pln_']);
    for (const { node, taken, peak } of gauges) {
      const most = node === 'orga' ? amounts.organization : amounts.plan;
      expect(taken).toBeLessThanOrEqual(most);
      expect(peak).toBeLessThanOrEqual(most);
      expect(peak).toBeGreaterThan(0);
    }
    const customers = await database.query<{ used: number; events: number; held: number; holds: number }>(
      `SELECT (g.value->>'used')::numeric::int AS used, coalesce(g.value->>'held', '0')::numeric::int AS held,
         (SELECT coalesce(sum(value - coalesce((hold->'uncounted'->>'quantity')::numeric, 0)), 0)::int FROM "UsageEvent" e WHERE e."customerId" = s.id) AS events,
         (SELECT coalesce(sum(units), 0)::int FROM "UsageHold" h WHERE h."customerId" = s.id AND status = 'open') AS holds
       FROM "LimitState" s CROSS JOIN LATERAL jsonb_each(s.gauges) g`,
    );
    expect(customers).toHaveLength(customerIds.length);
    for (const { used, events, held, holds } of customers) {
      expect({ used, held }).toEqual({ used: events, held: holds });
      expect(used + held).toBeLessThanOrEqual(amounts.customer);
    }
    expect(sums?.['settlements']).toBeGreaterThan(5);
  });
});
