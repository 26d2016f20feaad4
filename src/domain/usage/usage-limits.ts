// Limits on usage: the numbers of a usage event that limits count.
import type { Rejection } from '../errors/errors.ts';
import type { EventBody } from '../events/event-data.ts';
import type { LimitNode, Tried } from '../limits/admission.ts';
import {
  BookLimits,
  type Crossing,
  type LimitDetails,
  type LimitedCustomer,
  type Measured,
} from '../limits/book-limits.ts';
import { crossingEvents } from '../limits/events.ts';
import { withWatch } from '../limits/falling.ts';
import { matchesFilter } from '../limits/filter.ts';
import { type BudgetRow, isFalling, type LimitRow } from '../limits/limit.ts';
import { resolvedEvent, resolvedRow } from '../limits/resolved.ts';
import type { ShareBase } from '../limits/shares.ts';
import { type Account, amountOf } from '../lots/account.ts';
import { fallOf, type Resolved, withFall } from '../lots/falls.ts';
import { assetOf, isCustom, poolOfAsset } from '../pricing/pools.ts';
import { type Exact, minus, ratio, times, whole, zero } from '../rates/exact.ts';
import { boundOf } from '../rows/period-bound.ts';
import type { ConsumingSubscription } from '../rows/usage-rows.ts';
import type { Meter } from './admission.ts';
import { budgetRejection } from './budget-problems.ts';
import type { Consumer } from './event-data.ts';
import { heldIncluded } from './included.ts';
import { type CorrectedUsage, correctedBy } from './limit-corrections.ts';
import type { Subscriber, UsageMovement, Used, WindowSource } from './limit-source.ts';
import { unitScale } from './metered-terms.ts';
import { windowOf } from './price-and-cost.ts';
import type { UsageRequest } from './record.ts';
import type { UsageTerms } from './terms.ts';
import { priceOfUsage, type WindowUse } from './window.ts';
import { inMinor, WindowLines } from './window-lines.ts';

/** Returns true if the value of a limit is calculated from rows that usage writes anyway. */
const isCalculated = ({ measure, window, filter }: LimitRow, node: LimitNode): boolean =>
  measure === 'remaining' ||
  (node.key === null &&
    window.kind === 'usage_window' &&
    filter.dimensions.length === 0 &&
    (measure === 'units' || (measure === 'spend' && filter.features.length === 0)));

const isPairCalculated = ({ limit, node }: Tried): boolean => isCalculated(limit, node);

const millis = (subscription: ConsumingSubscription, bound: Date | null): number =>
  boundOf(subscription, bound).getTime();

const limited = ({ subscription, plan, customer }: Subscriber): LimitedCustomer => {
  const { windowStart, windowEnd, periodStart, periodEnd } = subscription;
  const usageWindow = { start: millis(subscription, windowStart), end: millis(subscription, windowEnd) };
  return {
    customerId: customer.id,
    planId: plan.id,
    currency: subscription.currency,
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

const isAssetOf = ({ asset }: LimitRow, { subscription }: Subscriber): boolean =>
  asset !== null && assetOf(poolOfAsset(asset), subscription.currency) === asset;

/** Returns the account of an accepted movement with the marks of limits on the remaining amount. */
function markedAccount(account: Account, tried: readonly Tried[], crossings: readonly Crossing[]): Account {
  const [fall] = tried.flatMap((one) => one.fall ?? []);
  if (fall === undefined) return account;
  let watches = account.pools[fall.pool]?.fall?.watches ?? [];
  for (const { kind, crossed, tried: one } of crossings)
    if (kind === 'threshold' && one.limit.notifyResolved) watches = withWatch(watches, one.limit, crossed);
  return withFall(account, fall, watches);
}

/** Limits of usage events. */
export class UsageLimits {
  readonly rows: BookLimits;
  readonly #details: LimitDetails;
  readonly #source: WindowSource;
  readonly #newId: (prefix: string) => string;
  readonly #lines: WindowLines;

  constructor(details: LimitDetails, source: WindowSource, newId: (prefix: string) => string) {
    this.rows = new BookLimits(details, source.now, newId);
    this.#details = details;
    this.#source = source;
    this.#newId = newId;
    this.#lines = new WindowLines(source);
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
    const { subject } = movement;
    const measure = (limit: LimitRow, node: LimitNode) => this.#measure(limit, node, movement);
    return this.rows.tryOn(limited(subject), nodes, measure, (limit, of) => this.#baseOf(limit, of, subject));
  }

  /** Returns the limits of nodes with their current values. `subject` contains any feature of the customer. */
  current(nodes: readonly LimitNode[], subject: Subscriber): Tried[] {
    const measure = (limit: LimitRow, node: LimitNode): Measured | null => {
      const { currency } = limit;
      if (currency !== null && currency !== subject.subscription.currency) return null;
      if (isFalling(limit) && !isAssetOf(limit, subject)) return null;
      const used = isCalculated(limit, node) ? this.#calculated(limit, subject) : null;
      return { delta: zero, used, rounded: null };
    };
    return this.rows.tryOn(limited(subject), nodes, measure, (limit, of) => this.#baseOf(limit, of, subject));
  }

  /** Returns the number of which the amount of a limit is a share. */
  #baseOf({ asset, filter }: LimitRow, of: ShareBase, subject: Subscriber): bigint | null {
    const { catalog, now } = this.#source;
    if (asset === null) {
      const used = this.#featureOf(filter.features[0], subject);
      return used === null || used.terms.unlimited ? null : used.terms.includedAmount / unitScale(used.terms);
    }
    const pool = poolOfAsset(asset);
    if (of === 'included') return heldIncluded(catalog, subject.subscription, now)[pool] ?? null;
    const account = this.#source.accountOf(subject);
    const { granted, refilled } = fallOf(account, account, pool);
    return of === 'last_grant' ? granted : refilled;
  }

  /** Returns a feature with the terms of a customer. `null` if the subscription doesn't include the feature. */
  #featureOf(code: string | undefined, subject: Subscriber): Used | null {
    const feature = this.#source.catalog.features
      .values()
      .find((row) => row.code === code && row.deletedAt === null);
    const terms =
      feature === undefined ? null : this.#source.termsOf(subject.subscription, subject.plan, feature);
    return feature === undefined || terms === null ? null : { ...subject, feature, terms };
  }

  #calculated(limit: LimitRow, subject: Subscriber): Exact {
    if (limit.asset !== null)
      return whole(amountOf(this.#source.accountOf(subject), poolOfAsset(limit.asset)));
    if (limit.measure === 'spend') return this.#lines.sumOf(subject);
    const used = this.#featureOf(limit.filter.features[0], subject);
    return used === null ? zero : ratio(this.#source.meterOf(used).counter.total, unitScale(used.terms));
  }

  #measure(limit: LimitRow, node: LimitNode, movement: UsageMovement): Measured | null {
    const { subject, properties } = movement;
    if (!matchesFilter(limit.filter, subject.feature.code, properties)) return null;
    if (isFalling(limit)) return this.#fallen(limit, movement);
    const delta = this.#deltaOf(limit, movement);
    if (delta === null) return null;
    if (!isCalculated(limit, node)) return { delta, used: null, rounded: null };
    const used = this.#usedBefore(limit, movement);
    return { delta, used, rounded: limit.measure === 'spend' ? this.#lines.roundedAfter(movement) : null };
  }

  /** Returns the fall of the remaining amount. `null` if the movement doesn't change the account of the limit's asset. */
  #fallen(limit: LimitRow, { subject, before, after }: UsageMovement): Measured | null {
    const { pool } = subject.terms;
    if (pool === null || limit.asset !== assetOf(pool.pool, subject.subscription.currency)) return null;
    const fall = fallOf(before.account, after.account, pool.pool);
    return { delta: whole(fall.before - fall.after), used: whole(fall.before), rounded: null, fall };
  }

  /** Returns the value of a calculated limit before a movement. */
  #usedBefore({ measure }: LimitRow, { subject, before }: UsageMovement): Exact {
    return measure === 'spend'
      ? this.#lines.sumOf(subject)
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
      case 'remaining':
        return null;
      case 'value':
        return this.#valueOf(currency, asset, movement);
      case 'spend': {
        const [from, to] = [this.#lines.lineOf(subject, before), this.#lines.lineOf(subject, after)];
        return inMinor(minus(to.amount, from.amount), subscription.currency);
      }
    }
  }

  #valueOf(currency: string | null, asset: string | null, movement: UsageMovement): Exact | null {
    const { subject, quantity, before, after } = movement;
    const { terms, subscription } = subject;
    const unit = terms.pool !== null && isCustom(terms.pool.pool) ? terms.pool.pool : null;
    if (unit !== asset) return null;
    const amount =
      quantity?.price ?? minus(fullPrice(terms, windowOf(after)), fullPrice(terms, windowOf(before)));
    return currency === null
      ? times(amount, whole(terms.pool?.scale ?? 1n))
      : inMinor(amount, subscription.currency);
  }

  /** Counts an accepted movement. Returns the events of its crossings, and the account with the marks of limits. */
  accept(
    nodes: readonly LimitNode[],
    tried: readonly Tried[],
    movement: UsageMovement,
  ): { readonly events: readonly EventBody[]; readonly account: Account } {
    const { subject } = movement;
    this.rows.create(nodes);
    this.#lines.accept(movement);
    const crossings = this.rows.accept(tried, isPairCalculated);
    return {
      events: crossingEvents(crossings, subject),
      account: markedAccount(movement.after.account, tried, crossings),
    };
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

  /** Records that an amount is above crossed thresholds again, and returns the events. */
  resolve(resolved: readonly Resolved[], consumer: Consumer): EventBody[] {
    const of = { customerId: consumer.customer.id, now: this.#source.now, newId: this.#newId };
    this.rows.crossings.push(...resolved.map((one) => resolvedRow(one, of)));
    return resolved.map((one) => resolvedEvent(one, consumer));
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
