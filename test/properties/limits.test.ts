import { afterAll, beforeAll, expect, test } from 'vitest';
import { setRate } from '../support/consumers.ts';
import { eventually } from '../support/eventually.ts';
import {
  attachFeature,
  clockSettled,
  createCustomer,
  createFeature,
  createPlan,
  createPrice,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { histories, type Random, randomOf } from '../support/random.ts';

// Random histories of usage with limits, holds, and automatic top-ups through the public API. The spend of the usage window is compared with
// a model that prices units one by one, and the same history is repeated with a clock that advances in many short runs.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Json = Readonly<Record<string, unknown>>;

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
const start = Date.parse('2027-05-03T00:00:00Z');
/** Spend caps in cents. */
const caps = [400, 650] as const;

/** Price in ten-thousandths of the units of a feature in a usage window. */
type Price = (units: number) => number;

/** Adds up the prices of units. `priceOf` returns the price of a unit, counted from 1. */
const unitByUnit =
  (priceOf: (unit: number) => number): Price =>
  (units) =>
    Array.from({ length: units }, (_unit, index) => priceOf(index + 1)).reduce((sum, one) => sum + one, 0);

/** Features: 5 included units and then two tiers, and one price for each unit. */
const prices = [
  unitByUnit((unit) => (unit <= 5 ? 0 : unit <= 25 ? 1_035 : 215)),
  unitByUnit(() => 1_375),
] as const;

type Feature = 0 | 1;

type Action =
  | { readonly kind: 'wait'; readonly hours: number; readonly parts: readonly number[] }
  | { readonly kind: 'use'; readonly feature: Feature; readonly value: number; readonly budget: boolean }
  | {
      readonly kind: 'hold';
      readonly feature: Feature;
      readonly value: number;
      readonly minutes: number;
      readonly drops: boolean;
    }
  | { readonly kind: 'settle'; readonly nth: number; readonly value: number; readonly final: boolean }
  | { readonly kind: 'release'; readonly nth: number }
  | { readonly kind: 'void' }
  | { readonly kind: 'draw'; readonly value: number };

function randomAction(random: Random): Action {
  const feature: Feature = random.below(2) === 0 ? 0 : 1;
  switch (random.below(10)) {
    case 0:
    case 1: {
      const parts = [1 + random.below(5), 1 + random.below(5), 1 + random.below(5)];
      return { kind: 'wait', hours: 1 + random.below(80), parts };
    }
    case 2:
    case 3:
      return { kind: 'use', feature, value: 1 + random.below(18), budget: random.below(3) === 0 };
    case 4:
    case 5: {
      const minutes = random.pick([15, 240, 1_440]);
      return { kind: 'hold', feature, value: 1 + random.below(20), minutes, drops: random.below(3) === 0 };
    }
    case 6:
    case 7:
      return {
        kind: 'settle',
        nth: random.below(5),
        value: 1 + random.below(22),
        final: random.below(3) > 0,
      };
    case 8:
      return random.below(2) === 0 ? { kind: 'release', nth: random.below(5) } : { kind: 'void' };
    default:
      return { kind: 'draw', value: 100 + random.below(500) };
  }
}

/** Returns a history that ends after the last usage window. */
function historyOf(seed: number): Action[] {
  const random = randomOf(seed);
  const actions = Array.from({ length: 30 }, () => randomAction(random));
  return [...actions, { kind: 'wait', hours: 8 * 24, parts: [1, 2, 3] }];
}

/** Counted event, with the usage window that counted it. */
type Counted = {
  readonly id: string;
  readonly feature: Feature;
  readonly units: number;
  readonly window: number;
};

class World {
  readonly shop: Shop;
  now = start;
  /** Units by usage window and feature. */
  readonly totals = new Map<number, [number, number]>();
  readonly events: Counted[] = [];
  readonly holds: { readonly id: string; readonly feature: Feature }[] = [];
  codes: string[] = [];
  customerId = '';
  subscriptionId = '';
  drawer = '';
  rejections = 0;
  /** Highest charge of a usage window in cents. */
  highest = 0;

  constructor(shop: Shop) {
    this.shop = shop;
  }

  get window(): number {
    return Math.floor((this.now - start) / weekMs);
  }

  async do(method: string, path: string, body: Json): Promise<Json> {
    const answer = await this.shop.rest(method, path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }

  /** Advances the clock, and waits until all due work is complete. */
  async advance(time: number): Promise<void> {
    this.now = time;
    await this.do('POST', '/test-clock', { frozenTime: new Date(this.now).toISOString() });
    expect(await clockSettled(this.shop)).toBe('completed');
  }

  /** Waits until the worker has executed all due deadlines. */
  async settled(): Promise<void> {
    await eventually(async () => {
      const due = await t.app.database.query(
        'SELECT FROM "Deadline" WHERE "environmentId" = $1 AND "dueAt" <= $2 LIMIT 1',
        [this.shop.environmentId, new Date(this.now)],
      );
      return due.length === 0;
    });
  }

  /** Creates a subscriber with spend caps and a budget, and a subscriber whose balance is topped up automatically. */
  async open(): Promise<void> {
    const { shop } = this;
    await this.do('POST', '/test-clock', { frozenTime: new Date(start).toISOString() });
    expect(await clockSettled(shop)).toBe('completed');
    const subscribe = async (planId: string, price: Json): Promise<[string, string]> => {
      await createPrice(shop, planId, { billingInterval: 'weekly', price: 1_000, ...price });
      const { id } = await createCustomer(shop);
      const subscription = await subscribeTo(shop, id, planId);
      await pay(shop, subscription.token);
      return [id, subscription.id];
    };
    const metered = await createPlan(shop);
    const overage = { enabled: true };
    for (const [feature, includedAmount] of [5, 0].entries()) {
      const { id, code } = await createFeature(shop, 'usage');
      await attachFeature(shop, metered.id, id, { includedAmount, overage });
      const tiers = [
        { upTo: 20, amount: '0.1035' },
        { upTo: null, amount: '0.0215' },
      ];
      const rate = feature === 0 ? { model: 'graduated', tiers } : { model: 'per_unit', amount: '0.1375' };
      await setRate(shop, metered.id, id, rate);
      this.codes.push(code);
    }
    [this.customerId, this.subscriptionId] = await subscribe(metered.id, {});
    await this.do('POST', `/customers/${this.customerId}/budgets`, { key: 'team:a' });
    const scope = { customer: this.customerId };
    for (const amount of caps)
      await this.do('POST', '/limits', {
        ...{ scope, measure: 'spend', currency: 'usd', window: { kind: 'usage_window' } },
        ...{ action: 'block', amount, name: `cap ${amount}` },
      });
    const units = { measure: 'units', filter: { features: [this.codes[0]] }, action: 'block' };
    await this.do('POST', '/limits', {
      ...{ ...units, scope: { ...scope, budget: 'team:a' }, amount: 40 },
      window: { kind: 'rolling', minutes: 3_000 },
    });
    await this.do('POST', '/limits', { ...units, scope, amount: 45, window: { kind: 'day' } });

    const balance = await createPlan(shop, { consumptionModel: 'balance', blockOnExhaustion: true });
    const drawn = await createFeature(shop, 'usage');
    await attachFeature(shop, balance.id, drawn.id, { pricingMode: 'fixed', overage: { unitPrice: 50 } });
    this.codes.push(drawn.code);
    [this.drawer] = await subscribe(balance.id, { includedBalance: 50_000 });
    await this.do('PUT', `/customers/${this.drawer}/auto-top-up`, {
      ...{ threshold: 20_000, refill: { amount: 500 }, maxPerMonth: 4, maxAmountPerMonth: 1_700 },
      ...{ minPause: 600, consentReference: 'contract-7' },
    });
  }

  #count(event: Json, feature: Feature): void {
    const uncounted = Number((event['uncounted'] as { quantity?: string } | undefined)?.quantity ?? 0);
    const units = Number(event['value']) - uncounted;
    const { window } = this;
    const totals = this.totals.getOrInsertComputed(window, () => [0, 0]);
    totals[feature] += units;
    this.events.push({ id: String(event['id']), feature, units, window });
  }

  /** Sends a request that limits, or the state of a hold, can reject. Returns the response, or `null`. */
  async #try(path: string, body: Json): Promise<Json | null> {
    const answer = await this.shop.rest('POST', path, body);
    expect([200, 201, 400, 409], JSON.stringify(answer.body)).toContain(answer.status);
    if (answer.status < 300) return answer.body;
    this.rejections += 1;
    return null;
  }

  async act(action: Action, isShort: boolean): Promise<void> {
    const { customerId } = this;
    switch (action.kind) {
      case 'wait': {
        const end = this.now + action.hours * hourMs;
        const whole = action.parts.reduce((sum, part) => sum + part, 0);
        if (isShort)
          for (const part of action.parts.slice(1))
            await this.advance(this.now + Math.floor((action.hours * hourMs * part) / whole));
        await this.advance(end);
        return;
      }
      case 'use': {
        const { feature, value, budget } = action;
        const body = { customerId, featureCode: this.codes[feature], value };
        const event = await this.#try('/usage/events', { ...body, ...(budget ? { budget: 'team:a' } : {}) });
        if (event !== null) this.#count(event, feature);
        return;
      }
      case 'hold': {
        const { feature, value, minutes, drops } = action;
        const hold = await this.#try('/usage/holds', {
          ...{ customerId, featureCode: this.codes[feature], estimate: { value }, expiresIn: minutes * 60 },
          ...{ budget: 'team:a', onExcess: drops ? 'drop' : 'fit' },
        });
        if (hold !== null) this.holds.push({ id: String(hold['id']), feature });
        return;
      }
      case 'settle': {
        const hold = this.holds.at(-1 - action.nth);
        if (hold === undefined) return;
        const { value, final } = action;
        const eventId = `${hold.id}-${this.events.length}`;
        const event = await this.#try(`/usage/holds/${hold.id}/settle`, { value, final, eventId });
        if (event !== null) this.#count(event, hold.feature);
        return;
      }
      case 'release': {
        const hold = this.holds.at(-1 - action.nth);
        if (hold !== undefined) await this.#try(`/usage/holds/${hold.id}/release`, {});
        return;
      }
      case 'void': {
        const last = this.events.pop();
        if (last === undefined || last.window !== this.window) return;
        await this.do('POST', `/usage/events/${last.id}/void`, {});
        const totals = this.totals.get(last.window);
        if (totals !== undefined) totals[last.feature] -= last.units;
        return;
      }
      case 'draw':
        await this.#try('/usage/events', {
          ...{ customerId: this.drawer, featureCode: this.codes[2], value: action.value },
        });
        await this.settled();
    }
  }

  /** Expects the spend of the customer to equal the price of the counted units, and to be at most each cap. */
  async expectSpend(): Promise<void> {
    const { body } = await this.shop.rest('GET', `/customers/${this.customerId}/limits`);
    const states = body['data'] as readonly { name: string | null; used: string; held?: string }[];
    const totals = this.totals.get(this.window) ?? [0, 0];
    const spend = prices.reduce((sum, price, index) => sum + price(totals[index] ?? 0), 0);
    for (const amount of caps) {
      const state = states.find(({ name }) => name === `cap ${amount}`);
      expect(Math.round(Number(state?.used) * 10_000)).toBe(spend);
      const held = Math.round(Number(state?.held ?? 0) * 10_000);
      expect(spend + held).toBeLessThanOrEqual(amount * 100);
    }
  }

  /** Expects the invoices of all usage windows to charge the rounded prices of the features, and at most the lowest cap. */
  async expectInvoices(): Promise<void> {
    const charged = await t.app.database.query<{ amount: number }>(
      `SELECT sum(l.amount)::int AS amount FROM "InvoiceLine" l
       JOIN "Invoice" i ON i."environmentId" = l."environmentId" AND i.id = l."invoiceId"
       WHERE l."environmentId" = $1 AND i."subscriptionId" = $2 AND l."lineType" = 'feature_overage' GROUP BY i.seq ORDER BY i.seq`,
      [this.shop.environmentId, this.subscriptionId],
    );
    const expected = [...this.totals]
      .toSorted(([a], [b]) => a - b)
      .map(([, totals]) =>
        prices.reduce((sum, price, index) => sum + Math.floor((price(totals[index] ?? 0) + 50) / 100), 0),
      )
      .filter((amount) => amount > 0);
    expect(charged.map(({ amount }) => amount)).toEqual(expected);
    for (const amount of expected) expect(amount).toBeLessThanOrEqual(Math.min(...caps));
    this.highest = Math.max(0, ...expected);
  }

  /** Returns everything that the history caused, with times and without identifiers. */
  async books(): Promise<string[]> {
    const rows = await t.app.database.query<{ row: unknown }>(
      `SELECT row FROM (
         SELECT 1 AS part, position AS seq, json_build_array(kind, "occurredAt", data) AS row FROM "Event" WHERE "environmentId" = $1
         UNION ALL SELECT 2, seq, json_build_array('hold', status, units, settled, "expiresAt", "endedAt") FROM "UsageHold" WHERE "environmentId" = $1
         UNION ALL SELECT 3, seq, json_build_array('usage', value, price, deducted, "createdAt", hold) FROM "UsageEvent" WHERE "environmentId" = $1
         UNION ALL SELECT 4, seq, json_build_array('entry', type, amount, "occurredAt") FROM "ConsumptionEntry" WHERE "environmentId" = $1
         UNION ALL SELECT 5, seq, json_build_array('top-up', status, reason, "createdAt") FROM "AutoTopUpAttempt" WHERE "environmentId" = $1
         UNION ALL SELECT 6, seq, json_build_array('crossing', kind, threshold, value, "createdAt") FROM "LimitCrossing" WHERE "environmentId" = $1
         UNION ALL SELECT 7, c.seq, json_build_array('gauges', s.gauges) FROM "LimitState" s JOIN "Customer" c ON c."environmentId" = $1 AND c.id = s."customerId" WHERE s."environmentId" = $1
       ) rows ORDER BY part, seq, row::text`,
      [this.shop.environmentId],
    );
    return rows.map(({ row }) =>
      JSON.stringify(row)
        .replaceAll(/\beyJ[\w.-]+/g, 'token')
        .replaceAll(/\b[a-z]{3}_[0-9A-Za-z]{8,}/g, 'id'),
    );
  }
}

test('the spend of each usage window equals the price of its units and never exceeds a cap, and many short clock runs have the effects of one long run (laws 4 and 9)', {
  timeout: 3_600_000,
}, async () => {
  const seen = { rejections: 0, purchases: 0, expired: 0, settled: 0 };
  let highest = 0;
  // A history is slow, because the clock advances many times.
  const runs = Math.ceil(histories(50) / 25);
  for (let seed = 1; seed <= runs; seed++) {
    const [long, short] = [new World(await otherShop(t)), new World(await otherShop(t))];
    await long.open();
    await short.open();
    for (const action of historyOf(seed)) {
      await long.act(action, false);
      await long.expectSpend();
      await short.act(action, true);
    }
    await long.expectInvoices();
    const books = await long.books();
    expect(await short.books()).toEqual(books);
    seen.rejections += long.rejections;
    highest = Math.max(highest, long.highest);
    seen.purchases += books.filter((row) => row.startsWith('["top-up","succeeded"')).length;
    seen.expired += books.filter((row) => row.startsWith('["hold","expired"')).length;
    seen.settled += books.filter((row) => row.startsWith('["hold","settled"')).length;
  }
  for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(0);
  // The cap decided.
  expect(highest).toBeGreaterThan(Math.min(...caps) - 30);
});
