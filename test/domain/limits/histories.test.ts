import { describe, expect, it } from 'vitest';
import { type LimitWindow, limitWindow } from '../../../src/domain/limits/limit.ts';
import { compare, exactText, plus, whole } from '../../../src/domain/rates/exact.ts';
import { LimitStory, limitOf } from '../../support/limits.ts';
import { randomOf } from '../../support/random.ts';

const start = Date.UTC(2027, 0, 1);

type Accepted = { readonly at: number; readonly amount: number };

/** Records 60 random movements. Returns the accepted movements. */
function history(window: LimitWindow, seed: number, amount: number): Accepted[] {
  const random = randomOf(seed);
  const story = new LimitStory([limitOf({ window, measure: 'units', amount: BigInt(amount) })]);
  const accepted: Accepted[] = [];
  let at = start;
  for (let count = 0; count < 60; count += 1) {
    at += Math.floor((random.below(1_000_000) / 1_000_000) ** 3 * 7_200_000);
    const wanted = 1 + random.below(Math.ceil(amount * 0.6));
    const { rejected } = story.move(new Date(at).toISOString(), String(wanted));
    if (rejected.length === 0) accepted.push({ at, amount: wanted });
  }
  return accepted;
}

const seeds = Array.from({ length: 500 }, (_none, seed) => seed);

describe('random histories', () => {
  it.each([
    ['in steps', limitWindow('rolling', { minutes: 300, steps: 12 })],
    ['in many steps', limitWindow('rolling', { minutes: 7, steps: 97 })],
  ])('never exceed the amount of a rolling window %s in any span of its length', (_name, window) => {
    const length = (window.minutes ?? 0) * 60_000;
    for (const seed of seeds) {
      const accepted = history(window, seed, 100);
      for (const { at } of accepted) {
        const sum = accepted
          .filter((one) => one.at >= at && one.at < at + length)
          .reduce((total, one) => total + one.amount, 0);
        expect(sum).toBeLessThanOrEqual(100);
      }
    }
  });

  it('reject a movement only if the step before it leaves the window would exceed the amount', () => {
    const window = limitWindow('rolling', { minutes: 300, steps: 60 });
    const [length, step] = [300 * 60_000, 5 * 60_000];
    for (const seed of seeds) {
      const random = randomOf(seed);
      const story = new LimitStory([limitOf({ window, measure: 'units' })]);
      const accepted: Accepted[] = [];
      let at = start;
      for (let count = 0; count < 60; count += 1) {
        at += Math.floor((random.below(1_000_000) / 1_000_000) ** 3 * 7_200_000);
        const amount = 1 + random.below(60);
        const { rejected } = story.move(new Date(at).toISOString(), String(amount));
        const recent = accepted
          .filter((one) => one.at > at - length - step)
          .reduce((sum, one) => sum + one.amount, 0);
        if (rejected.length > 0) expect(recent + amount).toBeGreaterThan(100);
        else accepted.push({ at, amount });
      }
    }
  });

  it('keep the sums of parents equal to their children, and send each threshold once per window', () => {
    const thresholds = [20, 50, 90].map((amount) => ({ amount, bps: null, rearm: 'window' }) as const);
    const window = limitWindow('day');
    const shared = { window, measure: 'units', action: 'notify', thresholds } as const;
    const budget = (key: string, parentId: string | null) => ({
      id: `bud_${key}`,
      customerId: 'cus_1',
      key,
      parentId,
      archivedAt: null,
    });
    const budgets = [budget('team:a', null), budget('key:1', 'bud_team:a'), budget('key:2', 'bud_team:a')];
    const limits = [
      limitOf({ ...shared, id: 'lim_customer' }),
      ...budgets.map(({ key }) => limitOf({ ...shared, id: `lim_${key}`, budgetKey: key })),
    ];
    for (const seed of seeds.slice(0, 200)) {
      const random = randomOf(seed);
      const story = new LimitStory(limits, { budgets });
      const sums = new Map<string, number>();
      const sent = new Map<string, number>();
      let at = start;
      for (let count = 0; count < 40; count += 1) {
        at += random.below(7_200_000);
        const day = Math.floor(at / 86_400_000);
        const key = random.pick([null, 'team:a', 'key:1', 'key:2']);
        const amount = 1 + random.below(9);
        const { tried, crossings } = story.move(new Date(at).toISOString(), String(amount), key);
        for (const { node, gauge, delta } of tried) {
          const name = `${node.id} ${day}`;
          sums.set(name, (sums.get(name) ?? 0) + amount);
          expect(compare(plus(gauge.used, delta), whole(BigInt(sums.get(name) ?? 0)))).toBe(0);
        }
        for (const { kind, crossed, tried: one } of crossings)
          for (const value of kind === 'threshold' ? crossed : []) {
            const name = `${one.node.id} ${day} ${exactText(value)}`;
            sent.set(name, (sent.get(name) ?? 0) + 1);
          }
      }
      const expected = [...sums].flatMap(([name, sum]) =>
        thresholds
          .filter(({ amount }) => amount <= sum)
          .map(({ amount }) => [`${name} ${amount}`, 1] as const),
      );
      expect(new Map([...sent].sort())).toEqual(new Map(expected.sort(([a], [b]) => (a < b ? -1 : 1))));
    }
  });
});
