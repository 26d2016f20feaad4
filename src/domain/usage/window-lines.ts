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

/** Sums of lines in major units. `rounded` is the sum of the highest lines in minor units, each rounded as on an invoice. */
export type Sums = Line & { readonly rounded: bigint };

/** Lines of a subscription by feature ID or pool, with their sums. */
type Lines = { readonly byId: Map<string, Line>; sums: Sums };

/** Line of a feature or a pool after usage, with the sums of all lines. */
type Moved = { readonly meter: Meter; readonly id: string; readonly line: Line; readonly sums: Sums };

/** Usage with the meter before and after it. `reserves` contains the usage that a hold can cause. */
type UsedBetween = {
  readonly before: Meter;
  readonly after: Meter;
  readonly quantity: { readonly cost: bigint | null } | null;
  readonly reserves?: readonly Pick<UsedBetween, 'before' | 'after'>[];
};

const unitsOf = ({ before, after }: Pick<UsedBetween, 'before' | 'after'>): bigint =>
  after.counter.total - before.counter.total;

const noLine: Line = { amount: zero, highest: zero };

/** Returns sums in which one line replaces another. `scale` is the number of minor units in a major unit. */
const replaced = ({ amount, highest, rounded }: Sums, before: Line, after: Line, scale: bigint): Sums => ({
  amount: plus(minus(amount, before.amount), after.amount),
  highest: plus(minus(highest, before.highest), after.highest),
  rounded: rounded - roundedTo(before.highest, scale) + roundedTo(after.highest, scale),
});

/** Invoice lines of the subscriptions in a batch. */
export class WindowLines {
  readonly #source: WindowSource;
  readonly #lines = new Map<string, Lines>();
  /** Latest result of `after`, by subscription. Accepted usage is kept with the same meter. */
  readonly #moved = new Map<string, Moved>();

  constructor(source: WindowSource) {
    this.#source = source;
  }

  /** Returns the invoice line to which usage of a feature adds: the feature's overage, or the overdraft of its pool. */
  lineOf({ feature, terms, plan, subscription }: Used, meter: Meter): Line & { readonly id: string } {
    if (terms.pool === null) {
      const window = meter.cells === undefined ? meter.counter : { ...meter.counter, cells: meter.cells };
      const amount = overageAmount(terms, window);
      return {
        id: feature.id,
        amount,
        highest: window.held === null ? amount : highestOverage(terms, window),
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

  /** Returns the sums of the lines of a subscription. */
  of(subject: Subscriber): Sums {
    return this.#linesOf(subject).sums;
  }

  #linesOf(subject: Subscriber): Lines {
    const { subscription, plan } = subject;
    const known = this.#lines.get(subscription.id);
    if (known !== undefined) return known;
    const source = this.#source;
    const start = boundOf(subscription, subscription.windowStart).getTime();
    const scale = minorPerUnit(subscription.currency);
    const lines: Lines = { byId: new Map(), sums: { ...noLine, rounded: 0n } };
    for (const { featureId, windowStart, held } of source.countersOf(subscription.id)) {
      const feature = source.catalog.features.get(featureId);
      if (feature === undefined || (held === null && windowStart.getTime() !== start)) continue;
      const terms = source.termsOf(subscription, plan, feature);
      if (terms === null) continue;
      const used = { ...subject, feature, terms };
      const { id, ...line } = this.lineOf(used, source.meterOf(used));
      lines.sums = replaced(lines.sums, lines.byId.get(id) ?? noLine, line, scale);
      lines.byId.set(id, line);
    }
    this.#lines.set(subscription.id, lines);
    return lines;
  }

  /** Returns the sums of the lines after usage of a feature. */
  after(subject: Used, meter: Meter): Sums {
    return this.#after(subject, meter).sums;
  }

  #after(subject: Used, meter: Meter): Moved {
    const { id: subscriptionId, currency } = subject.subscription;
    const last = this.#moved.get(subscriptionId);
    if (last?.meter === meter) return last;
    const { id, ...line } = this.lineOf(subject, meter);
    const { byId, sums } = this.#linesOf(subject);
    const after = replaced(sums, byId.get(id) ?? noLine, line, minorPerUnit(currency));
    const moved = { meter, id, line, sums: after };
    this.#moved.set(subscriptionId, moved);
    return moved;
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

  /** Discards the lines of a subscription, which are calculated again when they're needed. */
  forget(subscriptionId: string): void {
    this.#lines.delete(subscriptionId);
    this.#moved.delete(subscriptionId);
  }

  /** Records the lines after usage of a feature, if the lines of the subscription were calculated before. */
  keep(subject: Used, meter: Meter): void {
    const lines = this.#lines.get(subject.subscription.id);
    if (lines === undefined) return;
    const { id, line, sums } = this.#after(subject, meter);
    lines.byId.set(id, line);
    lines.sums = sums;
    this.#moved.delete(subject.subscription.id);
  }
}
