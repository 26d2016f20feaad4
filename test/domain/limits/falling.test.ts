import { describe, expect, it } from 'vitest';
import type { LimitThreshold, Rearm } from '../../../src/domain/limits/limit.ts';
import { withWatch } from '../../../src/domain/limits/resolved.ts';
import { crossedBy } from '../../../src/domain/limits/thresholds.ts';
import type { Account } from '../../../src/domain/lots/account.ts';
import { fallOf, resolveWatches, withFall } from '../../../src/domain/lots/falls.ts';
import { adjustPool, consume, grantLot, purchaseUnits } from '../../../src/domain/lots/movements.ts';
import { resetPool } from '../../../src/domain/lots/reset.ts';
import { exactText, whole } from '../../../src/domain/rates/exact.ts';
import { limitOf } from '../../support/limits.ts';
import { randomOf } from '../../support/random.ts';
import { account } from '../usage/facts.ts';

const threshold = (fields: Partial<LimitThreshold>): LimitThreshold => ({
  amount: null,
  bps: null,
  rearm: 'refill',
  ...fields,
});

const payment = { sourceId: 'inv_1', description: null, paidMinor: 100n };

/** Credits of an account that limits with these thresholds watch. */
class Credits {
  account: Account;
  readonly thresholds: readonly LimitThreshold[];

  constructor(thresholds: readonly LimitThreshold[], included = 640n) {
    this.thresholds = thresholds;
    this.account = resetPool(account(), 'credits', included, true).account;
  }

  get value(): bigint {
    return BigInt(this.account.pools['credits']?.amount ?? 0);
  }

  /** Uses credits until an amount is left. Returns the crossed thresholds. */
  fallTo(left: number): string[] {
    const { account: after } = consume(this.account, 'credits', this.value - BigInt(left));
    const fall = fallOf(this.account, after, 'credits');
    const [before, end] = [whole(fall.before), whole(fall.after)];
    const change = { before, peak: before, after: end, fall };
    const crossed = crossedBy(this.thresholds, null, change);
    const known = after.pools['credits']?.fall?.watches ?? [];
    this.account = withFall(after, fall, withWatch(known, limitOf({ asset: 'credits' }), crossed));
    return crossed.map(exactText);
  }

  /** Buys a pack of credits. Returns the thresholds that the amount is above again. */
  buy(amount: bigint): string[] {
    return this.#refilled(purchaseUnits(this.account, 'credits', amount, payment).account);
  }

  /** Opens a usage window. */
  reset(included: bigint): string[] {
    return this.#refilled(resetPool(this.account, 'credits', included, false).account);
  }

  grant(amount: bigint, expiresAt: Date | null): string[] {
    const lot = { amount, expiresAt, priority: null };
    return this.#refilled(grantLot(this.account, 'credits', lot).account);
  }

  adjust(amount: bigint): string[] {
    const movement = adjustPool(this.account, 'credits', amount, false, null);
    if ('code' in movement) throw new Error(movement.code);
    return this.#refilled(movement.account);
  }

  #refilled(after: Account): string[] {
    const { account: resolved, resolved: done } = resolveWatches(after);
    this.account = resolved;
    return done.map(({ watch }) => watch.above);
  }
}

const tenth = threshold({ bps: 1_000, of: 'last_refill' });
const empty = threshold({ amount: 0 });

describe('falling thresholds', () => {
  it('are crossed once until a refill lifts the amount above them (LIM-E17)', () => {
    const credits = new Credits([empty, tenth]);
    expect(credits.fallTo(90)).toEqual([]);
    expect(credits.fallTo(64)).toEqual(['64']);
    expect(credits.fallTo(40)).toEqual([]);
    expect(credits.fallTo(0)).toEqual(['0']);
    expect(credits.buy(250n)).toEqual(['64']);
    expect(credits.fallTo(30)).toEqual([]);
    expect(credits.fallTo(24)).toEqual(['25']);
  });

  it('are crossed by one movement from the highest to the lowest', () => {
    const credits = new Credits([empty, threshold({ amount: 100 }), tenth]);
    expect(credits.fallTo(0)).toEqual(['100', '64', '0']);
  });

  it('stay crossed if a refill is too small', () => {
    const credits = new Credits([threshold({ amount: 100 })]);
    expect(credits.fallTo(50)).toEqual(['100']);
    expect(credits.adjust(20n)).toEqual([]);
    expect(credits.fallTo(10)).toEqual([]);
    expect(credits.adjust(91n)).toEqual(['100']);
    expect(credits.fallTo(100)).toEqual(['100']);
  });

  it.each<[string, number, string[]]>([
    ['in the usage window', Date.parse('2027-05-05T00:00:00Z'), []],
    ['later', Date.parse('2027-05-05T00:00:00.001Z'), ['100']],
  ])('are rearmed by a grant unless it expires in the usage window: it expires %s', (_name, end, crossed) => {
    const credits = new Credits([threshold({ amount: 100 })]);
    credits.fallTo(50);
    credits.grant(500n, new Date(end));
    expect(credits.fallTo(80)).toEqual(crossed);
  });

  it('are crossed again in each window, or each time the amount falls again', () => {
    const thresholds = (rearm: Rearm) => [threshold({ amount: 100, rearm })];
    const inWindow = new Credits(thresholds('window'));
    expect(inWindow.fallTo(50)).toEqual(['100']);
    inWindow.buy(500n);
    expect(inWindow.fallTo(50)).toEqual([]);
    const recross = new Credits(thresholds('recross'));
    expect(recross.fallTo(50)).toEqual(['100']);
    expect(recross.fallTo(40)).toEqual([]);
    expect(recross.fallTo(101)).toEqual([]);
    expect(recross.fallTo(99)).toEqual(['100']);
  });

  it('are crossed only if their value is above 0 or an amount', () => {
    const credits = new Credits([tenth], 0n);
    credits.fallTo(0);
    expect(credits.fallTo(0)).toEqual([]);
    expect(credits.reset(640n)).toEqual([]);
    expect(credits.fallTo(64)).toEqual(['64']);
  });

  it('are crossed exactly once per refill in random histories', () => {
    const amounts = [0, 40, 150, 400];
    for (let seed = 0; seed < 1_000; seed += 1) {
      const random = randomOf(seed);
      const credits = new Credits(
        amounts.map((amount) => threshold({ amount })),
        300n,
      );
      credits.fallTo(300);
      const armed = new Set(amounts.filter((amount) => amount < 300));
      const open = new Set<number>();
      for (let count = 0; count < 40; count += 1) {
        if (random.below(5) === 0) {
          const amount = BigInt(1 + random.below(300));
          const resolved = random.below(2) === 0 ? credits.buy(amount) : credits.reset(amount);
          for (const value of amounts) if (BigInt(value) < credits.value) armed.add(value);
          const highest = Math.max(...open);
          expect(resolved).toEqual(open.size > 0 && credits.value > BigInt(highest) ? [`${highest}`] : []);
          if (resolved.length > 0) open.clear();
          continue;
        }
        const left = random.below(Number(credits.value) + 1);
        const expected = amounts.filter((value) => armed.has(value) && left <= value).toReversed();
        expect(credits.fallTo(left)).toEqual(expected.map(String));
        for (const value of expected) {
          armed.delete(value);
          open.add(value);
        }
      }
    }
  });
});
