import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemContext } from '../../src/context.ts';
import { recordUsage } from '../../src/engine/usage/record.ts';
import { requestOf } from '../../src/modules/usage/track.ts';
import { recording } from '../support/billing-world.ts';
import {
  type Consumer,
  consumptionOf,
  createConsumer,
  createCreditsConsumer,
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

// What a process keeps of customers between events decides only where it is still so; another process changes it meanwhile.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

/** A process of its own on the same database, and what it asks of it. */
function openProcess(environmentId = t.sandboxId) {
  const { app, statements } = recording({ ...t.app });
  /** Records events, and answers what became of each: the units left, the total or the rejection. */
  const track = async (...bodies: Parameters<typeof requestOf>[0][]): Promise<string[]> => {
    const { results } = await recordUsage(await systemContext(app, environmentId), bodies.map(requestOf));
    return results.map((result) =>
      'rejection' in result
        ? result.rejection.code
        : result.isRepetition
          ? 'again'
          : String(result.event.remaining ?? 'ok'),
    );
  };
  /** Whether subscriptions were read since the last question. */
  const hasRead = (): boolean => statements.splice(0).some((text) => text.includes('"grantedReleaseSeq"'));
  return { track, hasRead };
}

const times = (count: number) => Array.from({ length: count }, (_none, index) => index);

/** A process that keeps what it needs of a consumer. */
async function openKnowing(consumer: Consumer) {
  const process = openProcess();
  await process.track(of(consumer));
  await process.track(of(consumer));
  process.hasRead();
  return process;
}

describe('what was found and written', () => {
  test('is not read again by the next event, of one feature or of several in turn', async () => {
    const consumer = await createCreditsConsumer(shop);
    const here = openProcess();
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['633'], true]);
    // The counter was new, and is read once.
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

  test('decides a rejection without reading, which is told only where it is still so', async () => {
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

  test('is kept of an environment apart from every other one', async () => {
    const [one, other] = [await createConsumer(shop), await otherShop(t)];
    const here = openProcess(other.environmentId);
    const there = await openKnowing(one);
    expect(await here.track(of(one))).toEqual(['customer_not_found']);
    expect([await there.track(of(one)), there.hasRead()]).toEqual([['ok'], false]);
  });
});

test('a customer who is named by both identifiers is one', async () => {
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

describe('an event that is sent again after the limit is used up', () => {
  /** A consumer of ten units who used them up by `a` (4) and `b` (6), and a process that did so and keeps what it needs. */
  async function openUsedUp() {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
    const [a, b] = [4, 6].map((value) => ({ ...of(consumer), value, eventId: shop.next('event') }));
    if (a === undefined || b === undefined) throw new Error('There are two.');
    const here = openProcess();
    expect([await here.track(a), await here.track(b)]).toEqual([['ok'], ['ok']]);
    // Rejected on what is kept.
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['included_limit_reached'], true]);
    expect([await here.track(of(consumer)), here.hasRead()]).toEqual([['included_limit_reached'], false]);
    return { consumer, here, a, b };
  }
  const used = { total: 10n, events: 2n, value: 10n };

  test('is answered again, or told from the stored one, by reading nothing but events', async () => {
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

  test('is so among others of a batch, each of which meets what it would alone', async () => {
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

  test('is so where another process recorded it', async () => {
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

describe('an event after another process has', () => {
  test('recorded usage finds what that left, in turns and immediately', async () => {
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

  test('counted its id tells the event stored before', async () => {
    const consumer = await createConsumer(shop);
    const [here, there] = [await openKnowing(consumer), openProcess()];
    const event = { ...of(consumer), eventId: shop.next('event') };
    expect(await there.track(event)).toEqual(['ok']);
    expect(await here.track(event)).toEqual(['again']);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 3n, events: 3n });
  });

  test('ended the subscription is rejected', async () => {
    const consumer = await createConsumer(shop);
    const here = await openKnowing(consumer);
    await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/cancel`, { immediate: true });
    expect(await here.track(of(consumer))).toEqual(['no_active_subscription']);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 2n, events: 2n });
  });

  test('given the external id to another customer counts for that one', async () => {
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

  test('sold an add-on meets what that adds', async () => {
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

  test('moved the test clock counts in the window the clock stands in', async () => {
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

describe('batches beside each other, of one customer', () => {
  /** As many events as a batch has before another one begins beside it. */
  const many = (consumer: Consumer) => times(20).map(() => of(consumer));
  const drawn = (count: number, from = 633): string[] =>
    times(count).map((index) => String(from - 7 * index));

  test('decide on what the one before decided, and read nothing', async () => {
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

  test('answer again what the one before is recording, though it uses up the limit', async () => {
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

  test('go on by reading where the one before could not be written', async () => {
    const consumer = await createCreditsConsumer(shop);
    const event = { ...of(consumer), eventId: shop.next('event') };
    const here = openProcess();
    expect(await here.track(event)).toEqual(['633']);
    await here.track(of(consumer));
    here.hasRead();
    // The id is taken, which nothing cached tells.
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

  test('meet what another process did meanwhile', async () => {
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

test('an event counts at the time of a clock that moved meanwhile, though nothing of its customer did', async () => {
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
