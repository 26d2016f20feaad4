// Limits on usage: the numbers of a usage event that limits count, and the error codes of rejected events.
import { type Rejection, specificRejection } from '../errors/errors.ts';
import type { EventBody } from '../events/event-data.ts';
import { type LimitNode, rejecting, roomOf, type Tried } from '../limits/admission.ts';
import { BookLimits, type LimitDetails, type LimitedCustomer, type Measured } from '../limits/book-limits.ts';
import { limitEntry } from '../limits/entry.ts';
import { crossingEvents } from '../limits/events.ts';
import { matchesFilter } from '../limits/filter.ts';
import type { BudgetRow, LimitRow } from '../limits/limit.ts';
import { minorPerUnit } from '../money/money.ts';
import type { Catalog, FeatureRow, PlanRow } from '../pricing/catalog.ts';
import { assetOf, isCustom, planPool } from '../pricing/pools.ts';
import type { EventProperties } from '../rates/derived.ts';
import { type Exact, minus, plus, ratio, roundedTo, times, whole, wholePart, zero } from '../rates/exact.ts';
import { boundOf } from '../rows/period-bound.ts';
import type { ConsumingSubscription, UsageCounterRow } from '../rows/usage-rows.ts';
import type { Meter } from './admission.ts';
import { budgetRejection } from './budget-problems.ts';
import type { Consumer } from './event-data.ts';
import { type CorrectedUsage, correctedBy } from './limit-corrections.ts';
import { unitScale } from './metered-terms.ts';
import { overdraftAmount } from './overdraft.ts';
import { windowOf } from './price-and-cost.ts';
import type { Quantity, UsageRequest } from './record.ts';
import type { UsageTerms } from './terms.ts';
import { overageAmount, priceOfUsage, type WindowUse } from './window.ts';

/** Customer with the subscription and the plan that determine its limits. */
export type Subscriber = Consumer & { readonly plan: PlanRow };

/** Customer, feature, and terms of a movement. */
type Used = Subscriber & { readonly feature: FeatureRow; readonly terms: UsageTerms };

/** Usage that limits count, with the account and the counter before and after it. */
export type UsageMovement = {
  readonly subject: Used;
  readonly properties: EventProperties;
  /** `null` if the movement isn't an event: the total of the feature was set. */
  readonly quantity: Pick<Quantity, 'cost' | 'price'> | null;
  readonly before: Meter;
  readonly after: Meter;
};

/** Current state of the usage window, from which `spend` is calculated. */
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
};

/** Prices of the invoice lines of a usage window so far, by feature ID or pool, in major units. */
type Lines = ReadonlyMap<string, Exact>;

const sumOfLines = (lines: Lines): Exact => lines.values().reduce((sum, line) => plus(sum, line), zero);

const inMinor = (amount: Exact, currency: string): Exact => times(amount, whole(minorPerUnit(currency)));

const difference = (before: Exact, after: Exact): Exact => minus(after, before);

/** Returns true if the value of a limit is calculated from rows that usage writes anyway. */
const isCalculated = ({ measure, window, filter }: LimitRow, node: LimitNode): boolean =>
  node.key === null &&
  window.kind === 'usage_window' &&
  filter.dimensions.length === 0 &&
  (measure === 'units' || (measure === 'spend' && filter.features.length === 0));

const isPairCalculated = ({ limit, node }: Tried): boolean => isCalculated(limit, node);

const millis = (subscription: ConsumingSubscription, bound: Date | null): number =>
  boundOf(subscription, bound).getTime();

const limited = ({ subscription, plan, customer }: Subscriber): LimitedCustomer => {
  const { windowStart, windowEnd, periodStart, periodEnd } = subscription;
  const usageWindow = { start: millis(subscription, windowStart), end: millis(subscription, windowEnd) };
  return {
    customerId: customer.id,
    planId: plan.id,
    windows: {
      usageWindow,
      billingPeriod: {
        start: periodStart?.getTime() ?? usageWindow.start,
        end: periodEnd?.getTime() ?? usageWindow.end,
      },
    },
  };
};

/** Returns the price of the usage of a window as if nothing were included, in units of the asset. */
function fullPrice(terms: UsageTerms, use: WindowUse): Exact {
  const { rates } = terms;
  if (rates === null) return zero;
  return priceOfUsage({ ...terms, includedAmount: 0n, unlimited: false }, rates, { ...use, covered: 0n });
}

/** Limits of usage events. */
export class UsageLimits {
  readonly rows: BookLimits;
  readonly #details: LimitDetails;
  readonly #source: WindowSource;
  readonly #lines = new Map<string, Lines>();

  constructor(details: LimitDetails, source: WindowSource, newId: (prefix: string) => string) {
    this.rows = new BookLimits(details, source.now, newId);
    this.#details = details;
    this.#source = source;
  }

  /** Returns the nodes of a movement, or the rejection if its budget can't be used. */
  nodesOf(subject: Subscriber, budget: string | null): readonly LimitNode[] | Rejection {
    const nodes = this.rows.nodesOf(limited(subject), budget);
    return typeof nodes === 'string' ? budgetRejection(nodes) : nodes;
  }

  /** Loaded budgets, and budgets that earlier usage of the batch created. */
  get budgets(): readonly BudgetRow[] {
    return [...this.#details.budgets, ...this.rows.created];
  }

  /** Returns the limits that count a movement. */
  tryOn(nodes: readonly LimitNode[], movement: UsageMovement): Tried[] {
    return this.rows.tryOn(limited(movement.subject), nodes, (limit, node) =>
      this.#measure(limit, node, movement),
    );
  }

  /** Returns the limits of nodes with their current values. `subject` contains any feature of the customer. */
  current(nodes: readonly LimitNode[], subject: Subscriber): Tried[] {
    return this.rows.tryOn(limited(subject), nodes, (limit, node) => {
      const { currency } = limit;
      if (currency !== null && currency !== subject.subscription.currency) return null;
      const used = isCalculated(limit, node) ? this.#calculated(limit, subject) : null;
      return { delta: zero, used, rounded: null };
    });
  }

  #calculated(limit: LimitRow, subject: Subscriber): Exact {
    const { subscription, plan } = subject;
    if (limit.measure === 'spend') return inMinor(sumOfLines(this.#linesOf(subject)), subscription.currency);
    const [code] = limit.filter.features;
    const feature = this.#source.catalog.features
      .values()
      .find((row) => row.code === code && row.deletedAt === null);
    const terms = feature === undefined ? null : this.#source.termsOf(subscription, plan, feature);
    if (feature === undefined || terms === null) return zero;
    const { counter } = this.#source.meterOf({ ...subject, feature, terms });
    return ratio(counter.total, unitScale(terms));
  }

  #measure(limit: LimitRow, node: LimitNode, movement: UsageMovement): Measured | null {
    const { subject, properties } = movement;
    if (!matchesFilter(limit.filter, subject.feature.code, properties)) return null;
    const delta = this.#deltaOf(limit, movement);
    if (delta === null) return null;
    if (!isCalculated(limit, node)) return { delta, used: null, rounded: null };
    const used = this.#usedBefore(limit, movement);
    return { delta, used, rounded: limit.measure === 'spend' ? this.#rounded(movement) : null };
  }

  /** Returns the value of a calculated limit before a movement. */
  #usedBefore({ measure }: LimitRow, { subject, before }: UsageMovement): Exact {
    return measure === 'spend'
      ? inMinor(sumOfLines(this.#linesOf(subject)), subject.subscription.currency)
      : ratio(before.counter.total, unitScale(subject.terms));
  }

  #deltaOf({ measure, currency, asset }: LimitRow, movement: UsageMovement): Exact | null {
    const { subject, quantity, before, after } = movement;
    const { terms, subscription } = subject;
    if (currency !== null && currency !== subscription.currency) return null;
    switch (measure) {
      case 'calls':
        return quantity === null ? null : whole(1n);
      case 'units':
        return ratio(after.counter.total - before.counter.total, unitScale(terms));
      case 'drawn':
        return terms.pool !== null && asset === assetOf(terms.pool.pool, subscription.currency)
          ? whole(quantity?.cost ?? 0n)
          : null;
      case 'value':
        return this.#valueOf(currency, asset, movement);
      case 'spend': {
        const [from, to] = [this.#lineOf(subject, before), this.#lineOf(subject, after)];
        return inMinor(difference(from.amount, to.amount), subscription.currency);
      }
    }
  }

  #valueOf(currency: string | null, asset: string | null, movement: UsageMovement): Exact | null {
    const { subject, quantity, before, after } = movement;
    const { terms, subscription } = subject;
    const unit = terms.pool !== null && isCustom(terms.pool.pool) ? terms.pool.pool : null;
    if (unit !== asset) return null;
    const amount =
      quantity?.price ?? difference(fullPrice(terms, windowOf(before)), fullPrice(terms, windowOf(after)));
    return currency === null
      ? times(amount, whole(terms.pool?.scale ?? 1n))
      : inMinor(amount, subscription.currency);
  }

  /** Returns the invoice line to which usage of a feature adds: the feature's overage, or the overdraft of its pool. */
  #lineOf(subject: Used, meter: Meter): { readonly id: string; readonly amount: Exact } {
    const { feature, terms, plan, subscription } = subject;
    if (terms.pool === null) return { id: feature.id, amount: overageAmount(terms, windowOf(meter)) };
    const { pool } = terms.pool;
    const own = planPool(plan, pool);
    const { catalog, now } = this.#source;
    const amount = own === null ? zero : overdraftAmount(catalog, subscription, meter.account, own, now);
    return { id: `pool ${pool}`, amount };
  }

  #linesOf(subject: Subscriber): Lines {
    const { subscription, plan } = subject;
    const known = this.#lines.get(subscription.id);
    if (known !== undefined) return known;
    const source = this.#source;
    const start = millis(subscription, subscription.windowStart);
    const lines = new Map<string, Exact>();
    for (const { featureId, windowStart } of source.countersOf(subscription.id)) {
      const feature = source.catalog.features.get(featureId);
      if (feature === undefined || windowStart.getTime() !== start) continue;
      const terms = source.termsOf(subscription, plan, feature);
      if (terms === null) continue;
      const used = { ...subject, feature, terms };
      const { id, amount } = this.#lineOf(used, source.meterOf(used));
      lines.set(id, amount);
    }
    this.#lines.set(subscription.id, lines);
    return lines;
  }

  #linesAfter({ subject, after }: UsageMovement): Lines {
    const { id, amount } = this.#lineOf(subject, after);
    return new Map([...this.#linesOf(subject), [id, amount]]);
  }

  /** Returns the invoice lines after a movement in minor units, each rounded. */
  #rounded(movement: UsageMovement): bigint {
    const scale = minorPerUnit(movement.subject.subscription.currency);
    return this.#linesAfter(movement)
      .values()
      .reduce((sum, line) => sum + roundedTo(line, scale), 0n);
  }

  /** Counts an accepted movement, and returns the events of its crossings. */
  accept(nodes: readonly LimitNode[], tried: readonly Tried[], movement: UsageMovement): EventBody[] {
    const { subject } = movement;
    this.rows.create(nodes);
    const isTracked = this.#lines.has(subject.subscription.id);
    if (isTracked) this.#lines.set(subject.subscription.id, this.#linesAfter(movement));
    return crossingEvents(this.rows.accept(tried, isPairCalculated), subject);
  }

  /**
   * Changes the values of limits on `units`, `calls`, and `drawn` by the correction of an event. Values that are calculated from the
   * usage window follow the window, and counted prices don't change.
   */
  correct(event: CorrectedUsage, change: { readonly before: Meter; readonly after: Meter }): void {
    const { subject, budgetId, countedAt } = event;
    const nodes = this.rows.countedNodes(subject.customer.id, budgetId);
    const tried = this.rows.tryOn(limited(subject), nodes, (limit, node) => {
      const delta = isCalculated(limit, node) ? null : correctedBy(limit, event, change);
      return delta === null ? null : { delta, used: null, rounded: null };
    });
    this.rows.correct(tried, countedAt);
  }

  /** Returns the events of a rejected movement. */
  reject(tried: readonly Tried[], subject: Used): EventBody[] {
    return crossingEvents(this.rows.reject(tried), subject);
  }
}

/** ID of a request's budget. `null` if the request names no budget. `undefined` if the budget doesn't exist. */
export type RequestedBudget = string | null | undefined;

/** Returns the ID of the budget that a request names by its key. `limits` is `null` if no budget is used. */
export const budgetIdOf = (
  { budget: key = null }: Pick<UsageRequest, 'budget'>,
  customerId: string,
  limits: UsageLimits | null,
): RequestedBudget =>
  key === null
    ? null
    : limits?.budgets.find((budget) => budget.customerId === customerId && budget.key === key)?.id;

/** Returns the error of a movement that limits reject. `null` if all limits accept it. */
export function limitRejection(tried: readonly Tried[], terms: UsageTerms): Rejection | null {
  const rejected = rejecting(tried);
  const [first] = rejected;
  if (first === undefined) return null;
  const { used } = first.gauge;
  const details = {
    reason: 'limit_reached',
    limits: rejected.map(limitEntry),
    current: Number(used.numerator < 0n ? 0n : wholePart(used)),
    included: Number((first.limit.amount ?? 0n) + first.raise),
    remaining: Number(wholePart(roomOf(first) ?? zero)),
  };
  const { pool } = terms;
  if (pool === null) return specificRejection('included_limit_reached', 'limit', { details });
  return isCustom(pool.pool)
    ? specificRejection('insufficient_credits', 'limit', { details })
    : specificRejection('insufficient_balance', 'limit', { details });
}
