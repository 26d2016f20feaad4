import { expect, test } from 'vitest';
import { catalog } from './catalog.ts';
import { at, cardThat, World } from './world.ts';

// Order in which a renewal of 34.00 uses customer credits: 20.00 that never expire, and a later 20.00 until December 31.

test.each([
  ['oldest', 2_000n, 1_400n],
  ['soonest_expiry', 1_400n, 2_000n],
] as const)(
  'a renewal uses customer credits in the order %s of the organization (BIL-18)',
  (order, first, second) => {
    const made = catalog({ id: 'cove', prices: [{ id: 'p1', interval: 'monthly', amount: 3_400n }] });
    const world = new World('2027-04-05T09:00:00Z', made);
    world.create(null, { planId: 'cove' });
    world.pay(null, cardThat('pays'));
    const grant = (creditId: string, expiresAt: Date | null, now: string) =>
      world.do(now, {
        kind: 'credit.grant',
        creditId,
        amountMinor: 2_000n,
        currency: 'usd',
        source: 'api',
        reason: 'Sorry',
        expiresAt,
      });
    grant('crd_older', null, '2027-04-06T09:00:00Z');
    grant('crd_newer', at('2027-12-31'), '2027-04-07T09:00:00Z');
    world.aggregate = {
      ...world.aggregate,
      environment: { ...world.aggregate.environment, creditOrder: order },
    };
    world.advance('2027-05-06');
    const used = (id: string) => world.credits.find((credit) => credit.id === id)?.appliedMinor;
    expect([used('crd_older'), used('crd_newer')]).toEqual([first, second]);
  },
);
