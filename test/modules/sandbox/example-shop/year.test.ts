import { beforeAll, describe, expect, test } from 'vitest';
import { arrangeSteps, type Step } from '../../../../src/modules/sandbox/example-shop/arrange-steps.ts';
import { readShop } from '../../../../src/modules/sandbox/example-shop/read-shop.ts';

// Course of the full example shop, without running it.

let weeks: Step[][];
beforeAll(async () => {
  const steps = arrangeSteps(await readShop(), 'full');
  expect(steps[0]?.kind).toBe('catalog');
  weeks = [[]];
  for (const step of steps.slice(1)) {
    weeks.at(-1)?.push(step);
    if (step.kind === 'clock') weeks.push([]);
  }
  expect(weeks.pop()).toEqual([]);
});

const joined = (week: readonly Step[]): string[] =>
  week.flatMap((step) => (step.kind === 'customer' ? [step.customer.externalId] : []));

const actions = (week: readonly Step[]) =>
  week.flatMap((step) => (step.kind === 'actions' ? step.actions : []));

describe('the full example shop', () => {
  test('lasts 52 weeks, and each of 300 customers joins once', () => {
    expect(weeks.map((week) => week.at(-1))).toEqual(weeks.map(() => ({ kind: 'clock', advanceDays: 7 })));
    expect(weeks).toHaveLength(52);
    const all = weeks.flatMap(joined);
    expect([all.length, new Set(all).size]).toEqual([300, 300]);
  });

  test('has sign-ups in every week, and more of them in the second half of the year', () => {
    const counts = weeks.map((week) => joined(week).length);
    expect(counts.slice(0, 50).filter((count) => count === 0)).toEqual([]);
    const sum = (part: readonly number[]) => part.reduce((total, count) => total + count, 0);
    expect(sum(counts.slice(26))).toBeGreaterThan(sum(counts.slice(1, 26)) * 1.3);
  });

  test('has actions of each kind, always after the customer joined', () => {
    const seen = new Set<string>();
    const kinds: Record<string, number> = {};
    for (const week of weeks) {
      for (const { kind, externalId } of actions(week)) {
        expect(seen.has(externalId)).toBe(true);
        kinds[kind] = (kinds[kind] ?? 0) + 1;
      }
      for (const externalId of joined(week)) seen.add(externalId);
    }
    expect(Object.keys(kinds).toSorted()).toEqual(['addon', 'cancel', 'credit', 'refund', 'upgrade']);
    expect(Math.min(...Object.values(kinds))).toBeGreaterThan(2);
  });

  test('records usage only for customers who have joined', () => {
    const seen = new Set<string>();
    for (const week of weeks) {
      for (const externalId of joined(week)) seen.add(externalId);
      for (const step of week)
        if (step.kind === 'usage')
          for (const { externalId } of step.usage) expect(seen.has(externalId)).toBe(true);
    }
  });
});
