import { describe, expect, it } from 'vitest';
import { limitEntry } from '../../../src/domain/limits/entry.ts';
import { limitWindow } from '../../../src/domain/limits/limit.ts';
import { exactText } from '../../../src/domain/rates/exact.ts';
import { LimitStory, limitOf } from '../../support/limits.ts';

const on = (day: string, time: string): string => `2027-05-${day}T${time}Z`;

/** Returns the accepted movement, or the time at which it fits. */
function outcome(story: LimitStory, time: string, amount: string, budget: string | null = null) {
  const { tried, rejected } = story.move(time, amount, budget);
  return rejected.length === 0
    ? tried.map((one) => exactText(one.gauge.used))
    : rejected.map((one) => limitEntry(one));
}

describe('rolling windows', () => {
  it('rejects until enough steps have left the window (LIM-E5)', () => {
    const window = limitWindow('rolling', { minutes: 300, steps: 60 });
    const story = new LimitStory([limitOf({ window, measure: 'units' })]);
    expect(outcome(story, on('03', '09:02:10'), '60')).toEqual(['0']);
    expect(outcome(story, on('03', '10:47:00'), '40')).toEqual(['60']);
    expect(outcome(story, on('03', '13:00:00'), '1')).toMatchObject([
      { used: '100', remaining: '0', resetsAt: null, fitsAt: '2027-05-03T14:05:00.000Z' },
    ]);
    expect(outcome(story, on('03', '14:04:59'), '1')).toMatchObject([{ used: '100' }]);
    expect(outcome(story, on('03', '14:05:00'), '30')).toEqual(['40']);
    expect(outcome(story, on('03', '14:06:00'), '31')).toMatchObject([
      { used: '70', fitsAt: '2027-05-03T15:50:00.000Z' },
    ]);
    expect(outcome(story, on('03', '15:50:00'), '31')).toEqual(['30']);
  });

  it('keeps the exact times of up to 64 calls', () => {
    const window = limitWindow('rolling', { minutes: 1 });
    const story = new LimitStory([limitOf({ window, amount: 2n })]);
    expect(outcome(story, on('03', '10:00:00.005'), '1')).toEqual(['0']);
    expect(outcome(story, on('03', '10:00:30.000'), '1')).toEqual(['1']);
    expect(outcome(story, on('03', '10:01:00.004'), '1')).toMatchObject([
      { fitsAt: '2027-05-03T10:01:00.005Z' },
    ]);
    expect(outcome(story, on('03', '10:01:00.005'), '1')).toEqual(['1']);
  });
});

describe('sessions', () => {
  it('starts with the first use after the previous session (LIM-E6)', () => {
    const window = limitWindow('session', { minutes: 300 });
    const story = new LimitStory([limitOf({ window, amount: 50n, measure: 'units' })]);
    expect(outcome(story, on('03', '05:20:00'), '45')).toEqual(['0']);
    expect(outcome(story, on('03', '09:00:00'), '10')).toMatchObject([
      { used: '45', resetsAt: '2027-05-03T10:20:00.000Z', fitsAt: '2027-05-03T10:20:00.000Z' },
    ]);
    expect(outcome(story, on('03', '10:20:00'), '10')).toEqual(['0']);
    expect(outcome(story, on('03', '15:19:59'), '41')).toMatchObject([
      { resetsAt: '2027-05-03T15:20:00.000Z' },
    ]);
    expect(outcome(story, on('03', '22:00:00'), '50')).toEqual(['0']);
  });
});

describe('budgets', () => {
  const spend = { measure: 'spend', currency: 'usd' } as const;
  const limits = [
    limitOf({ ...spend, id: 'lim_customer', amount: 2_000n, window: limitWindow('month') }),
    limitOf({ ...spend, id: 'lim_team', budgetKey: 'team:eu', amount: 800n, window: limitWindow('day') }),
    limitOf({
      ...spend,
      id: 'lim_key',
      budgetKey: 'key:abc',
      amount: 300n,
      window: limitWindow('rolling', { minutes: 300, steps: 60 }),
    }),
  ];
  const budget = (key: string, parentId: string | null) => ({
    id: `bud_${key}`,
    customerId: 'cus_1',
    key,
    parentId,
    archivedAt: null,
  });

  it('rejects by the deepest budget first, and adds usage to every level (LIM-E1)', () => {
    const budgets = [budget('team:eu', null), budget('key:abc', 'bud_team:eu')];
    const story = new LimitStory(limits, { budgets });
    const key = 'key:abc';
    expect(outcome(story, on('03', '08:00:00'), '180', key)).toEqual(['0', '0', '0']);
    expect(outcome(story, on('03', '10:02:00'), '110', key)).toEqual(['180', '180', '180']);
    expect(outcome(story, on('03', '11:00:00'), '40', key)).toMatchObject([
      {
        limitId: 'lim_key',
        node: { kind: 'key', key, path: ['team:eu', key] },
        used: '2.9',
        asked: '0.4',
        remaining: '0.1',
        fitsAt: '2027-05-03T13:05:00.000Z',
      },
    ]);
    expect(outcome(story, on('03', '11:01:00'), '490', 'team:eu')).toEqual(['290', '290']);
    expect(outcome(story, on('03', '12:00:00'), '30', key)).toMatchObject([
      { limitId: 'lim_key', fitsAt: '2027-05-03T13:05:00.000Z' },
      { limitId: 'lim_team', remaining: '0.2', resetsAt: '2027-05-04T00:00:00.000Z' },
    ]);
    const { tried, crossings } = story.move(on('03', '13:05:00'), '20', key);
    expect(tried.map(({ gauge }) => exactText(gauge.used))).toEqual(['110', '780', '780']);
    expect(crossings.map(({ kind, tried: { limit } }) => [kind, limit.id])).toEqual([
      ['threshold', 'lim_team'],
      ['reached', 'lim_team'],
    ]);
    expect(outcome(story, on('04', '00:00:00'), '40', key)).toEqual(['0', '0', '800']);
  });

  it('creates a budget that a template covers, with its own gauge (LIM-E21)', () => {
    const template = limitOf({ customerId: null, each: 'key', amount: 500n, window: limitWindow('day') });
    const story = new LimitStory([template]);
    expect(outcome(story, on('03', '08:00:00'), '200', 'key:new')).toEqual(['0']);
    expect(outcome(story, on('03', '08:00:00'), '200', 'key:new')).toEqual(['200']);
    expect(outcome(story, on('03', '08:00:00'), '200', 'key:new')).toMatchObject([{ remaining: '100' }]);
    expect(outcome(story, on('03', '08:00:00'), '200', 'key:other')).toEqual(['0']);
    expect(story.details.budgets.map(({ key }) => key)).toEqual(['key:new', 'key:other']);
    expect(story.move(on('03', '08:00:00'), '1', 'team:eu').problem).toBe('unknown_budget');
  });

  it('replaces a template for one budget, and exempts a budget without an amount', () => {
    const template = limitOf({ id: 'lim_all', customerId: null, each: 'key', amount: 5n });
    const own = limitOf({ id: 'lim_own', budgetKey: 'key:abc', amount: 8n, replaces: 'lim_all' });
    const exempt = limitOf({ id: 'lim_none', budgetKey: 'key:free', amount: null, replaces: 'lim_all' });
    const story = new LimitStory([template, own, exempt], {
      budgets: [budget('key:abc', null), budget('key:free', null), budget('key:x', null)],
    });
    expect(outcome(story, on('03', '08:00:00'), '6', 'key:x')).toMatchObject([{ limitId: 'lim_all' }]);
    expect(outcome(story, on('03', '08:00:00'), '6', 'key:abc')).toEqual(['0']);
    expect(outcome(story, on('03', '08:00:00'), '6', 'key:abc')).toMatchObject([{ limitId: 'lim_own' }]);
    expect(outcome(story, on('03', '08:00:00'), '1000', 'key:free')).toEqual(['0']);
  });

  it('rejects an archived budget, and a budget below it', () => {
    const archived = { ...budget('team:eu', null), archivedAt: new Date(0) };
    const story = new LimitStory([], { budgets: [archived, budget('key:abc', archived.id)] });
    expect(story.move(on('03', '08:00:00'), '1', 'key:abc').problem).toBe('budget_archived');
  });
});

describe('thresholds', () => {
  const crossed = (story: LimitStory, time: string, amount: string) =>
    story
      .move(time, amount)
      .crossings.filter(({ kind }) => kind === 'threshold')
      .map((one) => one.crossed.map(exactText));

  const amounts = (...values: number[]) =>
    values.map((amount) => ({ amount, bps: null, rearm: 'window' }) as const);

  it('sends one event per movement, and sends each threshold once per window (LIM-E18)', () => {
    const limit = limitOf({
      action: 'notify',
      amount: null,
      window: limitWindow('usage_window'),
      thresholds: amounts(500, 800, 1_000),
    });
    const story = new LimitStory([limit]);
    expect(crossed(story, '2027-05-20T00:00:00Z', '950')).toEqual([['500', '800']]);
    expect(crossed(story, '2027-05-21T00:00:00Z', '10')).toEqual([]);
    expect(crossed(story, '2027-06-01T00:00:00Z', '620')).toEqual([['500']]);
    // A correction lowers the value. The peak remains.
    const [[id, state] = ['', undefined]] = [...story.details.states];
    const gauges = Object.entries(state?.gauges ?? {}).map(([key, gauge]) => [
      key,
      { ...gauge, used: '300' },
    ]);
    if (state === undefined) throw new Error('The customer has gauges.');
    story.details = {
      ...story.details,
      states: new Map([[id, { ...state, gauges: Object.fromEntries(gauges) }]]),
    };
    expect(crossed(story, '2027-06-02T00:00:00Z', '400')).toEqual([]);
    expect(crossed(story, '2027-06-03T00:00:00Z', '110')).toEqual([['800']]);
  });

  it('resolves basis points of the amount, and reports the last crossed threshold (LIM-E19)', () => {
    const bps = [5_000, 8_000, 10_000].map(
      (value) => ({ amount: null, bps: value, rearm: 'window' }) as const,
    );
    const limit = limitOf({ amount: 2_500n, measure: 'spend', currency: 'usd', thresholds: bps });
    const story = new LimitStory([limit]);
    expect(crossed(story, '2027-05-20T00:00:00Z', '1190')).toEqual([]);
    expect(crossed(story, '2027-05-20T00:00:00Z', '850')).toEqual([['1250', '2000']]);
  });

  it('crosses again when a rolling value has fallen below the threshold', () => {
    const limit = limitOf({
      action: 'notify',
      amount: null,
      window: limitWindow('rolling', { minutes: 60, steps: 60 }),
      thresholds: amounts(10),
    });
    const story = new LimitStory([limit]);
    expect(crossed(story, on('03', '08:00:00'), '10')).toEqual([['10']]);
    expect(crossed(story, on('03', '08:10:00'), '10')).toEqual([]);
    expect(crossed(story, on('03', '10:00:00'), '10')).toEqual([['10']]);
  });
});

describe('amounts', () => {
  it('blocks later usage after the amount was lowered, and accepts usage again after a raise (LIM-E20)', () => {
    const cap = limitOf({
      measure: 'spend',
      currency: 'usd',
      amount: 2_500n,
      window: limitWindow('usage_window'),
    });
    const story = new LimitStory([cap]);
    story.move(on('03', '08:00:00'), '2474');
    story.limits = [{ ...cap, amount: 2_000n }];
    expect(outcome(story, on('03', '09:00:00'), '1')).toMatchObject([
      { remaining: '0', fitsAt: '2027-06-01T00:00:00.000Z' },
    ]);
    const raise = {
      limitId: cap.id,
      nodeId: 'cus_1',
      amount: 1_000n,
      until: new Date('2027-06-01T00:00:00Z'),
    };
    story.details = { ...story.details, raises: [raise] };
    expect(outcome(story, on('03', '09:00:00'), '527')).toMatchObject([{ raise: '10', remaining: '5.26' }]);
    expect(outcome(story, on('03', '09:00:00'), '526')).toEqual(['2474']);
    expect(outcome(story, '2027-06-01T00:00:00Z', '2001')).toMatchObject([
      { amount: '20', raise: '0', fitsAt: null },
    ]);
    expect(outcome(story, '2027-06-01T00:00:00Z', '2000')).toEqual(['0']);
  });

  it('sends `limit.reached` once per window', () => {
    const story = new LimitStory([limitOf({ amount: 10n, window: limitWindow('day') })]);
    const reached = (time: string, amount: string) =>
      story.move(time, amount).crossings.map(({ kind, cause }) => [kind, cause]);
    expect(reached(on('03', '08:00:00'), '11')).toEqual([['reached', 'rejected']]);
    expect(reached(on('03', '08:00:00'), '10')).toEqual([]);
    expect(reached(on('04', '08:00:00'), '10')).toEqual([['reached', 'amount']]);
    expect(reached(on('04', '08:00:00'), '1')).toEqual([]);
  });
});
