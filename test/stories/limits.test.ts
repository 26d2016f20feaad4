import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { runStory, type Story } from '../support/story.ts';

// Limits and holds across renewals, trials, plan grants, and corrections.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

type Json = Readonly<Record<string, unknown>>;
type State = {
  readonly name: string | null;
  readonly used: string;
  readonly remaining: string;
  readonly resetsAt: string | null;
};
type Rejected = { readonly code: string; readonly details: Json };

const calls = { customerId: 'ada', featureCode: 'calls' };
const paid = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };

/** Creates a blocking limit of the customer `ada` with a name. */
const limit = (story: Story, name: string, body: Json) =>
  story.do('POST', '/limits', { name, scope: { customer: 'ada' }, action: 'block', ...body });

const spendCap = (story: Story, amount: number) =>
  limit(story, 'cap', { measure: 'spend', currency: 'usd', window: { kind: 'usage_window' }, amount });

const states = async (story: Story): Promise<readonly State[]> =>
  (await story.do<{ data: readonly State[] }>('GET', '/customers/ada/limits')).data;

/** Returns the used amounts of limits by name. */
const used = async (story: Story): Promise<Json> =>
  Object.fromEntries((await states(story)).map((state) => [state.name ?? '', state.used]));

const use = async (story: Story, value: number, body: Json = {}): Promise<string> =>
  (await story.do<{ id: string }>('POST', '/usage/events', { ...calls, value, ...body })).id;

/** Returns the error of rejected usage. */
async function rejection(story: Story, value: number): Promise<Rejected> {
  const { status, body } = await story.shop.rest('POST', '/usage/events', { ...calls, value });
  expect(status, JSON.stringify(body)).toBe(400);
  return body['error'] as Rejected;
}

/** Returns the data of the customer's events of a type. */
const dataOf = async (story: Story, kind: string): Promise<Json[]> =>
  (
    await t.app.database.query<{ data: Json }>(
      'SELECT data FROM "Event" WHERE "environmentId" = $1 AND kind = $2 ORDER BY position',
      [story.shop.environmentId, kind],
    )
  ).map(({ data }) => data);

describe('a spend cap of 0 (ALR-26)', () => {
  const included = { ...paid, includedAmount: 10 };

  /** Uses the included units. More usage is rejected by the plan, and not by the cap. */
  async function expectNoSpend(story: Story, units: number): Promise<void> {
    await use(story, units);
    const { code, details } = await rejection(story, 1);
    expect([code, details['reason'], details['limits']]).toEqual([
      'included_limit_reached',
      undefined,
      undefined,
    ]);
    expect(await states(story)).toMatchObject([{ used: '0', remaining: '0' }]);
    expect(await dataOf(story, 'limit.reached')).toEqual([]);
  }

  /** Usage above the included units costs money, and the cap rejects it. */
  async function expectRejectedByCap(story: Story): Promise<void> {
    expect(await rejection(story, 11)).toMatchObject({
      code: 'included_limit_reached',
      details: { reason: 'limit_reached', limits: [{ name: 'cap', used: '0', asked: '1', remaining: '0' }] },
    });
  }

  it('accepts included usage during a trial, and rejects overage after it', () =>
    runStory(t, '2027-05-03T09:00:00Z', async (story) => {
      await story.sell('cove', { price: { price: 3_400, trialDays: 10 }, features: { calls: included } });
      await story.active('ada', 'cove');
      await spendCap(story, 0);
      await expectNoSpend(story, 10);
      await story.on('2027-05-14');
      await expectRejectedByCap(story);
      await use(story, 10);
    }));

  it('accepts the included usage of a free plan', () =>
    runStory(t, '2027-05-03T09:00:00Z', async (story) => {
      await story.sell('free', { plan: { isFree: true }, features: { calls: { includedAmount: 10 } } });
      await story.active('ada', 'free');
      await spendCap(story, 0);
      await expectNoSpend(story, 10);
    }));

  it('accepts the granted usage during a plan grant', () =>
    runStory(t, '2027-05-03T09:00:00Z', async (story) => {
      const { id: planGroupId } = await story.do<{ id: string }>('POST', '/plan-groups', { name: 'All' });
      const features = (includedAmount: number) => ({ calls: { includedAmount } });
      await story.sell('cove', { plan: { planGroupId }, price: { price: 3_400 }, features: features(10) });
      const { id: planId } = await story.sell('ridge', { plan: { planGroupId }, features: features(50) });
      const { id: subscriptionId } = await story.active('ada', 'cove');
      await spendCap(story, 0);
      const grant = { subscriptionId, planId, reason: 'A taste.', duration: 'cycles', durationCycles: 1 };
      await story.do('POST', '/customers/ada/plan-grants', grant);
      await expectNoSpend(story, 50);
    }));
});

describe('the window of a movement (LIM-37)', () => {
  it('is the window of its acceptance, and a correction changes only open windows', () =>
    runStory(t, '2027-05-03T20:00:00Z', async (story) => {
      await story.sell('cove', { price: { price: 3_400 }, features: { calls: paid } });
      await story.active('ada', 'cove');
      const units = { measure: 'units', filter: { features: ['calls'] } };
      await limit(story, 'day', { ...units, window: { kind: 'day', timeZone: 'UTC' }, amount: 10 });
      await spendCap(story, 10_000);
      const first = await use(story, 4);
      expect(await used(story)).toEqual({ day: '4', cap: '4' });

      // An event of yesterday that is accepted today.
      await story.on('2027-05-04T10:00:00Z');
      const yesterday = await use(story, 3, { timestamp: '2027-05-03T22:00:00Z' });
      expect(await used(story)).toEqual({ day: '3', cap: '7' });
      // The day of the first event has ended, and its usage window hasn't.
      await story.do('POST', `/usage/events/${first}/void`);
      expect(await used(story)).toEqual({ day: '3', cap: '3' });
      // No limit rejects a correction.
      const { replacement } = await story.do<{ replacement: { id: string } }>(
        'POST',
        `/usage/events/${yesterday}/replace`,
        { value: 12 },
      );
      expect(await states(story)).toMatchObject([
        { name: 'day', used: '12', remaining: '0', resetsAt: '2027-05-05T00:00:00.000Z' },
        { name: 'cap', used: '12', remaining: '88', resetsAt: '2027-06-03T00:00:00.000Z' },
      ]);
      expect(await rejection(story, 1)).toMatchObject({ details: { limits: [{ name: 'day', used: '12' }] } });

      await story.on('2027-05-05');
      await use(story, 1);
      await story.do('POST', `/usage/events/${replacement.id}/void`);
      expect(await used(story)).toEqual({ day: '1', cap: '1' });
    }));
});

describe('thresholds of the usage window', () => {
  it('are crossed again by the first movement after a renewal (lago-renewal)', () =>
    runStory(t, '2027-05-03T09:00:00Z', async (story) => {
      await story.sell('cove', { price: { price: 3_400 }, features: { calls: paid } });
      await story.active('ada', 'cove');
      const thresholds = [{ amount: 500 }, { amount: 800 }];
      await limit(story, 'alert', {
        ...{ measure: 'spend', currency: 'usd', window: { kind: 'usage_window' }, action: 'notify' },
        ...{ amount: 2_000, thresholds },
      });
      await use(story, 9);
      await story.on('2027-06-03T12:00:00Z');
      await use(story, 6);
      await use(story, 1);
      const sent = (await dataOf(story, 'limit.threshold_reached')).map(({ crossed, value, windowStart }) => [
        crossed,
        value,
        windowStart,
      ]);
      expect(sent).toEqual([
        [['5', '8'], '9', '2027-05-03T00:00:00.000Z'],
        [['5'], '6', '2027-06-03T00:00:00.000Z'],
      ]);
    }));
});

describe('a week', () => {
  it('never moves with `fixed`, and starts with the first use with `session` (LIM-E7, claude-drift)', () =>
    runStory(t, '2027-05-05T14:00:00Z', async (story) => {
      await story.sell('cove', { plan: { isFree: true }, features: { calls: { unlimited: true } } });
      await story.active('ada', 'cove');
      const week = { measure: 'calls', amount: 10 };
      const minutes = 7 * 24 * 60;
      const anchor = '2027-05-05T14:00:00Z';
      await limit(story, 'fixed', { ...week, window: { kind: 'fixed', minutes, anchor } });
      await limit(story, 'session', { ...week, window: { kind: 'session', minutes } });
      const resets: unknown[] = [];
      for (const time of [null, '2027-05-13T09:00:00Z', '2027-05-21T09:00:00Z']) {
        if (time !== null) await story.on(time);
        await use(story, 1);
        expect(await used(story)).toEqual({ fixed: '1', session: '1' });
        resets.push((await states(story)).map(({ resetsAt }) => resetsAt?.slice(5, 16)));
      }
      expect(resets).toEqual([
        ['05-12T14:00', '05-12T14:00'],
        ['05-19T14:00', '05-20T09:00'],
        ['05-26T14:00', '05-28T09:00'],
      ]);
    }));
});

const available = async (story: Story): Promise<unknown> =>
  (await story.do<{ totalCredits: number }>('POST', '/usage/check', calls)).totalCredits;

const hold = async (story: Story, value: number): Promise<string> =>
  (await story.do<{ id: string }>('POST', '/usage/holds', { ...calls, estimate: { value } })).id;

const settle = (story: Story, id: string, value: number) =>
  story.do('POST', `/usage/holds/${id}/settle`, { value });

describe('a hold on credits', () => {
  const credits = (includedCredits: number) => ({
    plan: { consumptionModel: 'credits' },
    price: { price: 3_400, includedCredits },
    features: { calls: { creditsPerUnit: 1 } },
  });

  const entriesOf = (story: Story): Promise<unknown[]> =>
    t.app.database.query(
      `SELECT type, amount::int FROM "ConsumptionEntry" WHERE "environmentId" = $1 ORDER BY seq`,
      [story.shop.environmentId],
    );

  const lotsOf = async (story: Story): Promise<unknown[]> =>
    (
      await story.do<{ data: { source: string; remaining: number }[] }>(
        'GET',
        '/customers/ada/lots?isOpen=true',
      )
    ).data.map(({ source, remaining }) => [source, remaining]);

  it('keeps its part of the credits that end at a reset, and the freed part expires (LIM-62, LIM-E15)', () =>
    runStory(t, '2027-05-03', async (story) => {
      await story.sell('cove', credits(640));
      await story.active('ada', 'cove');
      await use(story, 520);
      await story.on('2027-06-02T23:58:00Z');
      const id = await hold(story, 80);
      expect(await available(story)).toBe(40);
      await story.on('2027-06-03T00:01:10Z');
      expect(await available(story)).toBe(640);
      expect(await story.rejected('POST', '/usage/events', { ...calls, value: 641 })).toBe(
        'insufficient_credits',
      );
      expect(await settle(story, id, 55)).not.toHaveProperty('uncounted');
      expect(await available(story)).toBe(640);
      const untilSettled = [
        { type: 'grant', amount: 640 },
        { type: 'consumption', amount: -520 },
        { type: 'expiry', amount: -40 },
        { type: 'reset', amount: 640 },
        { type: 'consumption', amount: -55 },
      ];
      expect(await entriesOf(story)).toEqual(untilSettled);
      // The freed part is usable neither by a later hold nor by usage.
      const later = await hold(story, 600);
      expect(await available(story)).toBe(40);
      await use(story, 40);
      await settle(story, later, 600);
      expect(await available(story)).toBe(0);
      await story.on('2027-07-03T00:01:10Z');
      expect((await entriesOf(story)).slice(untilSettled.length)).toEqual([
        { type: 'consumption', amount: -40 },
        { type: 'consumption', amount: -600 },
        { type: 'expiry', amount: -25 },
        { type: 'reset', amount: 640 },
      ]);
    }));

  it('keeps its part of granted credits that end, and never overdraws the other credits (LIM-62)', () =>
    runStory(t, '2027-05-03', async (story) => {
      await story.sell('cove', credits(10));
      await story.active('ada', 'cove');
      await story.do('POST', '/customers/ada/lots', {
        amount: 100,
        priority: 0,
        expiresAt: '2027-05-10T00:00:00Z',
      });
      await story.on('2027-05-09T23:58:00Z');
      const [settled, released] = [await hold(story, 80), await hold(story, 15)];
      expect(await available(story)).toBe(15);
      await story.on('2027-05-10T00:01:00Z');
      expect(await available(story)).toBe(10);
      const expired = await dataOf(story, 'lot.expired');
      expect(expired.map(({ amount }) => amount)).toEqual([5]);
      await settle(story, settled, 80);
      expect(await available(story)).toBe(10);
      await story.do('POST', `/usage/holds/${released}/release`);
      expect(await available(story)).toBe(10);
      expect(await story.rejected('POST', '/usage/events', { ...calls, value: 11 })).toBe(
        'insufficient_credits',
      );
      await use(story, 10);
      expect(await available(story)).toBe(0);
      await story.on('2027-06-03T00:01:00Z');
      expect(await available(story)).toBe(10);
      expect(await lotsOf(story)).toEqual([['plan', 10]]);
    }));

  it('reserves amounts of several lots, which other usage cannot draw on (LIM-E16)', () =>
    runStory(t, '2027-05-01', async (story) => {
      await story.sell('cove', credits(400));
      const { id: subscriptionId } = await story.active('ada', 'cove');
      await story.do('POST', '/customers/ada/lots', { amount: 300, expiresAt: '2027-05-31T00:00:00Z' });
      const pack = { name: 'Pack', credits: 500, price: 2_500, validDays: 60 };
      const { id: creditPackId } = await story.do<{ id: string }>('POST', '/credit-packs', pack);
      await story.do('POST', `/subscriptions/${subscriptionId}/credits`, { creditPackId });
      const first = await hold(story, 550);
      expect(await available(story)).toBe(650);
      await use(story, 400);
      expect(await available(story)).toBe(250);
      expect(await lotsOf(story)).toEqual([
        ['purchase', 250],
        ['promotion', 150],
        ['plan', 400],
      ]);
      expect(await story.rejected('POST', '/usage/holds', { ...calls, estimate: { value: 260 } })).toBe(
        'insufficient_credits',
      );
      expect(await available(story)).toBe(250);
      await settle(story, first, 430);
      expect(await available(story)).toBe(370);
      expect(await lotsOf(story)).toEqual([
        ['purchase', 250],
        ['promotion', 120],
        ['plan', 0],
      ]);
    }));
});
