// Limits on usage: the numbers of a usage event that limits count, and the error codes of rejected events.
import { type Rejection, specificRejection } from '../errors/errors.ts';
import type { EventBody } from '../events/event-data.ts';
import { freedBy, type SettledHold } from '../holds/gauges.ts';
import { type LimitNode, rejecting, roomOf, type Tried } from '../limits/admission.ts';
import {
  BookLimits,
  type BudgetProblem,
  type LimitDetails,
  type LimitedCustomer,
  type Measured,
} from '../limits/book-limits.ts';
import { limitEntry } from '../limits/entry.ts';
import { crossingEvents } from '../limits/events.ts';
import { matchesFilter } from '../limits/filter.ts';
import { gaugeKey } from '../limits/gauge.ts';
import type { BudgetRow, LimitRow } from '../limits/limit.ts';
import { minorPerUnit } from '../money/money.ts';
import { assetOf, isCustom } from '../pricing/pools.ts';
import type { EventProperties } from '../rates/derived.ts';
import { type Exact, larger, minus, plus, ratio, times, whole, wholePart, zero } from '../rates/exact.ts';
import { boundOf } from '../rows/period-bound.ts';
import type { ConsumingSubscription } from '../rows/usage-rows.ts';
import type { Meter } from './admission.ts';
import { heldUnits } from './held-usage.ts';
import { type CorrectedUsage, correctedBy } from './limit-corrections.ts';
import { unitScale } from './metered-terms.ts';
import { windowOf } from './price-and-cost.ts';
import type { Quantity, UsageRequest } from './record.ts';
import type { UsageTerms } from './terms.ts';
import { priceOfUsage, type WindowUse } from './window.ts';
import {
  highestSum,
  type Lines,
  roundedSum,
  type Subscriber,
  sumOfLines,
  type Used,
  WindowLines,
  type WindowSource,
} from './window-lines.ts';

/** Usage that limits count, with the account and the counter before and after it. */
export type UsageMovement = {
  readonly subject: Used;
  readonly properties: EventProperties;
  /** `null` if the movement isn't an event: the total of the feature was set. */
  readonly quantity: Pick<Quantity, 'cost' | 'price'> | null;
  readonly before: Meter;
  readonly after: Meter;
  /**
   * Movements that the same usage would cause within the open holds, if the movement opens a hold. The hold reserves the highest of their
   * numbers.
   */
  readonly reserves?: readonly UsageMovement[];
  /** Hold that the movement settles. */
  readonly settles?: SettledHold;
};

const inMinor = (amount: Exact, currency: string): Exact => times(amount, whole(minorPerUnit(currency)));

const difference = (before: Exact, after: Exact): Exact => minus(after, before);

/** Returns true if the value of a limit is calculated from rows that usage writes anyway. */
const isCalculated = ({ measure, window, filter }: LimitRow, node: LimitNode): boolean =>
  node.key === null &&
  window.kind === 'usage_window' &&
  filter.dimensions.length === 0 &&
  (measure === 'units' || (measure === 'spend' && filter.features.length === 0));

const isPairCalculated = ({ limit, node }: Tried): boolean => isCalculated(limit, node);

/** Returns true if the gauge of a limit is stored. */
export const isStoredGauge = (tried: Tried): boolean =>
  tried.limit.window.kind !== 'event' && !isPairCalculated(tried);

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

const budgetMessages: { readonly [problem in BudgetProblem]: string } = {
  unknown_budget:
    "The budget doesn't exist. Create the budget first, or create a limit for each budget of its kind.",
  budget_archived: 'The budget or a budget above the budget is archived. Name another budget.',
};

const budgetRejection = (reason: BudgetProblem): Rejection => ({
  code: 'validation_error',
  message: budgetMessages[reason],
  param: 'budget',
  details: { reason },
});

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
  readonly lines: WindowLines;

  constructor(details: LimitDetails, source: WindowSource, newId: (prefix: string) => string) {
    this.rows = new BookLimits(details, source.now, newId);
    this.#details = details;
    this.#source = source;
    this.lines = new WindowLines(source);
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
      const stored: Measured = { delta: zero, used: null, rounded: null };
      return isCalculated(limit, node) ? { ...stored, ...this.#calculated(limit, subject) } : stored;
    });
  }

  #calculated(limit: LimitRow, subject: Subscriber): Calculated {
    const { subscription, plan } = subject;
    if (limit.measure === 'spend') return this.#spent(this.lines.of(subject), subscription.currency);
    const [code] = limit.filter.features;
    const feature = this.#source.catalog.features
      .values()
      .find((row) => row.code === code && row.deletedAt === null);
    const terms = feature === undefined ? null : this.#source.termsOf(subscription, plan, feature);
    if (feature === undefined || terms === null) return { used: zero, held: zero };
    return countedUnits(terms, this.#source.meterOf({ ...subject, feature, terms }));
  }

  #spent(lines: Lines, currency: string): Calculated {
    const used = inMinor(sumOfLines(lines), currency);
    return { used, held: minus(inMinor(highestSum(lines), currency), used) };
  }

  #measure(limit: LimitRow, node: LimitNode, movement: UsageMovement): Measured | null {
    const { subject, properties } = movement;
    if (!matchesFilter(limit.filter, subject.feature.code, properties)) return null;
    if (isCalculated(limit, node)) return this.#measureWindow(limit, movement);
    const used = this.#deltaOf(limit, movement);
    if (used === null) return null;
    const { reserves, settles } = movement;
    if (reserves !== undefined) {
      const delta = reserves.reduce((most, one) => larger(most, this.#deltaOf(limit, one) ?? zero), zero);
      return { delta, heldDelta: delta, used: null, rounded: null };
    }
    const heldDelta = settles === undefined ? zero : freedBy(settles, node.id, gaugeKey(limit), used);
    return { delta: plus(used, heldDelta), heldDelta, used: null, rounded: null };
  }

  /** Measures a movement by a limit whose value is calculated from the usage window. */
  #measureWindow(limit: LimitRow, { subject, before, after }: UsageMovement): Measured | null {
    const { subscription, terms } = subject;
    if (limit.currency !== null && limit.currency !== subscription.currency) return null;
    const isSpend = limit.measure === 'spend';
    const lines = isSpend ? this.lines.after(subject, after) : null;
    const from = isSpend ? this.#calculated(limit, subject) : countedUnits(terms, before);
    const to = lines === null ? countedUnits(terms, after) : this.#spent(lines, subscription.currency);
    const heldDelta = minus(to.held, from.held);
    return {
      delta: plus(minus(to.used, from.used), heldDelta),
      heldDelta,
      ...from,
      rounded: lines === null ? null : roundedSum(lines, subscription.currency),
    };
  }

  #deltaOf({ measure, currency, asset }: LimitRow, movement: UsageMovement): Exact | null {
    const { subject, quantity, before, after } = movement;
    const { terms, subscription } = subject;
    if (currency !== null && currency !== subscription.currency) return null;
    switch (measure) {
      case 'calls':
        return quantity === null ? null : whole(movement.settles?.isCounted === true ? 0n : 1n);
      case 'units':
        return ratio(after.counter.total - before.counter.total, unitScale(terms));
      case 'drawn':
        return terms.pool !== null && asset === assetOf(terms.pool.pool, subscription.currency)
          ? whole(quantity?.cost ?? 0n)
          : null;
      case 'value':
        return this.#valueOf(currency, asset, movement);
      case 'spend': {
        const [from, to] = [before, after].map((meter) => this.lines.lineOf(subject, meter).amount);
        return inMinor(difference(from ?? zero, to ?? zero), subscription.currency);
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

  /** Counts an accepted movement, and returns the events of its crossings. */
  accept(nodes: readonly LimitNode[], tried: readonly Tried[], movement: UsageMovement): EventBody[] {
    const { subject, after } = movement;
    this.rows.create(nodes);
    this.lines.keep(subject, after);
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

/** Value of a limit that is calculated from the usage window. */
type Calculated = { readonly used: Exact; readonly held: Exact };

const countedUnits = (terms: UsageTerms, { counter }: Meter): Calculated => ({
  used: ratio(counter.total, unitScale(terms)),
  held: ratio(heldUnits(counter), unitScale(terms)),
});

/** ID of a request's budget. `null` if the request names no budget. `undefined` if the budget doesn't exist. */
export type RequestedBudget = string | null | undefined;

/** Returns the ID of the budget that a request names by its key. `limits` is `null` if no budget is used. */
export const requestedBudgetId = (
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
