import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordUsage } from '../../src/engine/usage/record.ts';
import { saveModelPrices } from '../../src/modules/catalog/ai-models/store.ts';
import { requestOf } from '../../src/modules/usage/usage/track.ts';
import { systemContext } from '../../src/request/context.ts';
import { recording } from '../support/billing-world.ts';
import {
  type Consumer,
  consumptionOf,
  createAiConsumer,
  createConsumer,
  createCreditsConsumer,
  listModel,
  of,
} from '../support/consumers.ts';
import {
  activateAddon,
  advanceDays,
  clockSettled,
  createAddon,
  createCustomer,
  firstShop,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// A process caches rows between usage events, and uses them only if no other process has changed them since.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

/** Simulates a process on the same database: an app with a separate cache. */
function openProcess(environmentId = t.sandboxId) {
  const { app, statements } = recording({ ...t.app });
  /** Records events. Returns the remaining units, the total, or the error code for each event. */
  const track = async (...bodies: Parameters<typeof requestOf>[0][]): Promise<string[]> => {
    const { results } = await recordUsage(await systemContext(app, environmentId), bodies.map(requestOf));
    return results.map((result) => {
      if ('rejection' in result) return result.rejection.code;
      if (result.isRepetition || !('event' in result)) return 'again';
      return String(result.event.remaining ?? 'ok');
    });
  };
  /** Returns whether subscriptions were loaded since the last call. */
  const hasRead = (): boolean => statements.splice(0).some((text) => text.includes('"grantedReleaseSeq"'));
  return { track, hasRead, statements };
}

const times = (count: number) => Array.from({ length: count }, (_none, index) => index);

/** Returns a process with a customer's rows in its cache. */
async function openKnowing(consumer: Consumer) {
  const process = openProcess();
  await process.track(of(consumer));
  await process.track(of(consumer));
  process.hasRead();
  return process;
}

describe('a usage snapshot', () => {
  test('is reused by later events for the same feature and for alternating features', async () => {
    const consumer = await createCreditsConsumer(shop);
    const here = openProcess();
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['633'], true]);
    // The first event of the new counter loads it.
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['626'], true]);
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['619'], false]);
    expect([await here.track(of(consumer), of(consumer)), here.hasRead()]).toEqual([['612', '605'], false]);
    expect(await consumptionOf(shop, consumer)).toMatchObject({
      credits: 605n,
      total: 5n,
      events: 5n,
      entries: { credits: 605n },
    });
  });

  test('rejects usage without loading rows, but only while the snapshot is current', async () => {
    const consumer = await createCreditsConsumer(shop, 20);
    const here = await openKnowing(consumer);
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['insufficient_credits'], false]);
    const adjust = await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/balance/adjust`, {
      amount: 1,
      reason: 'Kind.',
      type: 'credits',
    });
    expect(adjust.status).toBe(200);
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['0'], true]);
    expect(await consumptionOf(shop, consumer)).toMatchObject({
      credits: 0n,
      total: 3n,
      events: 3n,
      entries: { credits: 0n },
    });
  });

  test("isn't shared between environments", async () => {
    const [one, other] = [await createConsumer(shop), await otherShop(t)];
    const here = openProcess(other.environmentId);
    const there = await openKnowing(one);
    expect(await here.track(of(one))).toEqual(['customer_not_found']);
    expect([await there.track(of(one)), there.hasRead()]).toEqual([['ok'], false]);
  });
});

test('a usage snapshot contains a customer once if events use both IDs of the customer', async () => {
  const consumer = await createCreditsConsumer(shop);
  const externalId = shop.next('own');
  await shop.rest('PATCH', `/customers/${consumer.customerId}`, { externalId });
  const [here, byOther] = [openProcess(), { ...of(consumer), customerId: externalId }];
  await here.track(of(consumer), byOther);
  await here.track(of(consumer), byOther);
  here.hasRead();
  expect([await here.track(byOther, of(consumer), byOther), here.hasRead()]).toEqual([
    ['605', '598', '591'],
    false,
  ]);
  expect([await here.track(of(consumer)), await here.track(byOther)]).toEqual([['584'], ['577']]);
  expect(await consumptionOf(shop, consumer)).toMatchObject({
    credits: 577n,
    total: 9n,
    events: 9n,
    entries: { credits: 577n },
  });
});

describe('a repeated event after the limit is reached', () => {
  /** Creates a customer who used 10 units with the events `a` (4) and `b` (6), and a process with cached rows. */
  async function openUsedUp() {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
    const [a, b] = [4, 6].map((value) => ({ ...of(consumer), value, eventId: shop.next('event') }));
    if (a === undefined || b === undefined) throw new Error('There are two.');
    const here = openProcess();
    expect([await here.track(a), await here.track(b)]).toEqual([['ok'], ['ok']]);
    // The second event is rejected with the cached rows, without loading any rows.
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['included_limit_reached'], true]);
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['included_limit_reached'], false]);
    return { consumer, here, a, b };
  }
  const used = { total: 10n, events: 2n, value: 10n };

  test('is compared with the recorded event without loading other rows, and is rejected if it differs', async () => {
    const { consumer, here, a, b } = await openUsedUp();
    const early = new Date('2020-01-01T00:00:00Z');
    expect([await here.track(b), here.hasRead()]).toEqual([['again'], false]);
    expect([await here.track({ ...b, value: 7 }), here.hasRead()]).toEqual([['duplicate'], false]);
    expect([await here.track(a), here.hasRead()]).toEqual([['again'], false]);
    expect([await here.track({ ...a, timestamp: early }), here.hasRead()]).toEqual([['again'], false]);
    const unknown = { ...of(consumer), eventId: shop.next('event') };
    expect([await here.track(unknown), here.hasRead()]).toEqual([['included_limit_reached'], false]);
    expect(await consumptionOf(shop, consumer)).toMatchObject(used);
  });

  test('has the same result in a batch with other events', async () => {
    const { consumer, here, a, b } = await openUsedUp();
    const mixed = [
      b,
      of(consumer),
      { ...b, value: 7 },
      { ...of(consumer), eventId: shop.next('event') },
      a,
      a,
    ];
    expect([await here.track(...mixed), here.hasRead()]).toEqual([
      ['again', 'included_limit_reached', 'duplicate', 'included_limit_reached', 'again', 'again'],
      false,
    ]);
    expect(await consumptionOf(shop, consumer)).toMatchObject(used);
  });

  test('is found if another process recorded the event', async () => {
    const { consumer, here, b } = await openUsedUp();
    const there = openProcess();
    await there.track(of(consumer));
    await there.track(of(consumer));
    there.hasRead();
    expect([await there.track(b), there.hasRead()]).toEqual([['again'], false]);
    expect(await here.track(b)).toEqual(['again']);
    expect(await consumptionOf(shop, consumer)).toMatchObject(used);
  });
});

describe('a usage event after a change by another process', () => {
  test('counts usage recorded by the other process, for alternating and concurrent events', async () => {
    const consumer = await createCreditsConsumer(shop);
    const [here, there] = [openProcess(), openProcess()];
    const left: string[] = [];
    for (const _turn of times(4))
      left.push(...(await here.track(of(consumer))), ...(await there.track(of(consumer))));
    expect(left).toEqual(times(8).map((index) => String(633 - 7 * index)));
    const raced = await Promise.all(
      times(20).map((index) => (index % 2 === 0 ? here : there).track(of(consumer))),
    );
    expect(raced.flat().toSorted()).toEqual(
      times(20)
        .map((index) => String(577 - 7 * index))
        .toSorted(),
    );
    expect(await consumptionOf(shop, consumer)).toMatchObject({
      credits: 444n,
      total: 28n,
      events: 28n,
      entries: { credits: 444n },
    });
  });

  test('is treated as a repetition if the other process recorded its event ID', async () => {
    const consumer = await createConsumer(shop);
    const [here, there] = [await openKnowing(consumer), openProcess()];
    const event = { ...of(consumer), eventId: shop.next('event') };
    expect(await there.track(event)).toEqual(['ok']);
    expect(await here.track(event)).toEqual(['again']);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 3n, events: 3n });
  });

  test('is rejected if the subscription was canceled', async () => {
    const consumer = await createConsumer(shop);
    const here = await openKnowing(consumer);
    await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/cancel`, { immediate: true });
    expect(await here.track(of(consumer))).toEqual(['no_active_subscription']);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 2n, events: 2n });
  });

  test('refers to the customer who now has the external ID', async () => {
    const consumer = await createConsumer(shop);
    const [externalId, other] = [shop.next('own'), await createCustomer(shop)];
    expect((await shop.rest('PATCH', `/customers/${consumer.customerId}`, { externalId })).status).toBe(200);
    const event = { ...of(consumer), customerId: externalId };
    const here = openProcess();
    expect([await here.track(event), await here.track(event), await here.track(event)]).toEqual([
      ['ok'],
      ['ok'],
      ['ok'],
    ]);
    await shop.rest('PATCH', `/customers/${consumer.customerId}`, { externalId: shop.next('own') });
    await shop.rest('PATCH', `/customers/${other.id}`, { externalId });
    expect(await here.track(event)).toEqual(['no_active_subscription']);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 3n, events: 3n });
  });

  test('uses the terms of a newly activated add-on', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 2 } });
    const addon = await createAddon(shop, {
      featureId: consumer.feature.id,
      consumptionModel: 'metered',
      includedUnits: 3,
      overageRate: 125,
    });
    const here = await openKnowing(consumer);
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['included_limit_reached'], false]);
    await activateAddon(shop, consumer.subscriptionId, addon.id);
    expect([await here.track(of(consumer), of(consumer)), here.hasRead()]).toEqual([['ok', 'ok'], true]);
    const { subscriptionId } = consumer;
    await t.app.database.script(
      `UPDATE "AddonActivation" SET status = 'inactive', "deactivatedAt" = '2020-01-01' WHERE "subscriptionId" = '${subscriptionId}'`,
    );
    expect([await here.track(of(consumer)), await here.track(of(consumer))]).toEqual([
      ['included_limit_reached'],
      ['included_limit_reached'],
    ]);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 4n, events: 4n });
  });

  test('is recorded in the window at the new time of the test clock', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 2 } });
    const here = await openKnowing(consumer);
    expect(await here.track(of(consumer))).toEqual(['included_limit_reached']);
    await advanceDays(shop, 32);
    await clockSettled(shop);
    expect([
      await here.track(of(consumer)),
      await here.track(of(consumer)),
      await here.track(of(consumer)),
    ]).toEqual([['ok'], ['ok'], ['included_limit_reached']]);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 2n, events: 4n });
  });
});

describe('a concurrent batch for the same customer', () => {
  /** Enough events for another batch to start at the same time. */
  const many = (consumer: Consumer) => times(20).map(() => of(consumer));
  const drawn = (count: number, from = 633): string[] =>
    times(count).map((index) => String(from - 7 * index));

  test('uses the result of the previous batch without loading rows', async () => {
    const consumer = await createCreditsConsumer(shop);
    const here = await openKnowing(consumer);
    const results = await Promise.all(times(4).map(() => here.track(...many(consumer))));
    expect(here.hasRead()).toBe(false);
    for (const own of results) expect(own).toEqual(drawn(20, Number(own[0])));
    expect(results.flat().toSorted((a, b) => Number(b) - Number(a))).toEqual(drawn(80, 619));
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['59'], false]);
    expect(await consumptionOf(shop, consumer)).toMatchObject({
      credits: 59n,
      total: 83n,
      events: 83n,
      entries: { credits: 59n },
    });
  });

  test('returns an event that the previous batch is recording, even if the limit is reached', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 22 } });
    const here = await openKnowing(consumer);
    const events = many(consumer).map((event) => ({ ...event, eventId: shop.next('event') }));
    const results = await Promise.all([here.track(...events), here.track(...events)]);
    expect(results.flat().toSorted()).toEqual([
      ...times(20).map(() => 'again'),
      ...times(20).map(() => 'ok'),
    ]);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 22n, events: 22n });
  });

  test('loads rows if the previous batch failed', async () => {
    const consumer = await createCreditsConsumer(shop);
    const event = { ...of(consumer), eventId: shop.next('event') };
    const here = openProcess();
    expect(await here.track(event)).toEqual(['633']);
    await here.track(of(consumer));
    here.hasRead();
    // The event's ID was already recorded, but isn't in the cached rows.
    const results = await Promise.all([
      here.track(event, ...many(consumer)),
      here.track(...many(consumer), of(consumer)),
      here.track(...many(consumer), of(consumer)),
    ]);
    expect(results.flat().filter((result) => result === 'again')).toEqual(['again']);
    const left = results.flat().filter((result) => result !== 'again');
    expect(left.toSorted((a, b) => Number(b) - Number(a))).toEqual(drawn(62, 619));
    expect(here.hasRead()).toBe(true);
    expect(await consumptionOf(shop, consumer)).toMatchObject({
      credits: 192n,
      total: 64n,
      events: 64n,
      entries: { credits: 192n },
    });
  });

  test('includes changes by another process', async () => {
    const consumer = await createCreditsConsumer(shop);
    const [here, there] = [await openKnowing(consumer), await openKnowing(consumer)];
    const results = await Promise.all([here, there, here, there].map((one) => one.track(...many(consumer))));
    expect(results.flat().toSorted((a, b) => Number(b) - Number(a))).toEqual(drawn(80, 605));
    expect(await consumptionOf(shop, consumer)).toMatchObject({
      credits: 52n,
      total: 84n,
      events: 84n,
      entries: { credits: 52n },
    });
  });
});

test("a usage event is recorded at the new time of an advanced clock if its customer hasn't changed", async () => {
  const consumer = await createConsumer(shop);
  const here = await openKnowing(consumer);
  await advanceDays(shop, 1);
  await clockSettled(shop);
  expect(await here.track(of(consumer))).toEqual(['ok']);
  const times = await t.app.database.query<{ ts: Date }>(
    'SELECT ts FROM "UsageEvent" WHERE "environmentId" = $1 AND "subscriptionId" = $2 ORDER BY seq',
    [t.sandboxId, consumer.subscriptionId],
  );
  const [first, , third] = times.map(({ ts }) => ts.getTime());
  expect(Math.round(((third ?? 0) - (first ?? 0)) / 86_400_000)).toBe(1);
});

describe('usage of an account with many lots (PRM-20)', () => {
  /** Creates a customer with lots of 10 credits after 5 credits of the plan. The last lot in draw order expires after 5 days. */
  async function createHolder(count: number) {
    const consumer = await createCreditsConsumer(shop, 5, 1);
    const { testClock } = await t.graphql<{ testClock: { now: string } }>('{ testClock { now } }');
    const expiresAt = new Date(Date.parse(testClock.now) + 5 * 86_400_000).toISOString();
    for (const index of times(count)) {
      const last = index === 0 ? { priority: 90, expiresAt } : {};
      const lot = { amount: 10, ...last };
      const { status } = await shop.rest('POST', `/customers/${consumer.customerId}/lots`, lot);
      expect(status).toBe(201);
    }
    return consumer;
  }

  const rows = (consumer: Consumer) =>
    t.app.database.query<{ source: string; remaining: bigint; entries: bigint }>(
      `SELECT l.source, l.remaining, (SELECT sum(e.amount)::bigint FROM "ConsumptionEntry" e WHERE e."environmentId" = $1 AND e."lotId" = l.id) AS entries
       FROM "Lot" l WHERE l."environmentId" = $1 AND l."subscriptionId" = $2 ORDER BY l.priority, l.seq`,
      [t.sandboxId, consumer.subscriptionId],
    );

  /** Returns the remaining amounts of the lots in draw order, which must equal the sums of their entries. */
  async function remainingOf(consumer: Consumer): Promise<bigint[]> {
    const lots = await rows(consumer);
    for (const { remaining, entries } of lots) expect(entries).toBe(remaining);
    return lots.map(({ remaining }) => remaining);
  }

  test('draws on the lots in order, one after another, and reads more lots only if they are needed', async () => {
    const consumer = await createHolder(40);
    const here = openProcess();
    const use = (value: number) => here.track({ ...of(consumer), value });
    expect(await use(4)).toEqual(['401']);
    const expected = [1n, ...times(40).map(() => 10n)];
    expect(await remainingOf(consumer)).toEqual(expected);
    // 200 credits are more than the first 16 lots contain.
    expect(await use(200)).toEqual(['201']);
    expect(await here.track({ ...of(consumer), value: 202 })).toEqual(['insufficient_credits']);
    const drawn = [0n, ...times(19).map(() => 0n), 1n, ...times(20).map(() => 10n)];
    expect(await remainingOf(consumer)).toEqual(drawn);
    here.hasRead();
    expect([await use(1), here.hasRead()]).toEqual([['200'], false]);
    expect([await here.track(of(consumer), { ...of(consumer), value: 170 }), here.hasRead()]).toEqual([
      ['199', '29'],
      false,
    ]);
    expect(await use(30)).toEqual(['insufficient_credits']);
    expect(await use(29)).toEqual(['0']);
    expect(await remainingOf(consumer)).toEqual(times(41).map(() => 0n));
    expect(await consumptionOf(shop, consumer)).toMatchObject({ credits: 0n, entries: { credits: 0n } });
  });

  test('never draws on a lot that expired before it was loaded', async () => {
    const consumer = await createHolder(40);
    const here = openProcess();
    await here.track(of(consumer));
    await here.track(of(consumer));
    await advanceDays(shop, 6);
    expect(await here.track(of(consumer))).toEqual(['392']);
    expect(await here.track({ ...of(consumer), value: 393 })).toEqual(['insufficient_credits']);
    expect(await here.track({ ...of(consumer), value: 392 })).toEqual(['0']);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ credits: 0n, entries: { credits: 0n } });
  });
});

describe('usage with dimensions (PRM-12)', () => {
  const createDivided = () =>
    createConsumer(shop, {
      terms: { includedAmount: 0, overage: { enabled: true } },
      meter: { aggregation: 'sum', dimensions: [{ property: 'model' }] },
      rate: { cells: [{ when: { model: ['L'] }, rate: { amount: '0.02' } }], default: { amount: '0.01' } },
    });
  const event = (consumer: Consumer, model: string, value: number) => ({
    ...of(consumer),
    value,
    properties: [{ property: 'model', value: model }],
  });
  const totals = (consumer: Consumer) =>
    t.app.database.query<{ values: object; total: bigint }>(
      'SELECT values, total FROM "UsageCell" WHERE "environmentId" = $1 AND "subscriptionId" = $2 ORDER BY seq',
      [t.sandboxId, consumer.subscriptionId],
    );
  const prices = (consumer: Consumer) =>
    t.app.database
      .query<{ price: string }>(
        'SELECT price FROM "UsageEvent" WHERE "environmentId" = $1 AND "subscriptionId" = $2 ORDER BY seq',
        [t.sandboxId, consumer.subscriptionId],
      )
      .then((rows) => rows.map(({ price }) => price));

  test('is recorded without reading rows or totals once all combinations are known', async () => {
    const consumer = await createDivided();
    const here = openProcess();
    const use = (model: string, value: number) => here.track(event(consumer, model, value));
    expect([await use('L', 1), await use('S', 2), await use('L', 3)]).toEqual([['ok'], ['ok'], ['ok']]);
    here.statements.splice(0);
    expect(await use('S', 4)).toEqual(['ok']);
    expect(here.statements.filter((text) => text.includes('FROM "UsageCell"'))).toEqual([]);
    expect(here.hasRead()).toBe(false);
    expect(await totals(consumer)).toEqual([
      { values: { model: 'L' }, total: 4n },
      { values: { model: 'S' }, total: 6n },
    ]);
    expect(await prices(consumer)).toEqual(['0.02', '0.02', '0.06', '0.04']);
  });

  test('includes totals that another process has changed', async () => {
    const consumer = await createDivided();
    const [here, there] = [openProcess(), openProcess()];
    for (const process of [here, there, here, there, here])
      await process.track(event(consumer, 'L', 10), event(consumer, 'S', 1));
    await there.track(event(consumer, 'new', 5));
    await here.track(event(consumer, 'new', 7));
    await Promise.all(
      times(20).map((index) => (index % 2 === 0 ? here : there).track(event(consumer, 'L', 1))),
    );
    expect(await totals(consumer)).toEqual([
      { values: { model: 'L' }, total: 70n },
      { values: { model: 'S' }, total: 5n },
      { values: { model: 'new' }, total: 12n },
    ]);
    expect((await prices(consumer)).reduce((sum, price) => sum + Number(price) * 100, 0)).toBeCloseTo(157, 9);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 87n, events: 32n });
  });

  test('counts from zero in the next usage window', async () => {
    const consumer = await createDivided();
    const here = openProcess();
    for (const value of [1, 2, 3]) await here.track(event(consumer, 'L', value));
    await advanceDays(shop, 32);
    await clockSettled(shop);
    for (const value of [4, 5, 6]) await here.track(event(consumer, 'L', value));
    expect(await totals(consumer)).toEqual([{ values: { model: 'L' }, total: 15n }]);
    expect(await prices(consumer)).toEqual(['0.02', '0.04', '0.06', '0.08', '0.1', '0.12']);
  });
});

describe('usage of an AI model', () => {
  const input = { inputTokens: 100_000, outputTokens: 0 };

  /** Lists the model with a price for input tokens, in millionths of a dollar per million tokens. */
  const reprice = (
    price: bigint,
    others: readonly { readonly provider: string; readonly name: string }[] = [],
  ) =>
    saveModelPrices(
      t.app.database,
      {
        models: [{ provider: 'acme', name: 'large' }, ...others].map(({ provider, name }) => ({
          id: `${provider}/${name}`,
          provider,
          name,
          prices: [{ upTo: null, prices: { input: price, output: price } }],
        })),
        invalidIds: [],
        unknownPrices: 0,
      },
      t.app.wall.now(),
    );

  test('is recorded without reading rows, and with the latest prices', async () => {
    await listModel(shop);
    const consumer = await createAiConsumer(shop);
    const here = openProcess();
    const use = () => here.track({ ...of(consumer), model: 'large', ...input });
    // 100,000 tokens for 2.15 per million with a margin of 17.5% cost 0.252625.
    expect([await use(), await use()]).toEqual([['417474'], ['414947']]);
    here.hasRead();
    expect([await use(), here.hasRead()]).toEqual([['412421'], false]);
    await reprice(4_000_000n);
    // 0.4 with the margin is 0.47.
    expect([await use(), here.hasRead()]).toEqual([['407721'], true]);
    expect(await use()).toEqual(['403021']);
    const own = { prices: { input: '1', output: '1' } };
    expect((await shop.rest('PUT', '/ai-models/acme%2Flarge/price', own)).status).toBe(200);
    expect([await use(), await use()]).toEqual([['401846'], ['400671']]);
    expect((await shop.rest('DELETE', '/ai-models/acme%2Flarge/price')).status).toBe(200);
    expect(await use()).toEqual(['395971']);
  });

  test('is rejected once the name is ambiguous', async () => {
    await listModel(shop);
    const consumer = await createAiConsumer(shop);
    const here = openProcess();
    const use = (model: string) => here.track({ ...of(consumer), model, ...input });
    expect([await use('large'), await use('large'), await use('large')]).toEqual([
      ['417474'],
      ['414947'],
      ['412421'],
    ]);
    await reprice(2_150_000n, [{ provider: 'other', name: 'large' }]);
    expect(await use('large')).toEqual(['model_not_found']);
    expect(await use('acme/large')).toEqual(['409895']);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ events: 4n });
  });
});
