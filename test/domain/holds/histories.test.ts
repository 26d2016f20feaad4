import { describe, expect, it } from 'vitest';
import { amountOf } from '../../../src/domain/lots/account.ts';
import { compare, exactText, whole } from '../../../src/domain/rates/exact.ts';
import type { HeldRate } from '../../../src/domain/rates/held.ts';
import type { Rate } from '../../../src/domain/rates/rate.ts';
import { type Accepted, admit, type Meter, type Rejected } from '../../../src/domain/usage/admission.ts';
import { heldAfter, heldUnits, highestOverage } from '../../../src/domain/usage/held-usage.ts';
import { priceUnits } from '../../../src/domain/usage/record.ts';
import type { UsageTerms } from '../../../src/domain/usage/terms.ts';
import { overageAmount } from '../../../src/domain/usage/window.ts';
import { type Random, randomOf } from '../../support/random.ts';
import { account, counter, poolTerms, terms } from '../usage/facts.ts';

const decimal = (units: number, decimals: number) => ({ units: BigInt(units), decimals });

/** Returns a random rate with up to 3 tiers, whose prices can rise or fall. */
function randomRate(random: Random): HeldRate {
  const models: readonly Rate['model'][] = ['graduated', 'volume'];
  const first = 1 + random.below(40);
  const second = first + 1 + random.below(40);
  const bounds = [decimal(first, 0), decimal(second, 0), null].slice(random.below(3));
  return [
    {
      model: models[random.below(2)] ?? 'volume',
      per: 1n,
      tiers: bounds.map((upTo) => ({
        upTo,
        amount: decimal(random.below(200), 2),
        flat: decimal(random.below(5) === 0 ? random.below(300) : 0, 2),
      })),
      minimum: null,
      maximum: null,
    },
  ];
}

/** Usage of one feature with open holds. */
class Feature {
  meter: Meter;
  readonly #terms: UsageTerms;
  readonly holds: bigint[] = [];

  constructor(given: UsageTerms, credits: bigint) {
    this.#terms = given;
    this.meter = { account: account({ planCredits: credits }), counter: counter() };
  }

  /** Decides usage of units that changes the held units by `held`. */
  decide(units: bigint, held: bigint): Accepted | Rejected {
    const priced = priceUnits(this.#terms, units, this.meter.counter, []);
    if ('code' in priced) throw new Error(priced.message);
    const sum = heldAfter(this.meter.counter, held, null);
    return admit(this.#terms, this.meter, { ...priced, held: sum });
  }

  /** Applies accepted usage. Returns false if the usage is rejected. */
  apply(units: bigint, held: bigint, fits: (meter: Meter) => boolean = () => true): boolean {
    const result = this.decide(units, held);
    if ('rejection' in result || !fits(result.meter)) return false;
    this.meter = result.meter;
    return true;
  }

  take(random: Random): bigint | undefined {
    return this.holds.splice(random.below(this.holds.length), 1)[0];
  }
}

/** Performs random steps. `fits` decides about events and holds; settlements within their estimate must always be accepted. */
function perform(
  random: Random,
  feature: Feature,
  fits: (meter: Meter) => boolean,
  check: () => void,
): number {
  let settlements = 0;
  for (let step = 0; step < 25; step++) {
    const choice = random.below(100) / 100;
    if (choice < 0.25) feature.apply(BigInt(1 + random.below(15)), 0n, fits);
    else if (choice < 0.6) {
      const units = BigInt(1 + random.below(30));
      if (feature.apply(0n, units, fits)) feature.holds.push(units);
    } else {
      const held = feature.take(random);
      if (held === undefined) continue;
      const used = choice < 0.7 ? 0n : BigInt(random.below(Number(held) + 1));
      const before = feature.meter;
      expect(feature.apply(used, -held)).toBe(true);
      // A settlement or a release never raises the reserved price.
      expect(fits(feature.meter) || !fits(before)).toBe(true);
      settlements += 1;
    }
    check();
  }
  return settlements;
}

const rounds = 5_000;

describe('random histories of holds', () => {
  it('never exceed a spend cap by settlements within their estimates (LIM-52)', () => {
    let settlements = 0;
    for (let seed = 1; seed <= rounds; seed++) {
      const random = randomOf(seed);
      const metered = terms({
        rates: randomRate(random),
        includedAmount: random.below(2) === 0 ? 0n : BigInt(random.below(30)),
      });
      const cap = whole(BigInt(1 + random.below(60)));
      const feature = new Feature(metered, 0n);
      const fits = ({ counter: after }: Meter): boolean => compare(highestOverage(metered, after), cap) <= 0;
      settlements += perform(random, feature, fits, () => {
        const spent = overageAmount(metered, feature.meter.counter);
        expect(compare(spent, cap), `seed ${seed}: ${exactText(spent)}`).toBeLessThanOrEqual(0);
        expect(heldUnits(feature.meter.counter)).toBe(feature.holds.reduce((sum, units) => sum + units, 0n));
      });
    }
    expect(settlements).toBeGreaterThan(rounds * 3);
  });

  it('never overdraw a pool that rejects usage by settlements within their estimates', () => {
    let settlements = 0;
    for (let seed = 1; seed <= rounds; seed++) {
      const random = randomOf(seed + rounds);
      const given = terms({ rates: randomRate(random), pool: poolTerms('credits'), allowsOverage: false });
      const feature = new Feature(given, BigInt(1 + random.below(90)));
      settlements += perform(
        random,
        feature,
        () => true,
        () => {
          const { account: left } = feature.meter;
          expect(amountOf(left, 'credits'), `seed ${seed}`).toBeGreaterThanOrEqual(0n);
          expect(left.lots.every(({ source }) => source !== 'overdraft')).toBe(true);
        },
      );
    }
    expect(settlements).toBeGreaterThan(rounds * 3);
  });

  it('end like events if they are settled, and change nothing if they are released', () => {
    for (let seed = 1; seed <= rounds; seed++) {
      const random = randomOf(seed + 2 * rounds);
      const given = terms({ rates: randomRate(random), pool: poolTerms('credits'), allowsOverage: false });
      const start = BigInt(random.below(40));
      const units = BigInt(1 + random.below(20));
      const [held, direct, untouched] = [0, 1, 2].map(() => new Feature(given, 5_000n));
      if (held === undefined || direct === undefined || untouched === undefined)
        throw new Error('Three features.');
      for (const feature of [held, direct, untouched]) feature.apply(start, 0n);
      held.apply(0n, units);
      held.apply(units, -units);
      direct.apply(units, 0n);
      expect(held.meter.counter).toEqual(direct.meter.counter);
      expect(held.meter.account.pools).toEqual(direct.meter.account.pools);
      held.apply(0n, units);
      held.apply(0n, -units);
      expect(held.meter.counter).toEqual(direct.meter.counter);
      expect(held.meter.account.pools).toEqual(direct.meter.account.pools);
    }
  });
});
