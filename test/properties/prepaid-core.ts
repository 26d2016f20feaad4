import type { Rejection } from '../../src/domain/errors/errors.ts';
import { accountWith, lotContext, storedAccount } from '../../src/domain/lots/account.ts';
import type { LotDraw } from '../../src/domain/lots/movements.ts';

import type { LevelKind } from '../../src/domain/meters/level.ts';
import { inPlace } from '../../src/domain/meters/level-history.ts';
import { isAdditive } from '../../src/domain/meters/meter.ts';
import type { ChargeResult } from '../../src/domain/payments/provider.ts';
import type { EndedUsageRow } from '../../src/domain/rows/ended-usage.ts';
import type { CustomerLevelRow } from '../../src/domain/rows/level-row.ts';
import type { SubscriptionRow } from '../../src/domain/rows/rows.ts';
import type {
  ConsumptionEntryRow,
  LotRow,
  UsageCorrectionRow,
  UsageCounterRow,
} from '../../src/domain/rows/usage-rows.ts';
import type { Command } from '../../src/domain/subscription/decision/command.ts';
import type { Aggregate, ChangeSet } from '../../src/domain/subscription/state/aggregate.ts';
import { accessStatuses } from '../../src/domain/subscription/state/transitions.ts';
import { correctBilled, isBilledBy, type OpenChange } from '../../src/domain/usage/billed-correction.ts';
import { UsageBook } from '../../src/domain/usage/book.ts';
import { correct, needsSteps } from '../../src/domain/usage/correction.ts';
import type { CorrectedEvent, CorrectionRequest } from '../../src/domain/usage/correction-request.ts';
import { counterId } from '../../src/domain/usage/counter.ts';
import { correctEnded } from '../../src/domain/usage/ended-correction.ts';
import type { EndedCorrection } from '../../src/domain/usage/ended-pending.ts';
import type { HeldLevel } from '../../src/domain/usage/ended-settlement.ts';
import { endedCells, endedTerms } from '../../src/domain/usage/ended-terms.ts';
import type { UsageEventRow } from '../../src/domain/usage/record.ts';
import { recordEvent } from '../../src/domain/usage/record-event.ts';
import type { UsageTerms } from '../../src/domain/usage/terms.ts';
import { noTokens } from '../../src/domain/usage/tokens.ts';
import type { UsageDetails } from '../../src/domain/usage/usage-details.ts';
import { overageMinor } from '../../src/domain/usage/window.ts';
import { type NextCharge, upcomingCharges } from '../../src/engine/preview/next-charge.ts';
import type { Gateways } from '../../src/providers/provider.ts';
import { Core } from './core.ts';
import { prepaidCatalog } from './prepaid-catalog.ts';

// Random histories of usage, corrections, and commitments for one customer in memory. Usage and its corrections are recorded by the
// same functions as in the service, and maps replace the database.

/** Behavior of the payment method. */
export type Mood = 'pays' | 'declines' | 'silent';

const answers: { readonly [mood in Mood]: ChargeResult } = {
  pays: { status: 'settled' },
  declines: { status: 'declined', declineCode: 'card_declined', message: 'The card was declined.' },
  silent: { status: 'unknown' },
};

type StoredEvent = UsageEventRow & { readonly seq: bigint };

type Windowed = Pick<UsageEventRow, 'subscriptionId' | 'featureId' | 'windowStart'>;

const requested = {
  eventId: null,
  timestamp: null,
  quantity: null,
  model: null,
  tokens: noTokens,
  inputIncludesCache: null,
} as const;

const inRegion = (region: string | null) => (region === null ? [] : [{ property: 'region', value: region }]);

const levelKindOf = (region: string | null): LevelKind | null =>
  region === 'eu' ? 'remove' : region === 'us' ? 'set' : region === null ? null : 'add';

const isDraw = ({ type }: ConsumptionEntryRow): boolean => type === 'consumption' || type === 'return';

/** Returns the level of each feature in the latest subscription with a level. */
const levelsOf = ({ counters }: Pick<Aggregate, 'counters'>): CustomerLevelRow[] => [
  ...new Map(
    counters.flatMap(({ customerId, featureId, level }) =>
      level === null ? [] : [[featureId, { customerId, featureId, level }] as const],
    ),
  ).values(),
];

/** A customer with all rows of its usage. */
export class PrepaidCore extends Core {
  readonly usageEvents: StoredEvent[] = [];
  readonly corrections: (UsageCorrectionRow & { readonly seq: bigint })[] = [];
  endedUsage: (EndedUsageRow & { readonly seq: bigint })[] = [];
  /** Billed prices of ended windows by the ID of their row, in minor units. */
  readonly billed = new Map<string, bigint>();
  /** IDs of subscriptions that were canceled, even if they were reactivated later. */
  readonly canceled = new Set<string>();
  /** Amounts that voids in ended windows returned, and the amounts that the events drew from lots that haven't ended. */
  readonly returns: { readonly drawn: bigint; readonly returned: bigint }[] = [];
  /** Starts of windows with usage that the pool of an earlier plan paid for while a plan change was in progress. */
  readonly carriedTo = new Set<number>();
  readonly ended: { readonly kind: string; readonly lotId: string }[] = [];
  readonly #mood: { current: Mood };

  constructor() {
    const mood: { current: Mood } = { current: 'pays' };
    const gateways: Gateways = {
      gatewayOf: () => ({ local: true, charge: () => answers[mood.current] }),
    };
    super('steps', 'cus_1', prepaidCatalog(), gateways);
    this.#mood = mood;
  }

  get mood(): Mood {
    return this.#mood.current;
  }
  set mood(mood: Mood) {
    this.#mood.current = mood;
  }

  override get aggregate(): Aggregate {
    const given = super.aggregate;
    return {
      ...given,
      draws: given.subscriptions.flatMap((row) => this.#drawsOf(given, row)),
      measured: this.#measured(given),
      levels: levelsOf(given),
    };
  }

  /** Usage entries that caused negative pools, newest first. */
  #drawsOf({ lots }: Aggregate, { id, windowStart }: SubscriptionRow): ConsumptionEntryRow[] {
    const own = this.entries.filter(
      (entry) =>
        entry.subscriptionId === id &&
        (entry.type === 'consumption' || entry.type === 'return') &&
        entry.windowStart.getTime() === windowStart?.getTime(),
    );
    return lots
      .filter(
        (lot) => lot.subscriptionId === id && lot.source === 'overdraft' && lot.isOpen && lot.remaining < 0n,
      )
      .flatMap(({ asset, remaining }) => {
        let running = 0n;
        return own
          .filter((entry) => entry.asset === asset)
          .toReversed()
          .filter(({ amount }) => {
            const isNeeded = running < -remaining;
            running -= amount;
            return isNeeded;
          });
      });
  }

  /** Events whose totals aren't known before the end of their window. */
  #measured(given: Aggregate): Aggregate['measured'] {
    return [...this.#billedLater(given), ...this.#changedLevels(given)];
  }

  /** Events of the current windows that changed a level. */
  #changedLevels({ subscriptions }: Aggregate): Aggregate['measured'] {
    const starts = new Map(subscriptions.map(({ id, windowStart }) => [id, windowStart?.getTime()]));
    return this.usageEvents.filter(
      (event) =>
        event.levelChange !== null &&
        starts.get(event.subscriptionId) === event.windowStart.getTime() &&
        !this.isCorrected(event),
    );
  }

  /** Events after an unpaid plan change billed their window, except the events that changed a level. */
  #billedLater({ invoices, subscriptions }: Aggregate): Aggregate['measured'] {
    return invoices.flatMap(({ status, subscriptionId, purchase, seq }) => {
      if (status !== 'outstanding' || purchase === null || !('billedWindow' in purchase)) return [];
      if (purchase.billedWindow === null || seq === null) return [];
      const start = subscriptions.find(({ id }) => id === subscriptionId)?.windowStart?.getTime();
      return this.usageEvents.filter(
        (event) =>
          event.subscriptionId === subscriptionId &&
          event.windowStart.getTime() === start &&
          event.seq > seq &&
          event.levelChange === null &&
          !this.isCorrected(event),
      );
    });
  }

  isCorrected = ({ id }: Pick<UsageEventRow, 'id'>): boolean =>
    this.corrections.some(({ usageEventId }) => usageEventId === id);

  /** Executes a command. Returns its outcome. */
  run(command: object): string {
    // The cast is safe because the tests' commands lack only the two times, which are added here.
    const outcome = this.execute({ ...command, dueAt: this.now, now: this.now } as Command);
    this.outcomes.push(outcome);
    return outcome;
  }

  /** Returns the next invoice of the subscription, as a preview shows it. */
  preview(subscriptionId: string): NextCharge | null {
    for (const charge of upcomingCharges(this.aggregate, subscriptionId, this.now, this.deps)) return charge;
    return null;
  }

  #details(): UsageDetails {
    const { customer, subscriptions, catalog, accounts, lots, counters, cells } = super.aggregate;
    const held = subscriptions.findLast(({ status }) => accessStatuses.includes(status));
    return {
      now: this.now,
      newId: this.deps.newId,
      hash: (value) => value,
      approvalTerms: (id) => ({ previewHash: id, expiresAt: this.now }),
      catalog,
      customers: new Map([[customer.id, customer]]),
      subscriptions: new Map(held === undefined ? [] : [[customer.id, held]]),
      features: new Map([...catalog.features.values()].map((feature) => [feature.code, feature])),
      addons: new Map(),
      counters: new Map(counters.map((row) => [row.id, row])),
      events: new Map(),
      models: new Map(),
      values: new Map(),
      levels: new Map(
        levelsOf({ counters }).map(({ featureId, level }) => [`${customer.id}:${featureId}`, level]),
      ),
      limits: null,
      holds: [],
      holdEvents: new Map(),
      cells: Map.groupBy(cells, ({ subscriptionId, featureId }) => counterId(subscriptionId, featureId)),
      accounts: new Map(accounts.map((row) => [row.id, row])),
      lots: new Map(
        subscriptions.map(({ id }) => [id, { lots: this.#openLots(lots, id), unloaded: null }] as const),
      ),
    };
  }

  #openLots = (lots: readonly LotRow[], id: string): LotRow[] =>
    lots.filter(({ subscriptionId, isOpen }) => subscriptionId === id && isOpen);

  #book(): UsageBook {
    const book = new UsageBook(this.#details());
    book.begin({ source: 'api', actorId: null, requestId: null });
    return book;
  }

  #numbered = <T extends { readonly seq: bigint | null }>(row: T): T & { readonly seq: bigint } => ({
    ...row,
    seq: row.seq ?? this.seqs.next++,
  });

  #write(book: UsageBook): void {
    const put = <T extends { readonly id: string; readonly seq: bigint | null }>(
      rows: readonly T[],
      changed: readonly T[],
    ): readonly T[] => {
      const byId = new Map(changed.map((row) => [row.id, row]));
      const known = new Set(rows.map(({ id }) => id));
      return [
        ...rows.map((row) => byId.get(row.id) ?? row),
        ...changed.filter(({ id }) => !known.has(id)).map(this.#numbered),
      ];
    };
    for (const [index, event] of this.usageEvents.entries()) {
      const levelChange = book.levelChanges.get(event.id);
      if (levelChange !== undefined) this.usageEvents[index] = { ...event, levelChange };
    }
    this.usageEvents.push(...book.events.map(this.#numbered));
    this.corrections.push(...book.corrections.map(this.#numbered));
    this.entries.push(...book.entries);
    const given = super.aggregate;
    this.replace({
      ...given,
      lots: put(given.lots, [...book.lots.values()]),
      counters: put(given.counters, [...book.counters.values()]),
      cells: put(given.cells, book.cells.changed()),
      accounts: put(given.accounts, [...book.accounts.values()].map(storedAccount)),
    });
  }

  /** Returns the terms of a counter. `null` if the counter's window has ended. */
  termsOf({ subscriptionId, featureId, windowStart }: UsageCounterRow): UsageTerms | null {
    const subject = this.#book().subjectOf('cus_1', featureId);
    const isOpen =
      !('code' in subject) &&
      subject.subscription.id === subscriptionId &&
      subject.subscription.windowStart?.getTime() === windowStart.getTime();
    return isOpen ? subject.terms : null;
  }

  /** Records usage. Returns the outcome. */
  use(featureCode: string, value: number, region: string | null): string {
    const book = this.#book();
    const recorded = recordEvent(book, {
      ...requested,
      customerId: 'cus_1',
      featureCode,
      properties: featureCode === 'calls' ? inRegion(region) : [],
      value: BigInt(value),
      levelKind: featureCode === 'storage' ? levelKindOf(region) : null,
    });
    if ('rejection' in recorded && (book.events.length > 0 || book.entries.some(isDraw)))
      throw new Error('Rejected usage was recorded in part.');
    this.#write(book);
    return 'rejection' in recorded ? recorded.rejection.code : 'recorded';
  }

  /** Voids or replaces an event. Returns the outcome. */
  correct(
    event: StoredEvent,
    replacement: { readonly value: number; readonly region: string | null } | null,
  ): string {
    const request: CorrectionRequest = {
      replacement:
        replacement === null
          ? null
          : {
              ...requested,
              value: BigInt(replacement.value),
              properties: event.featureId === 'calls' ? inRegion(replacement.region) : [],
              levelKind: event.featureId === 'storage' ? levelKindOf(replacement.region) : null,
            },
      reason: null,
    };
    const { subscriptions } = super.aggregate;
    const subscription = subscriptions.find(({ id }) => id === event.subscriptionId);
    if (subscription === undefined) throw new Error('An event has a subscription.');
    const isOpen =
      subscription.status !== 'canceled' &&
      subscription.windowStart?.getTime() === event.windowStart.getTime() &&
      !this.endedUsage.some(
        (row) =>
          row.subscriptionId === subscription.id &&
          row.windowStart.getTime() === event.windowStart.getTime() &&
          row.seq > event.seq,
      );
    const book = this.#book();
    const corrected = this.#corrected(event, isOpen);
    const ended = isOpen ? null : this.#correctEnded(book, subscription, corrected, request);
    const result = ended ?? correct(book, corrected, request);
    if ('rejection' in result) return result.rejection.code;
    if (result.isRepetition) return 'repeated';
    const drawn = ended !== null && replacement === null ? this.#drawnFromLots(event) : null;
    if (drawn !== null && !corrected.isReplacement && event.deducted !== null)
      this.returns.push({ drawn, returned: -(result.correction.deducted ?? 0n) });
    const change = isOpen ? this.#openChange(subscription.id) : null;
    this.#write(book);
    if (change !== null && isBilledBy(change, event.seq)) this.#correctBilled(change, book, event, result);
    if (ended !== null && 'usage' in ended) this.#settleEnded(ended);
    return 'corrected';
  }

  /** Returns the unpaid plan change that billed the open window. */
  #openChange(subscriptionId: string): OpenChange | null {
    for (const { id, seq, status, createdAt, purchase, ...invoice } of super.aggregate.invoices)
      if (
        invoice.subscriptionId === subscriptionId &&
        status === 'outstanding' &&
        seq !== null &&
        purchase !== null &&
        'billedWindow' in purchase &&
        purchase.billedWindow !== null
      )
        return { id, seq, createdAt, window: purchase.billedWindow };
    return null;
  }

  #correctBilled(
    change: OpenChange,
    book: UsageBook,
    event: StoredEvent,
    { correction }: { readonly correction: UsageCorrectionRow },
  ): void {
    const replacementSeq = this.usageEvents.find(({ id }) => id === correction.replacementId)?.seq ?? null;
    const steps = this.usageEvents.filter((row) => this.isSameWindow(row, event) && !this.isCorrected(row));
    const billedWindow = correctBilled(change, book, { event, correction, replacementSeq, steps });
    const given = super.aggregate;
    this.replace({
      ...given,
      invoices: given.invoices.map((row) =>
        row.id === change.id && row.purchase !== null && 'billedWindow' in row.purchase
          ? { ...row, purchase: { ...row.purchase, billedWindow } }
          : row,
      ),
    });
  }

  #corrected(event: StoredEvent, isOpen: boolean): CorrectedEvent {
    const isSame = (row: Pick<UsageEventRow, 'subscriptionId' | 'featureId' | 'windowStart'>): boolean =>
      row.subscriptionId === event.subscriptionId &&
      row.featureId === event.featureId &&
      row.windowStart.getTime() === event.windowStart.getTime();
    const counter = super.aggregate.counters.find(isSame);
    const ended = this.endedOf(event).find(({ featureId }) => featureId === event.featureId);
    const isRead = isOpen
      ? counter !== undefined && needsSteps(counter)
      : ended !== undefined && (ended.covered > 0n || !isAdditive(ended.meter));
    return {
      event,
      featureCode: event.featureId,
      isReplacement: this.corrections.some(({ replacementId }) => replacementId === event.id),
      correction: this.corrections.find(({ usageEventId }) => usageEventId === event.id) ?? null,
      waived: this.corrections.filter(isSame).reduce((sum, { waived }) => sum + (waived ?? 0n), 0n),
      lastSetSeq: null,
      steps: isRead ? this.usageEvents.filter((row) => isSame(row) && !this.isCorrected(row)) : [],
      levels: event.levelKind === null ? null : this.levelEvents(event),
    };
  }

  /** Returns the events of a level since the start of an event's window, in the order in which they take effect. */
  levelEvents({ featureId, windowStart }: Pick<UsageEventRow, 'featureId' | 'windowStart'>): StoredEvent[] {
    return inPlace(
      this.usageEvents.filter(
        (row) => row.featureId === featureId && row.windowStart >= windowStart && !this.isCorrected(row),
      ),
    );
  }

  /** Returns the usage of all features in an event's ended window. */
  endedOf({
    subscriptionId,
    windowStart,
  }: Pick<UsageEventRow, 'subscriptionId' | 'windowStart'>): EndedUsageRow[] {
    const rows = this.endedUsage.filter(
      (row) => row.subscriptionId === subscriptionId && row.windowStart.getTime() === windowStart.getTime(),
    );
    return [...new Map(rows.map((row) => [row.featureId, row])).values()];
  }

  isSameWindow = (a: Windowed, b: Windowed): boolean =>
    a.subscriptionId === b.subscriptionId &&
    a.featureId === b.featureId &&
    a.windowStart.getTime() === b.windowStart.getTime();

  /** Returns true if no later row states the usage of the window. */
  isLatest = (row: EndedUsageRow): boolean => this.endedOf(row).some(({ id }) => id === row.id);

  /** Returns the price of metered usage in an ended window, in minor units. */
  priceOfEnded(row: EndedUsageRow): bigint {
    const terms = endedTerms(row, 'usd');
    const cells = endedCells('cus_1', row, terms, (text) => text)?.totals();
    if (terms.pool !== null) return 0n;
    return overageMinor(terms, { total: row.total, covered: row.covered, cells });
  }

  /** Returns an event and the events that it replaced. */
  #chain({ id }: UsageEventRow): UsageEventRow[] {
    const chain = new Set([id]);
    for (let of: string | null = id; of !== null; ) {
      const replaced = this.corrections.find(({ replacementId }) => replacementId === of);
      of = replaced?.usageEventId ?? null;
      if (of !== null) chain.add(of);
    }
    return this.usageEvents.filter((event) => chain.has(event.id));
  }

  /** Returns true if a plan change carried the event, or an event that it replaced, to a pool. */
  #isCarriedToPool(event: UsageEventRow): boolean {
    const own = this.endedOf(event).find(({ featureId }) => featureId === event.featureId);
    return (
      (own ?? event).consumptionModel !== 'metered' &&
      this.#chain(event).some(({ consumptionModel }) => consumptionModel === 'metered')
    );
  }

  /** Amounts that an event and the events that it replaced drew, or all carried usage of the window, last drawn lot first. */
  #lotDraws(event: UsageEventRow): LotDraw[] {
    const isCarried = this.#isCarriedToPool(event);
    const ofWindow = (row: Pick<UsageEventRow, 'windowStart'> & { readonly featureId: string | null }) =>
      row.featureId === event.featureId && row.windowStart.getTime() === event.windowStart.getTime();
    const carried = this.usageEvents.filter((one) => one.consumptionModel === 'metered' && ofWindow(one));
    const sources = new Set([...this.#chain(event), ...(isCarried ? carried : [])].map(({ id }) => id));
    const { lots } = super.aggregate;
    const sums = new Map<string, bigint>();
    for (const entry of this.entries) {
      const { lotId, type, sourceId, amount } = entry;
      if (type !== 'consumption' && type !== 'return') continue;
      if (sourceId === null ? !(isCarried && ofWindow(entry)) : !sources.has(sourceId)) continue;
      const before = sums.get(lotId) ?? 0n;
      sums.delete(lotId);
      sums.set(lotId, before - amount);
    }
    return [...sums]
      .flatMap(([lotId, amount]) =>
        lots.filter(({ id }) => id === lotId && amount > 0n).map((lot) => ({ lot, amount })),
      )
      .toReversed();
  }

  /** Returns the amount that an event drew from lots that haven't ended. `null` if an overdraft of its window was billed. */
  #drawnFromLots(event: UsageEventRow): bigint | null {
    if (this.endedOf(event).some(({ deficitRate }) => deficitRate > 0n)) return null;
    return this.#lotDraws(event)
      .filter(
        ({ lot: { source, isOpen, endsWithWindow, expiresAt } }) =>
          source !== 'overdraft' &&
          (isOpen || !endsWithWindow) &&
          (endsWithWindow || expiresAt === null || expiresAt > this.now),
      )
      .reduce((sum, { amount }) => sum + amount, 0n);
  }

  #correctEnded(
    book: UsageBook,
    subscription: SubscriptionRow,
    corrected: CorrectedEvent,
    request: CorrectionRequest,
  ): EndedCorrection | { readonly rejection: Rejection } {
    const { event } = corrected;
    const { customer, catalog, accounts, lots, counters } = super.aggregate;
    const feature = catalog.features.get(event.featureId);
    const account = accounts.find(({ id }) => id === subscription.id);
    if (feature === undefined || account === undefined)
      throw new Error('An event has a feature and an account.');
    return correctEnded(
      book,
      {
        customer,
        subscription,
        feature,
        account: accountWith(
          account,
          this.#openLots(lots, subscription.id),
          lotContext(subscription, { now: this.now, newId: this.deps.newId }),
        ),
        counter:
          counters.find(
            ({ id, windowStart }) =>
              id === counterId(subscription.id, feature.id) &&
              windowStart.getTime() === event.windowStart.getTime(),
          ) ?? null,
        usage: this.endedOf(event),
        draws: this.#lotDraws(event),
        isCarried: this.#isCarriedToPool(event),
        level: event.levelKind === null ? null : this.#heldLevel(event),
      },
      corrected,
      request,
    );
  }

  /** Returns the current level of a feature, and its ended windows since an event's window. */
  #heldLevel({ featureId, windowStart }: StoredEvent): HeldLevel {
    const { counters, subscriptions } = super.aggregate;
    const counter = counters.findLast((row) => row.featureId === featureId && row.level !== null);
    if (counter === undefined) throw new Error('A level has a counter.');
    const windows = this.endedUsage.filter(
      (row) => row.featureId === featureId && row.windowStart >= windowStart && this.isLatest(row),
    );
    return {
      counter,
      windows: windows.flatMap((usage) =>
        subscriptions
          .filter(({ id }) => id === usage.subscriptionId)
          .map((subscription) => ({ usage, subscription })),
      ),
    };
  }

  #settleEnded({ usage, pending }: EndedCorrection): void {
    const changed = new Map(usage.map((row) => [row.id, row]));
    this.endedUsage = this.endedUsage.map((row) => ({ ...(changed.get(row.id) ?? row), seq: row.seq }));
    for (const { subscriptionId, correction } of pending) {
      const given = super.aggregate;
      this.replace({
        ...given,
        subscriptions: given.subscriptions.map((row) =>
          row.id === subscriptionId ? { ...row, corrections: [...row.corrections, correction] } : row,
        ),
      });
      if (given.subscriptions.some(({ id, status }) => id === subscriptionId && status === 'canceled'))
        this.run({ kind: 'corrections.end', subscriptionId });
    }
  }

  protected override store(changes: ChangeSet, next: Aggregate): void {
    super.store(changes, next);
    for (const [id, { row }] of changes.subscriptions) if (row.status === 'canceled') this.canceled.add(id);
    for (const row of changes.endedUsage.map(this.#numbered)) {
      this.endedUsage.push(row);
      this.billed.set(row.id, this.priceOfEnded(row));
    }
    for (const { subscriptionId, featureId, from, to, afterSeq, except } of changes.carried)
      for (const [index, event] of this.usageEvents.entries())
        if (
          event.subscriptionId === subscriptionId &&
          event.featureId === featureId &&
          event.windowStart.getTime() === from.getTime() &&
          event.seq > afterSeq &&
          !except.includes(event.seq)
        ) {
          this.usageEvents[index] = { ...event, windowStart: to };
          if (event.consumptionModel !== 'metered') this.carriedTo.add(to.getTime());
        }
    for (const { windowStart } of changes.usageAdjustments) this.carriedTo.add(windowStart.getTime());
    for (const { kind, data } of changes.events)
      if (kind === 'commitment.ended') this.ended.push({ kind, lotId: String(data['commitmentId']) });
  }
}
