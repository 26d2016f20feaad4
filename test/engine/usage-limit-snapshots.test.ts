import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordUsage } from '../../src/engine/usage/record.ts';
import { requestOf } from '../../src/modules/usage/usage/track.ts';
import { systemContext } from '../../src/request/context.ts';
import { recording } from '../support/billing-world.ts';
import { type Consumer, createConsumer, of } from '../support/consumers.ts';
import { advanceDays, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// A process keeps the limits and gauges of customers between usage events, and uses them only if no other process has changed them since.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

/** Simulates a process on the same database: an app with a separate cache. */
function openProcess() {
  const { app, statements } = recording({ ...t.app });
  /** Records events. Returns `ok` or the error code for each event. */
  const track = async (...bodies: Parameters<typeof requestOf>[0][]): Promise<string[]> => {
    const { results } = await recordUsage(await systemContext(app, t.sandboxId), bodies.map(requestOf));
    return results.map((result) => ('rejection' in result ? result.rejection.code : 'ok'));
  };
  /** Returns whether limits were read since the last call. */
  const hasRead = (): boolean => statements.splice(0).some((text) => text.includes('"LimitRaise"'));
  return { track, hasRead };
}

const charged = { terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 100 } } };

const day = (consumer: Consumer, amount: number, more: object = {}) => ({
  scope: { customer: consumer.customerId },
  measure: 'calls',
  window: { kind: 'day' },
  amount,
  action: 'block',
  ...more,
});

async function limit(body: object): Promise<string> {
  const { status, body: made } = await shop.rest<{ id: string }>('POST', '/limits', { ...body });
  expect(status, JSON.stringify(made)).toBe(201);
  return made.id;
}

/** Returns a process that has read the limits of a customer. */
async function openKnowing(event: Parameters<typeof requestOf>[0]) {
  const here = openProcess();
  // The first event creates the counter, and the second event reads it.
  await here.track(event);
  await here.track(event);
  await here.track(event);
  here.hasRead();
  return here;
}

/** Limits on calls of a day, which have a gauge, and limits on spend, whose value is calculated. */
const counted = [
  ['calls', day],
  [
    'spend of the usage window',
    (consumer: Consumer, calls: number) =>
      day(consumer, calls, { measure: 'spend', currency: 'usd', window: { kind: 'usage_window' } }),
  ],
] as const;

describe('cached limits', () => {
  test('are used without reading until the amount is reached', async () => {
    const consumer = await createConsumer(shop, charged);
    await limit(day(consumer, 5));
    const here = await openKnowing(of(consumer));
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['ok'], false]);
    expect([await here.track(of(consumer), of(consumer)), here.hasRead()]).toEqual([
      ['ok', 'included_limit_reached'],
      false,
    ]);
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['included_limit_reached'], false]);
  });

  test.each(counted)('count the events of other processes: %s', async (_name, terms) => {
    const consumer = await createConsumer(shop, charged);
    await limit(terms(consumer, 8));
    const [here, there] = [await openKnowing(of(consumer)), await openKnowing(of(consumer))];
    expect(await here.track(of(consumer))).toEqual(['ok']);
    expect(await there.track(of(consumer), of(consumer))).toEqual(['ok', 'included_limit_reached']);
    expect(await here.track(of(consumer))).toEqual(['included_limit_reached']);
  });

  test.each(counted)('count the events of other features in other processes: %s', async (_name, terms) => {
    const consumer = await createConsumer(shop, charged);
    const other = await shop.rest<{ id: string }>('POST', '/features', {
      name: shop.next('other'),
      code: shop.next('other'),
      type: 'usage',
    });
    const { status } = await shop.rest('POST', `/plans/${consumer.planId}/features`, {
      featureId: other.body.id,
      enabled: true,
      ...charged.terms,
    });
    expect(status).toBe(201);
    const featureCode = (other.body as unknown as { code: string }).code;
    await limit(terms(consumer, 8));
    const here = await openKnowing(of(consumer));
    const there = await openKnowing({ ...of(consumer), featureCode });
    expect(await here.track(of(consumer))).toEqual(['ok']);
    expect(await there.track({ ...of(consumer), featureCode })).toEqual(['ok']);
    expect(await here.track(of(consumer))).toEqual(['included_limit_reached']);
    expect(await there.track({ ...of(consumer), featureCode })).toEqual(['included_limit_reached']);
  });

  test('are kept by new processes, and start again in all processes at the end of the window (litellm-reset)', async () => {
    expect(await advanceDays(shop, 1)).toBe('completed');
    const consumer = await createConsumer(shop, charged);
    await limit(day(consumer, 4));
    const here = await openKnowing(of(consumer));
    expect(await here.track(of(consumer), of(consumer))).toEqual(['ok', 'included_limit_reached']);
    expect(await openProcess().track(of(consumer))).toEqual(['included_limit_reached']);
    expect(await advanceDays(shop, 1)).toBe('completed');
    expect(await openProcess().track(of(consumer), of(consumer), of(consumer))).toEqual(['ok', 'ok', 'ok']);
    expect(await here.track(of(consumer), of(consumer))).toEqual(['ok', 'included_limit_reached']);
  });

  test('follow new amounts, raises, and deletions', async () => {
    const consumer = await createConsumer(shop, charged);
    const id = await limit(day(consumer, 3));
    const here = await openKnowing(of(consumer));
    expect(await here.track(of(consumer))).toEqual(['included_limit_reached']);
    const raise = await shop.rest<{ id: string }>('POST', `/limits/${id}/raises`, { amount: 2 });
    expect(raise.status).toBe(201);
    expect(await here.track(of(consumer))).toEqual(['ok']);
    await shop.rest('DELETE', `/limits/${id}/raises/${raise.body.id}`);
    expect(await here.track(of(consumer))).toEqual(['included_limit_reached']);
    await shop.rest('PATCH', `/limits/${id}`, { amount: 5 });
    expect(await here.track(of(consumer), of(consumer))).toEqual(['ok', 'included_limit_reached']);
    await shop.rest('DELETE', `/limits/${id}`);
    expect(await here.track(of(consumer))).toEqual(['ok']);
  });

  test('follow changes of budgets', async () => {
    const consumer = await createConsumer(shop, charged);
    const budgets = `/customers/${consumer.customerId}/budgets`;
    for (const key of ['team:a', 'key:a']) await shop.rest('POST', budgets, { key });
    await limit(day(consumer, 4, { scope: { customer: consumer.customerId, budget: 'team:a' } }));
    const event = { ...of(consumer), budget: 'key:a' };
    const here = await openKnowing(event);
    expect([await here.track(event), here.hasRead()]).toEqual([['ok'], false]);
    const team = { ...event, budget: 'team:a' };
    expect([await here.track(team, team, team), here.hasRead()]).toEqual([['ok', 'ok', 'ok'], true]);
    await shop.rest('PATCH', `${budgets}/${encodeURIComponent('key:a')}`, { parentKey: 'team:a' });
    expect(await here.track(event, event)).toEqual(['ok', 'included_limit_reached']);
    await shop.rest('DELETE', `${budgets}/${encodeURIComponent('key:a')}`);
    expect(await here.track(event)).toEqual(['validation_error']);
  });
});
