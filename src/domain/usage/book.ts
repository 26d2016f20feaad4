// Records usage events in memory, one after another. Each event is checked against the effects of all earlier
// events (CON-7).

import { defaultRejection, type Rejection, specificRejection } from '../errors/errors.ts';
import type { EventBody } from '../events/event-data.ts';
import type { EventOrigin } from '../events/events.ts';
import { throttleOf } from '../limits/throttle.ts';
import { type Account, markedPools } from '../lots/account.ts';
import { resolveWatches } from '../lots/falls.ts';
import type { Movement } from '../lots/posting.ts';
import { storesValues } from '../meters/meter.ts';
import type { Catalog, FeatureRow, PlanRow } from '../pricing/catalog.ts';
import { lastingValues } from '../pricing/lasting.ts';
import { boundOf } from '../rows/period-bound.ts';
import type { UsagePriceChangeRow } from '../rows/price-change-row.ts';
import type {
  ConsumingSubscription,
  ConsumptionEntryRow,
  LotRow,
  UsageAdjustmentRow,
  UsageCorrectionRow,
  UsageCounterRow,
  UsageValueRow,
} from '../rows/usage-rows.ts';
import { triggeredPools, withTopUp } from '../topups/trigger.ts';
import type { Accepted, Meter, Rejected } from './admission.ts';
import { BookCells } from './book-cells.ts';
import type { BookEvent, TriggeredTopUp } from './book-rows.ts';
import { isCountable, isQuantityCountable, tooLarge } from './countable.ts';
import { counterId, counterIn, valueId } from './counter.ts';
import { type EntryCause, entryRow } from './entry-rows.ts';
import { featureProblem, repeatsMeasured, repetitionProblem, timeProblem } from './event-checks.ts';
import { alertEvents, type Consumer, dimensionsFull, usageRecorded } from './event-data.ts';
import { eventOf } from './event-row.ts';
import { limitRejection } from './limit-rejection.ts';
import { withMeterOf } from './metered-terms.ts';
import { movementNodes } from './movement-nodes.ts';
import {
  draw,
  type PricedRequest,
  type Quantity,
  quantityOf,
  type UsageEventRow,
  type UsageRequest,
} from './record.ts';
import type { Recorded } from './recorded.ts';
import { heldUsageTerms, type UsageTerms } from './terms.ts';
import { usageAccount } from './usage-account.ts';
import type { UsageDetails } from './usage-details.ts';
import { budgetIdOf, UsageLimits } from './usage-limits.ts';

/** Customer, feature, and terms for a usage event. */
export type Subject = Consumer & {
  readonly plan: PlanRow;
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
};

/** Terms of subscriptions without add-ons. */
const lastingTerms = lastingValues<FeatureRow, UsageTerms | null>();

/** Returns the start of the current usage window. */
export const windowOf = (subscription: ConsumingSubscription): Date =>
  boundOf(subscription, subscription.windowStart);

/**
 * Records usage on locked rows. Stores the results in `accounts`, `lots` and `counters` (changed rows only),
 * `entries`, `events`, `adjustments`, `corrections`, `priceChanges`, and `outbox`.
 */
export class UsageBook {
  readonly details: UsageDetails;
  readonly accounts = new Map<string, Account>();
  readonly lots = new Map<string, LotRow>();
  readonly counters = new Map<string, UsageCounterRow>();
  /** Changed values of properties that meters count, by ID. */
  readonly values = new Map<string, UsageValueRow>();
  /** Totals by dimension values. */
  readonly cells: BookCells;
  /** `null` if no limit and no budget is used. */
  readonly limits: UsageLimits | null;
  readonly entries: ConsumptionEntryRow[] = [];
  readonly events: UsageEventRow[] = [];
  readonly adjustments: UsageAdjustmentRow[] = [];
  readonly corrections: UsageCorrectionRow[] = [];
  readonly priceChanges: UsagePriceChangeRow[] = [];
  readonly outbox: BookEvent[] = [];
  /** Accounts whose automatic top-ups the usage triggered, by account and pool. */
  readonly topUps = new Map<string, TriggeredTopUp>();
  readonly #byEventId = new Map<string, UsageEventRow>();
  readonly #terms = new Map<string, UsageTerms | null>();
  #origin: EventOrigin | null = null;

  constructor(details: UsageDetails) {
    this.details = details;
    this.cells = new BookCells(details.cells, details.hash);
    const { limits, newId } = details;
    this.limits = limits === null ? null : new UsageLimits(limits, this, newId);
  }

  get catalog(): Catalog {
    return this.details.catalog;
  }

  get now(): Date {
    return this.details.now;
  }

  /** Returns the loaded counters of a subscription, which can belong to earlier windows. */
  countersOf(subscriptionId: string): UsageCounterRow[] {
    return [...new Map([...this.details.counters, ...this.counters]).values()].filter(
      (counter) => counter.subscriptionId === subscriptionId,
    );
  }

  /** Sets the origin of all following requests. Must be called before the first request is recorded. */
  begin(origin: EventOrigin): void {
    this.#origin = origin;
  }

  /** Returns the customer, feature, and terms for a request, or the first failed check (CON-6). */
  subjectOf(customerId: string, featureCode: string): Subject | Rejection {
    const customer = this.details.customers.get(customerId);
    if (customer === undefined) return defaultRejection('customer_not_found', { param: 'customerId' });
    const subscription = this.details.subscriptions.get(customer.id);
    if (subscription === undefined) {
      return specificRejection('no_active_subscription', 'no_access', { param: 'customerId' });
    }
    const plan = this.details.catalog.plans.get(subscription.planId);
    if (plan === undefined) throw new Error(`The plan ${subscription.planId} is not in the catalog.`);
    const feature = this.details.features.get(featureCode) ?? null;
    const terms = feature === null ? null : this.termsOf(subscription, plan, feature);
    const problem = featureProblem(feature, terms, 'usage');
    if (problem !== null) return problem;
    if (feature === null || terms === null) throw new Error('A feature without terms has a problem.');
    return { customer, subscription, plan, feature, terms };
  }

  /** Returns the account and counter for a request. A counter from an earlier window starts at 0. */
  meterOf(subject: Subject): Meter {
    const cells = this.cells.of(subject)?.totals();
    return { account: this.accountOf(subject), counter: this.#counterOf(subject), cells };
  }

  #counterOf({ subscription, customer, feature, terms }: Subject): UsageCounterRow {
    const id = counterId(subscription.id, feature.id);
    const stored = this.counters.get(id) ?? this.details.counters.get(id) ?? null;
    const of = { customerId: customer.id, subscriptionId: subscription.id, featureId: feature.id };
    return counterIn(stored, of, windowOf(subscription), terms.meter?.document ?? null);
  }

  /** Adds an event to the totals by dimension values. Emits an event if combinations are folded for the first time. */
  countCell(subject: Subject, { cell }: Quantity): void {
    if (cell !== null && this.cells.of(subject)?.apply(cell) === true)
      this.emit(
        subject.customer.id,
        dimensionsFull(subject, subject.feature, windowOf(subject.subscription)),
      );
  }

  /** Returns the row of a value that a meter counts. Its count is 0 in a new window. */
  valueOf({ subscription, feature }: Subject, value: string): UsageValueRow {
    const id = valueId(subscription.id, feature.id, this.details.hash(value));
    const windowStart = windowOf(subscription);
    const stored = this.values.get(id) ?? this.details.values.get(id);
    return stored?.windowStart.getTime() === windowStart.getTime()
      ? stored
      : { id, subscriptionId: subscription.id, windowStart, count: 0n };
  }

  /**
   * Changes the number of events with a value. Returns the new number. `null` if the event counts no value, or if the meter
   * doesn't store its values.
   */
  countValue(subject: Subject, value: string | null, change: bigint): bigint | null {
    const { meter } = subject.terms;
    if (value === null || meter === null || !storesValues(meter.document)) return null;
    const stored = this.valueOf(subject, value);
    const count = stored.count + change;
    this.values.set(stored.id, { ...stored, count });
    return count;
  }

  /** Returns the current account plus the amounts that were added to the plan after the window opened (CAT-49). */
  accountOf({ subscription, plan }: Pick<Subject, 'subscription' | 'plan'>): Account {
    const known = this.accounts.get(subscription.id);
    if (known !== undefined) return known;
    const raised = usageAccount(this.details, subscription, plan);
    if (raised.entries.length > 0) {
      this.putAccount(raised.account);
      this.enter(raised, subscription, { featureId: null, sourceId: null });
    }
    return raised.account;
  }

  /** Records one usage event, or returns the rejection. A rejected event only can emit an alert. */
  record(request: UsageRequest): Recorded {
    const subject = this.subjectOf(request.customerId, request.featureCode);
    if ('code' in subject) return { rejection: subject };
    const stored = this.#stored(request.eventId);
    const budgetId = stored === null ? null : budgetIdOf(request, subject.customer.id, this.limits);
    if (stored !== null && repeatsMeasured(stored, subject, budgetId, request))
      return { event: stored, isRepetition: true };
    const ts = request.timestamp ?? this.details.now;
    const quantity = this.quantityOf(request, subject, ts);
    if ('code' in quantity) return { rejection: quantity };
    if (stored !== null) {
      const meter = subject.terms.meter?.document ?? null;
      const problem = repetitionProblem(
        stored,
        { customerId: subject.customer.id, featureId: subject.feature.id, budgetId, meter },
        quantity,
      );
      return problem === null ? { event: stored, isRepetition: true } : { rejection: problem };
    }
    const problem = timeProblem(ts, this.details.now, subject.subscription.startDate);
    return problem === null ? this.#draw(request, subject, quantity, ts) : { rejection: problem };
  }

  /** Returns the units and cost of a request, or the rejection. */
  quantityOf(request: PricedRequest, subject: Subject, ts = this.details.now): Quantity | Rejection {
    const quantity = quantityOf(request, subject.terms, this.#counterOf(subject), {
      models: request.model === null ? [] : (this.details.models.get(request.model) ?? []),
      ts,
      knownOf: (value) => this.valueOf(subject, value).count,
      cells: this.cells.of(subject),
    });
    if ('code' in quantity) return quantity;
    return isQuantityCountable(quantity) ? quantity : tooLarge;
  }

  #draw(request: UsageRequest, subject: Subject, quantity: Quantity, ts: Date): Recorded {
    const { customer, subscription, feature, terms } = subject;
    const { budget = null, properties } = request;
    const nodes = movementNodes(this.limits, subject, budget);
    if ('code' in nodes) return { rejection: nodes };
    const before = this.meterOf(subject);
    const result = draw(terms, before, quantity, ts);
    if ('rejection' in result) {
      this.keep(result.meter, before);
      this.tell(subject, result);
      return { rejection: withTopUp(result.rejection, result.meter.account, terms.pool?.pool ?? null) };
    }
    if (!isCountable(terms, result.meter)) return { rejection: tooLarge };
    const movement = { subject, properties, quantity, before, after: result.meter };
    const tried = this.limits?.tryOn(nodes, movement) ?? [];
    const limited = limitRejection(tried, terms);
    if (limited !== null) {
      for (const event of this.limits?.reject(tried, subject) ?? []) this.emit(customer.id, event);
      return { rejection: limited };
    }
    const counted = this.limits?.accept(nodes, tried, movement);
    this.keep({ ...result.meter, account: counted?.account ?? result.meter.account }, before);
    this.countValue(subject, quantity.measured.key, 1n);
    this.countCell(subject, quantity);
    const event = eventOf(request, subject, quantity, result.meter, {
      details: this.details,
      ts,
      amounts: result.amounts,
      budgetId: nodes.find(({ key }) => key !== null)?.id ?? null,
    });
    this.events.push(event);
    if (event.eventId !== null) this.#byEventId.set(event.eventId, event);
    this.enter(result, subscription, { featureId: feature.id, sourceId: event.id });
    this.emit(customer.id, usageRecorded(subject, feature, event));
    this.tell(subject, result);
    for (const crossing of counted?.events ?? []) this.emit(customer.id, crossing);
    return { event, isRepetition: false, throttle: throttleOf(tried) };
  }

  /** Stores the changed lots and entries of a movement. */
  enter(
    { lots, entries }: Pick<Movement, 'lots' | 'entries'>,
    subscription: ConsumingSubscription,
    cause: EntryCause,
  ): void {
    for (const lot of lots) this.lots.set(lot.id, lot);
    for (const entry of entries) this.entries.push(entryRow(entry, subscription, cause, this.details));
  }

  /** Stores the account and the counter if they changed. */
  keep({ account, counter }: Meter, before: Meter): void {
    if (account !== before.account) this.putAccount(account);
    if (counter !== before.counter) this.counters.set(counter.id, counter);
  }

  /** Stores a changed account. If it's low, triggers its automatic top-up, which the worker evaluates. */
  putAccount(changed: Account): void {
    const account = this.#resolved(changed);
    let { pools } = account;
    for (const { pool, mark } of triggeredPools(account)) {
      const subscription = this.details.subscriptions.get(account.customerId);
      if (subscription?.id !== account.id) continue;
      pools = markedPools({ pools }, pool, { ...mark, waits: true, reason: null });
      this.topUps.set(`${account.id}:${pool}`, { subscription, pool, dueAt: this.details.now });
    }
    this.accounts.set(account.id, { ...account, pools, updatedAt: this.details.now });
  }

  /** Emits the events of limits whose thresholds the account is above again. */
  #resolved(changed: Account): Account {
    const customer = this.details.customers.values().find(({ id }) => id === changed.customerId);
    const subscription = this.details.subscriptions.get(changed.customerId);
    if (this.limits === null || customer === undefined || subscription === undefined) return changed;
    const { account, resolved } = resolveWatches(changed);
    for (const event of this.limits.resolve(resolved, { customer, subscription }))
      this.emit(customer.id, event);
    return account;
  }

  /** Emits the alerts of a result. */
  tell(subject: Subject, result: Pick<Accepted | Rejected, 'alerts' | 'meter'>): void {
    for (const alert of result.alerts) {
      for (const event of alertEvents(alert, subject, subject.feature, subject.terms, result.meter))
        this.emit(subject.customer.id, event);
    }
  }

  /** Emits an event about a customer. */
  emit(customerId: string, event: EventBody): void {
    if (this.#origin === null) throw new Error('Usage is recorded for a caller.');
    this.outbox.push({ ...event, ...this.#origin, customerId, occurredAt: this.details.now });
  }

  #stored(eventId: string | null): UsageEventRow | null {
    return eventId === null
      ? null
      : (this.#byEventId.get(eventId) ?? this.details.events.get(eventId) ?? null);
  }

  /** Returns the terms of a feature of a subscription. `null` if the subscription doesn't include the feature. */
  termsOf(subscription: ConsumingSubscription, plan: PlanRow, feature: FeatureRow): UsageTerms | null {
    const key = `${subscription.id}:${feature.id}`;
    const known = this.#terms.get(key);
    if (known !== undefined) return known;
    const { addons, catalog, now } = this.details;
    const details = { plan, subscription, addons: addons.get(subscription.id) ?? [] };
    const calculate = () => heldUsageTerms(catalog, details, feature, now);
    const held =
      details.addons.length > 0 ? calculate() : lastingTerms(catalog, subscription, feature, now, calculate);
    const counter = this.details.counters.get(key);
    const isOpen = counter?.windowStart.getTime() === subscription.windowStart?.getTime();
    const terms = held === null || counter === undefined || !isOpen ? held : withMeterOf(held, counter);
    this.#terms.set(key, terms);
    return terms;
  }
}
