// Prices of the invoice lines of a usage window so far, from which limits on `spend` are calculated.
import { type Account, amountOf, heldIn } from '../lots/account.ts';
import { minorPerUnit } from '../money/money.ts';
import type { Catalog, FeatureRow, PlanRow } from '../pricing/catalog.ts';
import { planPool } from '../pricing/pools.ts';
import { type Exact, larger, minus, plus, roundedTo, times, whole, zero } from '../rates/exact.ts';
import { boundOf } from '../rows/period-bound.ts';
import type { ConsumingSubscription, UsageCounterRow } from '../rows/usage-rows.ts';
import type { Meter } from './admission.ts';
import type { Consumer } from './event-data.ts';
import { highestOverage } from './held-usage.ts';
import { heldIncluded } from './included.ts';
import { overdraftAmount } from './overdraft.ts';
import type { UsageTerms } from './terms.ts';
import { overageAmount } from './window.ts';

/** Customer with the subscription and the plan that determine its limits. */
export type Subscriber = Consumer & { readonly plan: PlanRow };

/** Customer, feature, and terms of a movement. */
export type Used = Subscriber & { readonly feature: FeatureRow; readonly terms: UsageTerms };

/** Current state of the usage window. */
export type WindowSource = {
  readonly catalog: Catalog;
  readonly now: Date;
  /** Returns the counters of a subscription. Can contain counters of earlier windows. */
  readonly countersOf: (subscriptionId: string) => readonly UsageCounterRow[];
  readonly termsOf: (
    subscription: ConsumingSubscription,
    plan: PlanRow,
    feature: FeatureRow,
  ) => UsageTerms | null;
  readonly meterOf: (subject: Used) => Meter;
  /** Returns the account of a subscription. `null` if it isn't loaded. */
  readonly accountOf: (subscriptionId: string) => Account | null;
};

/** Price of a line in major units. `highest` also contains the usage that open holds reserve. */
export type Line = { readonly amount: Exact; readonly highest: Exact };

/** Lines by feature ID or pool. */
export type Lines = ReadonlyMap<string, Line>;

/** Usage with the meter before and after it. `reserves` contains the usage that a hold can cause. */
type UsedBetween = {
  readonly before: Meter;
  readonly after: Meter;
  readonly quantity: { readonly cost: bigint | null } | null;
  readonly reserves?: readonly Pick<UsedBetween, 'before' | 'after'>[];
};

const unitsOf = ({ before, after }: Pick<UsedBetween, 'before' | 'after'>): bigint =>
  after.counter.total - before.counter.total;

export const sumOfLines = (lines: Lines): Exact =>
  lines.values().reduce((sum, { amount }) => plus(sum, amount), zero);

export const highestSum = (lines: Lines): Exact =>
  lines.values().reduce((sum, { highest }) => plus(sum, highest), zero);

/** Returns the sum of the highest lines in minor units, each rounded. */
export function roundedSum(lines: Lines, currency: string): bigint {
  const scale = minorPerUnit(currency);
  return lines.values().reduce((sum, { highest }) => sum + roundedTo(highest, scale), 0n);
}

/** Invoice lines of the subscriptions in a batch. */
export class WindowLines {
  readonly #source: WindowSource;
  readonly #lines = new Map<string, Lines>();

  constructor(source: WindowSource) {
    this.#source = source;
  }

  /** Returns the invoice line to which usage of a feature adds: the feature's overage, or the overdraft of its pool. */
  lineOf({ feature, terms, plan, subscription }: Used, meter: Meter): Line & { readonly id: string } {
    if (terms.pool === null) {
      const window = meter.cells === undefined ? meter.counter : { ...meter.counter, cells: meter.cells };
      return {
        id: feature.id,
        amount: overageAmount(terms, window),
        highest: highestOverage(terms, window),
      };
    }
    const { pool } = terms.pool;
    const id = `pool ${pool}`;
    const own = planPool(plan, pool);
    if (own === null) return { id, amount: zero, highest: zero };
    const { catalog, now } = this.#source;
    const amount = overdraftAmount(catalog, subscription, meter.account, own, now);
    if (heldIn(meter.account, pool) === 0n) return { id, amount, highest: amount };
    const least = amountOf(meter.account, pool);
    return { id, amount, highest: overdraftAmount(catalog, subscription, meter.account, own, now, least) };
  }

  of(subject: Subscriber): Lines {
    const { subscription, plan } = subject;
    const known = this.#lines.get(subscription.id);
    if (known !== undefined) return known;
    const source = this.#source;
    const start = boundOf(subscription, subscription.windowStart).getTime();
    const lines = new Map<string, Line>();
    for (const { featureId, windowStart, held } of source.countersOf(subscription.id)) {
      const feature = source.catalog.features.get(featureId);
      if (feature === undefined || (held === null && windowStart.getTime() !== start)) continue;
      const terms = source.termsOf(subscription, plan, feature);
      if (terms === null) continue;
      const used = { ...subject, feature, terms };
      const { id, ...line } = this.lineOf(used, source.meterOf(used));
      lines.set(id, line);
    }
    this.#lines.set(subscription.id, lines);
    return lines;
  }

  /** Returns the lines after usage of a feature. */
  after(subject: Used, meter: Meter): Lines {
    const { id, ...line } = this.lineOf(subject, meter);
    return new Map([...this.of(subject), [id, line]]);
  }

  /**
   * Returns the spend of usage in the next window if nothing else is used, in minor units. It's rounded like an invoice line. The lines of a pool and of
   * a rate with dimensions are assumed to rise as in the current window.
   */
  freshSpend(subject: Used, { before, after, quantity, reserves = [] }: UsedBetween): Exact {
    const { subscription, terms } = subject;
    const scale = minorPerUnit(subscription.currency);
    const { counter } = after;
    const units = unitsOf(reserves[0] ?? { before, after });
    const included =
      terms.pool === null
        ? 0n
        : (heldIncluded(this.#source.catalog, subscription, this.#source.now)[terms.pool.pool] ?? 0n);
    if (terms.pool !== null && (quantity?.cost ?? 0n) <= included) return zero;
    const line =
      terms.pool === null && after.cells === undefined
        ? this.lineOf(subject, { ...after, counter: { ...counter, total: units, covered: 0n, held: null } })
            .amount
        : minus(this.lineOf(subject, after).highest, this.lineOf(subject, before).highest);
    return larger(times(line, whole(scale)), whole(roundedTo(line, scale)));
  }

  /** Records the lines after usage of a feature, if the lines of the subscription were calculated before. */
  keep(subject: Used, meter: Meter): void {
    const { id } = subject.subscription;
    if (this.#lines.has(id)) this.#lines.set(id, this.after(subject, meter));
  }
}
