// Limits on usage: the numbers of a usage event that limits count.
import type { Rejection } from '../errors/errors.ts';
import type { EventBody } from '../events/event-data.ts';
import { freedBy, type SettledHold } from '../holds/gauges.ts';
import type { LimitNode, Measured, Tried } from '../limits/admission.ts';
import { BookLimits, type LimitDetails, type LimitedCustomer } from '../limits/book-limits.ts';
import { approvalRequested, crossingEvents } from '../limits/events.ts';
import { matchesFilter } from '../limits/filter.ts';
import { gaugeKey } from '../limits/gauge.ts';
import { type BudgetRow, isFalling, type LimitRow } from '../limits/limit.ts';
import { freedLast, freedUnits } from '../limits/open-holds.ts';
import { markedAccount, resolvedEvent, resolvedRow } from '../limits/resolved.ts';
import type { RequestedApproval } from '../limits/usage-approval.ts';
import { type Account, amountOf } from '../lots/account.ts';
import { fallOf, type Resolved } from '../lots/falls.ts';
import { minorPerUnit } from '../money/money.ts';
import { assetOf, isCustom, poolOfAsset } from '../pricing/pools.ts';
import type { EventProperties } from '../rates/derived.ts';
import { type Exact, larger, minus, plus, ratio, times, whole, zero } from '../rates/exact.ts';
import { boundOf } from '../rows/period-bound.ts';
import type { ConsumingSubscription } from '../rows/usage-rows.ts';
import type { Meter } from './admission.ts';
import { budgetRejection } from './budget-problems.ts';
import type { Consumer } from './event-data.ts';
import { heldUnits } from './held-usage.ts';
import { baseOf, featureOf } from './limit-bases.ts';
import { type CorrectedUsage, correctedBy } from './limit-corrections.ts';
import { unitScale } from './metered-terms.ts';
import { windowOf } from './price-and-cost.ts';
import type { Quantity, UsageRequest } from './record.ts';
import type { UsageTerms } from './terms.ts';
import type { AccountDetails } from './usage-account.ts';
import { priceOfUsage, type WindowUse } from './window.ts';
import { type Subscriber, type Sums, type Used, WindowLines, type WindowSource } from './window-lines.ts';

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
  /** True if the feature counts the usage of another feature. Only limits that name the feature count the call again. */
  readonly isSourced?: boolean;
};

const inMinor = (amount: Exact, currency: string): Exact => times(amount, whole(minorPerUnit(currency)));

const difference = (before: Exact, after: Exact): Exact => minus(after, before);

/** Returns true if the value of a limit is calculated from rows that usage writes anyway. */
export const isCalculated = (
  { measure, window, filter }: Pick<LimitRow, 'measure' | 'window' | 'filter'>,
  node: Pick<LimitNode, 'key'>,
): boolean =>
  measure === 'remaining' ||
  (node.key === null &&
    window.kind === 'usage_window' &&
    filter.dimensions.length === 0 &&
    (measure === 'units' || (measure === 'spend' && filter.features.length === 0)));

const isPairCalculated = ({ limit, node }: Tried): boolean => isCalculated(limit, node);

/** Returns true if the gauge of a limit is stored. */
export const isStoredGauge = (tried: Tried): boolean =>
  tried.limit.window.kind !== 'event' && !isPairCalculated(tried);

const millis = (subscription: ConsumingSubscription, bound: Date | null): number =>
  boundOf(subscription, bound).getTime();

/** Returns a customer with the terms that determine its limits. */
export const limited = ({ subscription, plan, customer }: Subscriber): LimitedCustomer => {
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

const isAssetOf = ({ asset }: LimitRow, { subscription }: Subscriber): boolean =>
  asset !== null && assetOf(poolOfAsset(asset), subscription.currency) === asset;

/** Returns the price of the usage of a window as if nothing were included, in units of the asset. */
function fullPrice(terms: UsageTerms, use: WindowUse): Exact {
  const { rates } = terms;
  if (rates === null) return zero;
  return priceOfUsage({ ...terms, includedAmount: 0n, unlimited: false }, rates, { ...use, covered: 0n });
}

type Tools = Pick<AccountDetails, 'newId' | 'approvalTerms'>;

/** Limits of usage events. */
export class UsageLimits {
  readonly rows: BookLimits;
  readonly #details: LimitDetails;
  readonly #source: WindowSource;
  readonly #tools: Tools;
  /** Approvals of rejected usage. */
  readonly approvals: RequestedApproval[] = [];
  readonly lines: WindowLines;

  constructor(details: LimitDetails, source: WindowSource, tools: Tools) {
    this.rows = new BookLimits(details, source.now, tools.newId);
    this.#details = details;
    this.#source = source;
    this.#tools = tools;
    this.lines = new WindowLines(source);
  }

  /** Returns the nodes of a movement, or the rejection if its budget can't be used. */
  nodesOf(subject: Subscriber, budget: string | null): readonly LimitNode[] | Rejection {
    const nodes = this.rows.nodesOf(limited(subject), budget);
    return typeof nodes === 'string' ? budgetRejection(nodes) : nodes;
  }

  /** Loaded budgets, and budgets that earlier usage of the batch created. */
  get budgets(): readonly BudgetRow[] {
    return [...this.#details.budgets, ...this.rows.newBudgets.created];
  }

  /** Returns the limits that count a movement. */
  tryOn(nodes: readonly LimitNode[], movement: UsageMovement): Tried[] {
    const { subject } = movement;
    const measure = (limit: LimitRow, node: LimitNode) => this.#measure(limit, node, movement);
    return this.#tryOn(subject, nodes, measure);
  }

  #tryOn(
    subject: Subscriber,
    nodes: readonly LimitNode[],
    measure: (limit: LimitRow, node: LimitNode) => Measured | null,
  ): Tried[] {
    return this.rows.tryOn(limited(subject), nodes, measure, (limit, of) =>
      baseOf(this.#source, limit, of, subject),
    );
  }

  /** Returns the limits of nodes with their current values. `levels` contains the numbers of seats and quota units by feature code. */
  current(nodes: readonly LimitNode[], subject: Subscriber, levels: ReadonlyMap<string, bigint>): Tried[] {
    return this.#tryOn(subject, nodes, (limit, node) => {
      if (limit.measure === 'level') {
        const used = levels.get(limit.filter.features[0] ?? '') ?? 0n;
        return { delta: zero, used: whole(used), rounded: null };
      }
      const { currency } = limit;
      if (currency !== null && currency !== subject.subscription.currency) return null;
      if (isFalling(limit) && !isAssetOf(limit, subject)) return null;
      const stored: Measured = { delta: zero, used: null, rounded: null };
      return isCalculated(limit, node) ? { ...stored, ...this.#calculated(limit, subject) } : stored;
    });
  }

  #calculated(limit: LimitRow, subject: Subscriber): Calculated {
    const { subscription } = subject;
    if (isFalling(limit)) return { used: this.#remaining(limit, subject), held: zero };
    if (limit.measure === 'spend') return this.#spent(this.lines.of(subject), subscription.currency);
    const used = featureOf(this.#source, limit.filter.features[0], subject);
    return used === null ? { used: zero, held: zero } : countedUnits(used.terms, this.#source.meterOf(used));
  }

  /** Returns the available amount that a limit bounds. */
  #remaining({ asset }: LimitRow, { subscription }: Subscriber): Exact {
    const account = this.#source.accountOf(subscription.id);
    return whole(account === null || asset === null ? 0n : amountOf(account, poolOfAsset(asset)));
  }

  #spent({ amount, highest }: Sums, currency: string): Calculated {
    const used = inMinor(amount, currency);
    return { used, held: minus(inMinor(highest, currency), used) };
  }

  #measure(limit: LimitRow, node: LimitNode, movement: UsageMovement): Measured | null {
    const { subject, properties } = movement;
    if (!matchesFilter(limit.filter, subject.feature.code, properties)) return null;
    if (isFalling(limit)) return this.#measureFall(limit, movement);
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

  /** Measures the fall of the remaining amount. `null` if the movement doesn't change the account of the limit's asset. */
  #measureFall(limit: LimitRow, { subject, before, after }: UsageMovement): Measured | null {
    const { pool } = subject.terms;
    if (pool === null || limit.asset !== assetOf(pool.pool, subject.subscription.currency)) return null;
    const fall = fallOf(before.account, after.account, pool.pool);
    return { delta: whole(fall.before - fall.after), used: whole(fall.before), rounded: null, fall };
  }

  /** Measures a movement by a limit whose value is calculated from the usage window. */
  #measureWindow(limit: LimitRow, movement: UsageMovement): Measured | null {
    const { subject, before, after } = movement;
    const { subscription, terms } = subject;
    if (limit.currency !== null && limit.currency !== subscription.currency) return null;
    const isSpend = limit.measure === 'spend';
    const sums = isSpend ? this.lines.after(subject, after) : null;
    const from = isSpend ? this.#calculated(limit, subject) : countedUnits(terms, before);
    const to = sums === null ? countedUnits(terms, after) : this.#spent(sums, subscription.currency);
    const heldDelta = minus(to.held, from.held);
    const { openHolds = [] } = this.#details;
    const customerId = subscription.customerId;
    const of = { customerId, featureId: subject.feature.id, scale: unitScale(terms) };
    return {
      delta: plus(minus(to.used, from.used), heldDelta),
      heldDelta,
      ...from,
      rounded: sums?.rounded ?? null,
      ...(isSpend ? { fresh: () => this.lines.freshSpend(subject, movement) } : {}),
      freed: isSpend ? freedLast(openHolds, customerId, from.held) : freedUnits(openHolds, of),
    };
  }

  #deltaOf({ measure, currency, asset, filter }: LimitRow, movement: UsageMovement): Exact | null {
    const { subject, quantity, before, after, isSourced = false } = movement;
    const { terms, subscription } = subject;
    if (currency !== null && currency !== subscription.currency) return null;
    switch (measure) {
      case 'calls':
        if (isSourced && filter.features.length === 0) return zero;
        return quantity === null ? null : whole(movement.settles?.isCounted === true ? 0n : 1n);
      case 'units':
        return ratio(after.counter.total - before.counter.total, unitScale(terms));
      case 'drawn':
        return terms.pool !== null && asset === assetOf(terms.pool.pool, subscription.currency)
          ? whole(quantity?.cost ?? 0n)
          : null;
      case 'remaining':
      case 'level':
      case 'money':
        return null;
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

  /** Counts an accepted movement. Returns the events of its crossings, and the account with the marks of limits. */
  accept(
    nodes: readonly LimitNode[],
    tried: readonly Tried[],
    movement: UsageMovement,
  ): { readonly events: readonly EventBody[]; readonly account: Account } {
    const { subject, after } = movement;
    this.rows.newBudgets.create(nodes);
    this.lines.keep(subject, after);
    const crossings = this.rows.accept(tried, isPairCalculated);
    return {
      events: crossingEvents(crossings, subject),
      account: markedAccount(after.account, tried, crossings),
    };
  }

  /** Records the limits that usage exceeds although they block, and returns the events. */
  exceed(tried: readonly Tried[], subject: Used): EventBody[] {
    return crossingEvents(this.rows.exceed(tried), subject);
  }

  /** Records that an amount is above crossed thresholds again, and returns the events. */
  resolve(resolved: readonly Resolved[], consumer: Consumer): EventBody[] {
    const of = { customerId: consumer.customer.id, now: this.#source.now, newId: this.#tools.newId };
    this.rows.crossings.push(...resolved.map((one) => resolvedRow(one, of)));
    return resolved.map((one) => resolvedEvent(one, consumer));
  }

  /**
   * Changes the values of limits on `units`, `calls`, and `drawn` by the correction of an event. Values that are calculated from the
   * usage window follow the window, and counted prices don't change.
   */
  correct(event: CorrectedUsage, change: { readonly before: Meter; readonly after: Meter }): void {
    const { subject, budgetId, countedAt } = event;
    const nodes = this.rows.countedNodes(subject.customer.id, budgetId, subject.plan.id);
    const tried = this.rows.tryOn(limited(subject), nodes, (limit, node) => {
      const delta = isCalculated(limit, node) ? null : correctedBy(limit, event, change);
      return delta === null ? null : { delta, used: null, rounded: null };
    });
    this.rows.correct(tried, countedAt);
  }

  /** Returns the events of a rejected movement. */
  reject(tried: readonly Tried[], subject: Used): EventBody[] {
    const known = this.rows.approvals.length;
    const crossings = crossingEvents(this.rows.reject(tried), subject);
    const requested = this.rows.approvals
      .slice(known)
      .map((approval) => ({ ...approval, ...this.#tools.approvalTerms(approval.id) }));
    this.approvals.push(...requested);
    return [...crossings, ...requested.map((approval) => approvalRequested(approval, subject))];
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
