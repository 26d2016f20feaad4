// Records usage events in memory, one after another. Each event is checked against the effects of all earlier
// events (CON-7).

import { defaultRejection, type Rejection, specificRejection } from '../errors/errors.ts';
import type { EventBody } from '../events/event-data.ts';
import type { EventOrigin } from '../events/events.ts';
import { BookHolds } from '../holds/book-holds.ts';
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
import { triggeredPools } from '../topups/trigger.ts';
import type { Accepted, Meter, Rejected } from './admission.ts';
import { BookCells } from './book-cells.ts';
import { BookCounters } from './book-counters.ts';
import type { BookEvent, TriggeredTopUp } from './book-rows.ts';
import { isQuantityCountable, tooLarge } from './countable.ts';
import { counterId, counterIn, valueId } from './counter.ts';
import { type EntryCause, entryRow } from './entry-rows.ts';
import { featureProblem } from './event-checks.ts';
import { alertEvents, type Consumer, dimensionsFull } from './event-data.ts';
import { withMeterOf } from './metered-terms.ts';
import { type PricedRequest, type Quantity, quantityOf, type UsageEventRow } from './record.ts';
import { heldUsageTerms, type UsageTerms } from './terms.ts';
import { usageAccount } from './usage-account.ts';
import type { UsageDetails } from './usage-details.ts';
import { UsageLimits } from './usage-limits.ts';

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
  readonly counters: BookCounters;
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
  /** Changes of a level by recorded events, after the correction of an earlier event. By event ID. */
  readonly levelChanges = new Map<string, bigint>();
  readonly outbox: BookEvent[] = [];
  /** Customers whose usage was rejected or cut because of a limit, a pool, or the included units. */
  readonly constrained = new Set<string>();
  /** Accounts whose automatic top-ups the usage triggered, by account and pool. */
  readonly topUps = new Map<string, TriggeredTopUp>();
  /** Holds that the requests name. */
  readonly holds: BookHolds;
  readonly #byEventId = new Map<string, UsageEventRow>();
  readonly #terms = new Map<string, UsageTerms | null>();
  #origin: EventOrigin | null = null;

  constructor(details: UsageDetails) {
    this.details = details;
    this.counters = new BookCounters(details.counters);
    this.cells = new BookCells(details.cells, details.hash);
    const { limits } = details;
    this.holds = new BookHolds(details.holds);
    this.limits = limits === null ? null : new UsageLimits(limits, this, details);
  }

  get catalog(): Catalog {
    return this.details.catalog;
  }

  get now(): Date {
    return this.details.now;
  }

  /** Returns the loaded counters of a subscription, which can belong to earlier windows. */
  countersOf(subscriptionId: string): UsageCounterRow[] {
    return this.counters.of(subscriptionId);
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
    return { account: this.#accountOf(subject), counter: this.#counterOf(subject), cells };
  }

  #counterOf({ subscription, customer, feature, terms }: Subject): UsageCounterRow {
    const id = counterId(subscription.id, feature.id);
    const stored = this.counters.get(id) ?? this.details.counters.get(id) ?? null;
    const of = { customerId: customer.id, subscriptionId: subscription.id, featureId: feature.id };
    const meter = terms.meter?.document ?? null;
    const level = stored?.level ?? this.details.levels?.get(`${customer.id}:${feature.id}`) ?? null;
    return counterIn(stored, of, windowOf(subscription), meter, level);
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
  #accountOf({ subscription, plan }: Pick<Subject, 'subscription' | 'plan'>): Account {
    const known = this.accounts.get(subscription.id);
    if (known !== undefined) return known;
    const raised = usageAccount(this.details, subscription, plan);
    if (raised.entries.length > 0) {
      this.putAccount(raised.account);
      this.enter(raised, subscription, { featureId: null, sourceId: null });
    }
    return raised.account;
  }

  /** Returns the units and cost of a request, or the rejection. */
  quantityOf(
    request: PricedRequest,
    subject: Subject,
    ts = this.details.now,
    models = request.model === null ? [] : (this.details.models.get(request.model) ?? []),
  ): Quantity | Rejection {
    const quantity = quantityOf(request, subject.terms, this.#counterOf(subject), {
      models,
      ts,
      knownOf: (value) => this.valueOf(subject, value).count,
      cells: this.cells.of(subject),
    });
    if ('code' in quantity) return quantity;
    return isQuantityCountable(quantity) ? quantity : tooLarge;
  }

  /** Adds a recorded event. */
  addEvent(event: UsageEventRow): void {
    this.events.push(event);
    if (event.eventId !== null) this.#byEventId.set(event.eventId, event);
  }

  /** Returns the account of a subscription. `null` if it isn't loaded. */
  accountOf(subscriptionId: string): Account | null {
    const subscription = this.details.subscriptions.values().find(({ id }) => id === subscriptionId);
    const plan = subscription === undefined ? undefined : this.catalog.plans.get(subscription.planId);
    return subscription === undefined || plan === undefined ? null : this.#accountOf({ subscription, plan });
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

  /** Emits the alerts of a result, and further events. */
  tell(
    subject: Subject,
    { alerts, meter }: Pick<Accepted | Rejected, 'alerts' | 'meter'>,
    events: readonly EventBody[] = [],
  ): void {
    const { customer, feature, terms } = subject;
    for (const alert of alerts)
      for (const event of alertEvents(alert, subject, feature, terms, meter)) this.emit(customer.id, event);
    for (const event of events) this.emit(customer.id, event);
  }

  /** Emits an event about a customer. */
  emit(customerId: string, event: EventBody): void {
    if (this.#origin === null) throw new Error('Usage is recorded for a caller.');
    this.outbox.push({ ...event, ...this.#origin, customerId, occurredAt: this.details.now });
  }

  /** Returns the event with an event ID that the API client assigned. `null` if it wasn't recorded. */
  stored(eventId: string | null): UsageEventRow | null {
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
