import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Consumer,
  type ConsumerOptions,
  consumptionOf,
  createConsumer,
  of,
} from '../support/consumers.ts';
import { advanceDays, clockSettled, otherShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { histories, type Random, randomOf } from '../support/random.ts';

// Random histories through the public API, compared with a model that uses plain numbers: accepted events, remaining units, and each usage
// window's charges.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

/** Consumption model, with a consumer's initial allowance. */
type Kind = {
  readonly options: ConsumerOptions;
  /** Amount that one unit deducts from the remaining amount. */
  readonly cost: number;
  /** True if the remaining amount can be negative. */
  readonly isOpen: boolean;
  /** Charge in cents if the remaining amount is −100 units. */
  readonly centsPerHundred: number;
  /** Returns the update that sets the included amount. */
  readonly include: (amount: number) => object;
  /** Field of the access check that contains the remaining amount. */
  readonly shown: 'remaining' | 'totalCredits' | 'currentBalance';
};

const weekly = { billingInterval: 'weekly', price: 1_000 };
const start = 200;

const kinds: readonly Kind[] = [
  {
    options: { terms: { includedAmount: start } },
    cost: 1,
    isOpen: false,
    centsPerHundred: 0,
    include: (includedAmount) => ({ includedAmount }),
    shown: 'remaining',
  },
  {
    options: { terms: { includedAmount: start, overage: { enabled: true, unitPrice: 130 } } },
    cost: 1,
    isOpen: true,
    centsPerHundred: 130,
    include: (includedAmount) => ({ includedAmount }),
    shown: 'remaining',
  },
  {
    options: {
      plan: { consumptionModel: 'credits' },
      price: { includedCredits: start },
      terms: { creditsPerUnit: 3 },
    },
    cost: 3,
    isOpen: false,
    centsPerHundred: 0,
    include: (includedCredits) => ({ includedCredits }),
    shown: 'totalCredits',
  },
  ...[true, false].map(
    (blockOnExhaustion): Kind => ({
      options: {
        plan: { consumptionModel: 'balance', blockOnExhaustion },
        price: { includedBalance: start },
        terms: { pricingMode: 'fixed', overage: { unitPrice: 7 } },
      },
      cost: 7,
      isOpen: !blockOnExhaustion,
      // A rate of 100 is one cent.
      centsPerHundred: blockOnExhaustion ? 0 : 1,
      include: (includedBalance) => ({ includedBalance }),
      shown: 'currentBalance',
    }),
  ),
];

/** State of the model: remaining amount, included amount in the current and next usage windows, event IDs, total units, and charges. */
type Model = {
  left: number;
  held: number;
  next: number;
  readonly ids: Map<string, number>;
  units: number;
  readonly bills: number[];
};

type World = {
  readonly shop: Shop;
  readonly consumer: Consumer;
  readonly kind: Kind;
  readonly random: Random;
  readonly model: Model;
  readonly priceId: string;
};

/** Applies an event to the model and returns the expected result. */
function expected({ model, kind }: World, value: number, eventId?: string): string {
  const stored = eventId === undefined ? undefined : model.ids.get(eventId);
  if (stored !== undefined) return stored === value ? 'recorded' : 'duplicate';
  if (!kind.isOpen && value * kind.cost > model.left) return 'refused';
  model.left -= value * kind.cost;
  model.units += value;
  if (eventId !== undefined) model.ids.set(eventId, value);
  return 'recorded';
}

const resultOf = (code: string | undefined): string =>
  code === undefined || code === 'duplicate' ? (code ?? 'recorded') : 'refused';

async function track({ shop, consumer, random, ...rest }: World): Promise<void> {
  const value = 1 + random.below(40);
  const { body } = await shop.rest<{ error?: { code: string } }>('POST', '/usage/events', {
    ...of(consumer),
    value,
  });
  expect(resultOf(body.error?.code)).toBe(expected({ shop, consumer, random, ...rest }, value));
}

async function batch(world: World): Promise<void> {
  const { shop, consumer, random } = world;
  const events = Array.from({ length: 1 + random.below(6) }, () => ({
    ...of(consumer),
    value: 1 + random.below(3),
    eventId: `${consumer.subscriptionId} ${random.below(12)}`,
  }));
  const { body } = await shop.rest<{ results: { code?: string }[] }>('POST', '/usage/events/batch', {
    events,
  });
  expect(body.results.map(({ code }) => resultOf(code))).toEqual(
    events.map(({ value, eventId }) => expected(world, value, eventId)),
  );
}

async function set({ shop, consumer, random, model, kind }: World): Promise<void> {
  const total = random.below(300);
  const { status } = await shop.rest('PUT', '/usage', { ...of(consumer), value: total });
  const left = model.held - total;
  const isAllowed = kind.shown === 'remaining' && (kind.isOpen || left >= 0 || left >= model.left);
  expect(status).toBe(isAllowed ? 200 : 400);
  if (isAllowed) model.left = left;
}

/** Advances the clock by one minute, because the order of edits made at the same time is ambiguous. */
async function tick(shop: Shop): Promise<void> {
  const { body } = await shop.rest<{ now: string }>('GET', '/test-clock');
  const frozenTime = new Date(new Date(body.now).getTime() + 60_000).toISOString();
  expect((await shop.rest('POST', '/test-clock', { frozenTime })).status).toBe(202);
  expect(await clockSettled(shop)).toBe('completed');
}

/** Edits the included amount. An increase applies immediately, and a reduction applies in the next usage window (CAT-49). */
async function include({ shop, consumer, random, model, kind, priceId }: World): Promise<void> {
  await tick(shop);
  model.next = random.below(500);
  const path = kind.shown === 'remaining' ? `features/${consumer.feature.id}` : `prices/${priceId}`;
  expect(
    (await shop.rest('PATCH', `/plans/${consumer.planId}/${path}`, kind.include(model.next))).status,
  ).toBe(200);
  model.left += Math.max(0, model.next - model.held);
  model.held = Math.max(model.held, model.next);
}

/** Ends the usage window. A negative amount is charged, and the next usage window starts with its included amount. */
async function endWindow({ shop, model, kind }: World): Promise<void> {
  expect(await advanceDays(shop, 7)).toBe('completed');
  const bill = Math.floor((Math.max(0, -model.left) * kind.centsPerHundred + 50) / 100);
  // An amount below half a cent creates no line item (BIL-13).
  if (bill > 0) model.bills.push(bill);
  Object.assign(model, { left: model.next, held: model.next });
}

type Stored = { readonly id: string; readonly row: object };

const records = ({ shop, consumer }: World): Promise<Stored[]> =>
  shop.t.app.database.query<Stored>(
    `SELECT id, to_json(e) AS row FROM "UsageEvent" e WHERE "environmentId" = $1 AND "subscriptionId" = $2
     UNION ALL SELECT id, to_json(a) AS row FROM "UsageAdjustment" a WHERE "environmentId" = $1 AND "subscriptionId" = $2`,
    [shop.environmentId, consumer.subscriptionId],
  );

const lines = async ({ shop, consumer }: World): Promise<number[]> =>
  (
    await shop.t.app.database.query<{ amount: bigint }>(
      `SELECT l.amount FROM "InvoiceLine" l JOIN "Invoice" i ON i."environmentId" = l."environmentId" AND i.id = l."invoiceId"
       WHERE l."environmentId" = $1 AND i."subscriptionId" = $2 AND l."lineType" IN ('feature_overage', 'balance_overage') ORDER BY i.seq`,
      [shop.environmentId, consumer.subscriptionId],
    )
  ).map(({ amount }) => Number(amount));

/** Expects the API and the database to match the model, and earlier records to be unchanged. Returns the current records. */
async function expectModel(world: World, before: readonly Stored[]): Promise<Stored[]> {
  const { shop, consumer, kind, model } = world;
  const { body } = await shop.rest<Record<string, number>>('POST', '/usage/check', of(consumer));
  expect(body[kind.shown]).toBe(kind.shown === 'remaining' ? Math.max(0, model.left) : model.left);
  if (kind.shown === 'remaining') expect(body['current']).toBe(model.held - model.left);
  const { credits, balance, entries, value } = await consumptionOf(shop, consumer);
  expect(entries).toEqual({ credits, balance });
  expect(value).toBe(BigInt(model.units));
  const after = await records(world);
  const byId = new Map(after.map(({ id, row }) => [id, row]));
  expect(before.map(({ id }) => byId.get(id))).toEqual(before.map(({ row }) => row));
  return after;
}

const steps = [track, track, track, batch, batch, set, include, endWindow];

test('a usage history matches the model in accepted, remaining, and billed usage, its records never change, and its balances equal the sum of their entries (CON-8, CON-10, CON-15, CON-16, CON-27, CON-58)', {
  timeout: 3_600_000,
}, async () => {
  for (let seed = 1; seed <= histories(5); seed++) {
    const kind = kinds[seed % kinds.length];
    if (kind === undefined) throw new Error('There is no such kind.');
    const shop = await otherShop(t, `History ${seed}`);
    await advanceDays(shop, 1);
    const consumer = await createConsumer(shop, {
      ...kind.options,
      price: { ...weekly, ...kind.options.price },
    });
    const { body } = await shop.rest<{ prices: { id: string }[] }>('GET', `/plans/${consumer.planId}`);
    const model: Model = { left: start, held: start, next: start, ids: new Map(), units: 0, bills: [] };
    const world: World = {
      shop,
      consumer,
      kind,
      model,
      random: randomOf(seed),
      priceId: body.prices[0]?.id ?? '',
    };
    let before: Stored[] = [];
    for (let step = 0; step < 12; step++) {
      await world.random.pick(steps)(world);
      before = await expectModel(world, before);
    }
    await endWindow(world);
    expect(await lines(world)).toEqual(model.bills);
  }
});
