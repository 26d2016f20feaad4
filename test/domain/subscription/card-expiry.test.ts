import { describe, expect, test } from 'vitest';
import type { BillingInterval } from '../../../src/domain/rows/enums.ts';
import { simplePlan } from './catalog.ts';
import { at, card, World } from './world.ts';

// If a card expires before the next charge, a notice is sent 30 days before the charge, once per card and charge (BIL-4a).

const active = (interval: BillingInterval, expMonth: number, expYear: number): World => {
  const world = new World('2027-06-03T18:45:00Z', simplePlan(interval, 4_000n));
  world.create(null, { planId: 'cove' });
  world.pay(null, { ...card, expMonth, expYear });
  return world;
};
const announced = (world: World, until: string): number => {
  world.advance(until);
  return world.sent.filter((kind) => kind === 'payment_method.expiring').length;
};
const isScheduled = (world: World): boolean => world.deadlines.some((text) => text.endsWith(':expiring'));

describe('the notice for an expiring card', () => {
  test('is sent once, 30 days before a yearly renewal', () => {
    const world = active('yearly', 5, 2028);
    expect(world.deadlines).toContain('2028-05-04 daily_scan:sub:expiring');
    expect(announced(world, '2028-05-03')).toBe(0);
    expect(announced(world, '2028-06-02')).toBe(1);
    expect(world.event('payment_method.expiring')).toMatchObject({
      occurredAt: at('2028-05-04'),
      cause: expect.stringMatching(/^payment_method\.expiring:sub_\w+:pm_\w+:2028-06-03$/),
      data: {
        card: { last4: card.last4, expMonth: 5, expYear: 2028 },
        renewsAt: '2028-06-03T00:00:00.000Z',
      },
    });
  });

  test("isn't sent for a card that is still valid in the month of the renewal", () => {
    expect(isScheduled(active('yearly', 6, 2028))).toBe(false);
    expect(isScheduled(active('monthly', 7, 2027))).toBe(false);
  });

  test('is sent by the next daily scan in the last period of a monthly subscription', () => {
    const world = active('monthly', 6, 2027);
    expect(world.deadlines).toContain('2027-06-04 daily_scan:sub:expiring');
    expect(announced(world, '2027-07-02')).toBe(1);
  });

  test("isn't sent for a subscription that is scheduled to end", () => {
    const world = active('yearly', 5, 2028);
    world.cancel(null);
    expect(announced(world, '2028-06-02')).toBe(0);
  });
});
