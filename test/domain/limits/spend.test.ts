import { describe, expect, it } from 'vitest';
import { rejecting } from '../../../src/domain/limits/admission.ts';
import { type LimitRow, limitWindow } from '../../../src/domain/limits/limit.ts';
import { accountWith } from '../../../src/domain/lots/account.ts';
import { compare, type Exact, plus, ratio, roundedTo, whole, zero } from '../../../src/domain/rates/exact.ts';
import type { HeldRate } from '../../../src/domain/rates/held.ts';
import { admit, type Meter } from '../../../src/domain/usage/admission.ts';
import { heldAfter, heldUnits } from '../../../src/domain/usage/held-usage.ts';
import { priceUnits } from '../../../src/domain/usage/record.ts';
import type { UsageTerms } from '../../../src/domain/usage/terms.ts';
import { UsageLimits } from '../../../src/domain/usage/usage-limits.ts';
import type { Used, WindowSource } from '../../../src/domain/usage/window-lines.ts';
import { limitOf } from '../../support/limits.ts';
import { type Random, randomOf } from '../../support/random.ts';
import { account, counter, terms } from '../usage/facts.ts';

const now = new Date('2027-04-10T00:00:00Z');
const currency = 'usd';

/** Tier of a rate: its last unit, and the price of a unit in ten-thousandths. */
type Tier = { readonly upTo: number | null; readonly price: number };
type Offer = { readonly isVolume: boolean; readonly tiers: readonly Tier[]; readonly included: number };

function randomOffer(random: Random): Offer {
  const first = 1 + random.below(30);
  const bounds = [first, first + 1 + random.below(30), null].slice(random.below(3));
  return {
    isVolume: random.below(2) === 0,
    tiers: bounds.map((upTo) => ({ upTo, price: random.below(300) })),
    included: random.below(2) === 0 ? 0 : random.below(20),
  };
}

const decimal = (units: number, decimals: number) => ({ units: BigInt(units), decimals });

const rateOf = ({ isVolume, tiers }: Offer): HeldRate => [
  {
    model: isVolume ? 'volume' : 'graduated',
    per: 1n,
    tiers: tiers.map(({ upTo, price }) => ({
      upTo: upTo === null ? null : decimal(upTo, 0),
      amount: decimal(price, 4),
      flat: decimal(0, 4),
    })),
    minimum: null,
    maximum: null,
  },
];

/** Returns the price of units in ten-thousandths, unit by unit. */
function priceOf({ isVolume, tiers, included }: Offer, total: number): number {
  const excess = Math.max(0, total - included);
  const tierOf = (unit: number): number =>
    tiers.find(({ upTo }) => upTo === null || unit <= upTo)?.price ?? 0;
  let sum = 0;
  for (let unit = 1; unit <= excess; unit++) sum += tierOf(isVolume ? excess : unit);
  return sum;
}

/** A customer with three features and spend caps, in memory. */
class Shop {
  readonly offers: readonly Offer[];
  readonly #used: readonly Used[];
  readonly #meters = new Map<string, Meter>();
  readonly holds: { readonly index: number; readonly units: bigint }[] = [];
  readonly #limits: UsageLimits;
  readonly #source: WindowSource;

  constructor(random: Random, limits: readonly LimitRow[]) {
    this.offers = [0, 1, 2].map(() => randomOffer(random));
    const subscription = {
      ...{ id: 'sub_1', customerId: 'cus_1', planId: 'pln_1', status: 'active', currency },
      ...{ windowStart: counter().windowStart, windowEnd: new Date('2027-05-05T00:00:00Z') },
      ...{ periodStart: null, periodEnd: null, grantedPlanId: null },
    };
    const features = this.offers.map((_offer, index) => ({ id: `ftr_${index}`, code: `feature_${index}` }));
    const subject = { subscription, customer: { id: 'cus_1' }, plan: { id: 'pln_1' } };
    // Limits on spend depend only on the following fields.
    this.#used = this.offers.map(
      (offer, index) =>
        ({
          ...subject,
          feature: features[index],
          terms: terms({ rates: rateOf(offer), includedAmount: BigInt(offer.included) }),
        }) as unknown as Used,
    );
    for (const { feature } of this.#used)
      this.#meters.set(feature.id, { account: account(), counter: counter({ featureId: feature.id }) });
    this.#source = {
      catalog: { features: new Map(this.#used.map(({ feature }) => [feature.id, feature])) },
      now,
      countersOf: () => [...this.#meters.values()].map((meter) => meter.counter),
      termsOf: (_subscription: unknown, _plan: unknown, feature: Used['feature']) =>
        this.#termsOf(feature.id),
      meterOf: ({ feature }: Used) => this.meter(feature.id),
      accountOf: () => accountWith(account(), [], account().context),
    } as unknown as WindowSource;
    let ids = 0;
    const details = {
      ...{ limits, budgets: [], states: new Map(), raises: [], convert: null, timeZones: new Map() },
      shared: new Map(),
    };
    this.#limits = new UsageLimits(details, this.#source, {
      newId: (prefix) => `${prefix}_${++ids}`,
      approvalTerms: () => {
        throw new Error('No limit needs an approval.');
      },
    });
  }

  #termsOf(id: string): UsageTerms | null {
    return this.#used.find(({ feature }) => feature.id === id)?.terms ?? null;
  }

  meter(id: string): Meter {
    const meter = this.#meters.get(id);
    if (meter === undefined) throw new Error('The feature has a meter.');
    return meter;
  }

  #subject(index: number): Used {
    const subject = this.#used[index];
    if (subject === undefined) throw new Error('There are three features.');
    return subject;
  }

  /** Counts units and changes the held units, if all limits accept. Returns true if they do. */
  move(index: number, units: bigint, held: bigint): boolean {
    const subject = this.#subject(index);
    const before = this.meter(subject.feature.id);
    const priced = priceUnits(subject.terms, units, before.counter, []);
    if ('code' in priced) throw new Error(priced.message);
    const sum = heldAfter(before.counter, held, null);
    const result = admit(subject.terms, before, { ...priced, held: sum });
    if ('rejection' in result) return false;
    const movement = { subject, properties: [], quantity: null, before, after: result.meter };
    const nodes = this.#limits.nodesOf(subject, null);
    if ('code' in nodes) throw new Error(nodes.message);
    const tried = this.#limits.tryOn(nodes, movement);
    if (rejecting(tried).length > 0) return false;
    this.#limits.accept(nodes, tried, movement);
    this.#meters.set(subject.feature.id, result.meter);
    return true;
  }

  /** Lowers the total of a feature, as a correction does. */
  correct(index: number, units: bigint): void {
    const { feature, subscription } = this.#subject(index);
    const { account: of, counter: before } = this.meter(feature.id);
    const total = before.total > units ? before.total - units : 0n;
    this.#meters.set(feature.id, { account: of, counter: { ...before, total } });
    this.#limits.lines.forget(subscription.id);
  }

  total(index: number): number {
    return Number(this.meter(`ftr_${index}`).counter.total);
  }

  /** Current values of the limits in minor units: used, and used with held amounts. */
  values(): { readonly used: Exact; readonly taken: Exact }[] {
    const subject = this.#subject(0);
    const nodes = this.#limits.nodesOf(subject, null);
    if ('code' in nodes) throw new Error(nodes.message);
    return this.#limits.current(nodes, subject, new Map()).map(({ gauge: { used, held } }) => ({
      used,
      taken: plus(used, held),
    }));
  }

  isAbove(amount: number): boolean {
    return this.values().some(({ taken }) => compare(taken, whole(BigInt(amount))) > 0);
  }

  heldUnits(): bigint {
    return this.#used.reduce((sum, { feature }) => sum + heldUnits(this.meter(feature.id).counter), 0n);
  }
}

const rounds = 2_000;

describe('the spend of a usage window', () => {
  it('equals the sum of the prices of the totals, and its invoice never exceeds a cap (law 4)', () => {
    let [rejections, nearCap] = [0, 0];
    // Collects the faults, because many assertions are slow.
    const faults: string[] = [];
    for (let seed = 1; seed <= rounds; seed++) {
      const random = randomOf(seed);
      const caps = [5 + random.below(60), 5 + random.below(60)];
      const limits = caps.map((amount, index) =>
        limitOf({
          ...{ id: `lim_${index}`, measure: 'spend', currency, amount: BigInt(amount) },
          window: limitWindow('usage_window'),
        }),
      );
      const shop = new Shop(random, limits);
      const lowest = Math.min(...caps);
      for (let step = 0; step < 15; step++) {
        const index = random.below(3);
        const choice = random.below(10);
        const units = BigInt(1 + random.below(25));
        if (choice < 4) rejections += shop.move(index, units, 0n) ? 0 : 1;
        else if (choice < 6) {
          if (shop.move(index, 0n, units)) shop.holds.push({ index, units });
        } else if (choice < 9) {
          const [hold] = shop.holds.splice(random.below(shop.holds.length + 1), 1);
          if (hold === undefined) continue;
          const used = BigInt(random.below(Number(hold.units) + 1));
          if (!shop.move(hold.index, used, -hold.units))
            faults.push(`seed ${seed}: a settlement is rejected`);
        } else {
          shop.correct(index, units);
          // Fewer units can cost more if the price depends on the volume. No limit rejects a correction.
          if (shop.offers[index]?.isVolume === true && shop.isAbove(lowest)) break;
        }
        const prices = shop.offers.map((offer, of) => priceOf(offer, shop.total(of)));
        const spend = ratio(
          prices.reduce((sum, price) => sum + BigInt(price), 0n),
          100n,
        );
        const values = shop.values();
        const most = whole(BigInt(lowest));
        const areExact = values.every(
          ({ used, taken }) =>
            compare(used, spend) === 0 && (shop.heldUnits() > 0n || compare(taken, used) === 0),
        );
        if (values.length !== 2 || !areExact) faults.push(`seed ${seed}: the spend differs`);
        if (values.some(({ taken }) => compare(taken, most) > 0)) faults.push(`seed ${seed}: above the cap`);
        const invoice = prices.reduce((sum, price) => sum + roundedTo(ratio(BigInt(price), 100n), 1n), 0n);
        if (invoice > BigInt(lowest)) faults.push(`seed ${seed}: the invoice is above the cap`);
        if (compare(spend, zero) > 0 && invoice >= BigInt(lowest - 1)) nearCap += 1;
      }
    }
    expect(faults).toEqual([]);
    expect(rejections).toBeGreaterThan(rounds);
    expect(nearCap).toBeGreaterThan(rounds / 4);
  });
});
