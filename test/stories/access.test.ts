import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Consumer,
  createBalanceConsumer,
  createConsumer,
  createCreditsConsumer,
  of,
} from '../support/consumers.ts';
import { advanceDays, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { expectLedgerBalanced } from '../support/stories.ts';

// Feature access during two usage windows for each consumption model: before, at, and above the limit, and after the reset (CON-19, CON-24,
// CON-53).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => closeStory(t));

const use = async (consumer: Consumer, value: number): Promise<string> => {
  const { status, body } = await shop.rest<{ error?: { code: string } }>('POST', '/usage/events', {
    ...of(consumer),
    value,
  });
  return status === 200 ? 'recorded' : (body.error?.code ?? 'failed');
};

type Access = { readonly allowed: boolean; readonly consumption: Readonly<Record<string, unknown>> };
/** Returns whether the feature is allowed, the units used, and the given consumption fields. */
async function seen({ customerId, feature }: Consumer, ...names: readonly string[]): Promise<unknown[]> {
  const { body } = await shop.rest<Access>('GET', `/feature-access/${feature.code}?customerId=${customerId}`);
  return [body.allowed, body.consumption['unitsUsed'], ...names.map((name) => body.consumption[name])];
}

/**
 * Expected access at each step of a story: unused, 1 of 10 included units left, all units used, limit exceeded, and reset in the next usage
 * window.
 */
const stories: readonly {
  readonly model: string;
  readonly open: () => Promise<Consumer>;
  readonly shows: readonly string[];
  readonly fresh: readonly unknown[];
  readonly before: readonly unknown[];
  readonly at: readonly unknown[];
  readonly rejection: string;
  readonly beyond: readonly unknown[];
}[] = [
  {
    model: 'metered units with a hard limit',
    open: () => createConsumer(shop, { terms: { includedAmount: 10 } }),
    shows: ['remainingUnits'],
    fresh: [true, 0, 10],
    before: [true, 9, 1],
    at: [false, 10, 0],
    rejection: 'included_limit_reached',
    beyond: [false, 10, 0],
  },
  {
    model: 'metered units with overage',
    open: () =>
      createConsumer(shop, { terms: { includedAmount: 10, overage: { enabled: true, unitPrice: 8_500 } } }),
    shows: ['remainingUnits', 'overage'],
    fresh: [
      true,
      0,
      10,
      { enabled: true, units: 0, unitPrice: { amount: 8_500, currency: 'usd', scale: 10_000 } },
    ],
    before: [
      true,
      9,
      1,
      { enabled: true, units: 0, unitPrice: { amount: 8_500, currency: 'usd', scale: 10_000 } },
    ],
    at: [
      true,
      10,
      0,
      { enabled: true, units: 0, unitPrice: { amount: 8_500, currency: 'usd', scale: 10_000 } },
    ],
    rejection: 'recorded',
    beyond: [
      true,
      11,
      0,
      { enabled: true, units: 1, unitPrice: { amount: 8_500, currency: 'usd', scale: 10_000 } },
    ],
  },
  {
    model: 'credits',
    open: () => createCreditsConsumer(shop, 70, 7),
    shows: ['creditsConsumed', 'availableUnits'],
    fresh: [true, 0, 0, 10],
    before: [true, 9, 63, 1],
    at: [false, 10, 70, 0],
    rejection: 'insufficient_credits',
    beyond: [false, 10, 70, 0],
  },
  {
    // A unit costs 0.5 cents, so 9 units cost 4.5 cents, rounded to 5.
    model: 'a balance that blocks',
    open: () => createBalanceConsumer(shop, 500),
    shows: ['spent', 'availableUnits'],
    fresh: [true, 0, { amount: 0, currency: 'usd' }, 10],
    before: [true, 9, { amount: 5, currency: 'usd' }, 1],
    at: [false, 10, { amount: 5, currency: 'usd' }, 0],
    rejection: 'insufficient_balance',
    beyond: [false, 10, { amount: 5, currency: 'usd' }, 0],
  },
  {
    // 11 units cost 5.5 cents, rounded to 6.
    model: 'a balance that goes below 0',
    open: () => createBalanceConsumer(shop, 500, false),
    shows: ['spent', 'availableUnits'],
    fresh: [true, 0, { amount: 0, currency: 'usd' }, 10],
    before: [true, 9, { amount: 5, currency: 'usd' }, 1],
    at: [true, 10, { amount: 5, currency: 'usd' }, 0],
    rejection: 'recorded',
    beyond: [true, 11, { amount: 6, currency: 'usd' }, 0],
  },
];

describe('feature access over two usage windows', () => {
  test.each(stories)(
    'changes at the limit, and resets with the usage window for $model',
    async ({ open, shows, fresh, before, at, rejection, beyond }) => {
      const consumer = await open();
      const access = () => seen(consumer, ...shows);
      expect(await access()).toEqual(fresh);
      expect([await use(consumer, 9), await access()]).toEqual(['recorded', before]);
      expect([await use(consumer, 1), await access()]).toEqual(['recorded', at]);
      expect([await use(consumer, 1), await access()]).toEqual([rejection, beyond]);
      await advanceDays(shop, 32);
      expect(await access()).toEqual(fresh);
      expect([await use(consumer, 9), await access()]).toEqual(['recorded', before]);
      await expectLedgerBalanced(t);
    },
  );
});
