// A customer's billing state in memory, processed as in the engine: decide, charge, apply the result, and number new rows. Each step
// verifies that the decision doesn't change its input, that its changes produce the next aggregate, and that its events match the contract.
import { expect } from 'vitest';
import type { EventDraft } from '../../../src/domain/events/event-draft.ts';
import { creditNoteNumberText } from '../../../src/domain/invoicing/credit-note.ts';
import { usesOf } from '../../../src/domain/invoicing/customer-credits.ts';
import { verify } from '../../../src/domain/ledger/verify.ts';
import { differs, recurringState } from '../../../src/domain/metrics/recurring.ts';
import { usualRetryTerms } from '../../../src/domain/payments/dunning.ts';
import type { AcceptedAttempt, ChargeRequest, ChargeResult } from '../../../src/domain/payments/provider.ts';
import { type Catalog, catalogOf, noCatalogRows } from '../../../src/domain/pricing/catalog.ts';
import { invoiceNumberText } from '../../../src/domain/rows/invoice-number.ts';
import type { ConsumptionEntryRow } from '../../../src/domain/rows/usage-rows.ts';
import type { Command } from '../../../src/domain/subscription/decision/command.ts';
import { commandOf } from '../../../src/domain/subscription/decision/deadline-command.ts';
import { decide } from '../../../src/domain/subscription/decision/decide.ts';
import {
  type Aggregate,
  type ChangeSet,
  type CreateSelection,
  type CreditNoteRow,
  type CustomerRow,
  type DeadlineRow,
  type InvoiceLineRow,
  type InvoiceRow,
  type ItemDetails,
  type LedgerTransferRow,
  type MethodDetails,
  type MrrEntryRow,
  mergeChanges,
  type Outcome,
  type RowChanges,
  type SubscriptionRow,
} from '../../../src/domain/subscription/state/aggregate.ts';
import { Draft } from '../../../src/domain/subscription/state/draft.ts';
import {
  type ChangingTable,
  changingTables,
  type LoadedTable,
  loadedTables,
  type PerTable,
  perTable,
} from '../../../src/domain/subscription/state/tables.ts';
import { noLevelLimits } from '../../../src/domain/usage/level-limits.ts';
import { computeTax } from '../../../src/modules/organization/tax-registrations/compute-tax.ts';
import { acceptDebit, vaultDebit } from '../../../src/providers/sandbox-debits.ts';
import { instructPayer } from '../../../src/providers/sandbox-push.ts';
import { payloadProblems } from '../../support/event-payloads.ts';
import { creditParts } from '../credits.ts';
import { freeze } from './freeze.ts';

type Timeless<C> = C extends Command ? Omit<C, 'dueAt' | 'now'> : never;

/** Parses a date or a full ISO timestamp. */
export const at = (text: string): Date => new Date(text.length === 10 ? `${text}T00:00:00Z` : text);

export const customer: CustomerRow = {
  id: 'cus_1',
  seq: 1n,
  externalId: 'acme-7',
  email: 'pay@acme.test',
  emailKey: 'pay@acme.test',
  fullName: 'Acme',
  searchText: 'acme\npay@acme.test\nacme-7',
  taxDocument: null,
  documentType: null,
  timezone: 'UTC',
  address: null,
  country: null,
  requireBudget: false,
  hasMoneyOnAccount: false,
  sortMrr: 0n,
  sortOutstanding: 0n,
  sortPaid: 0n,
  sortStatus: 0n,
  sortPlan: '',
  metadata: {},
  createdAt: at('2026-01-01'),
  updatedAt: at('2026-01-01'),
  deletedAt: null,
};

export const card: MethodDetails = {
  reference: 'tok_pays',
  bin: '42424242',
  provider: 'platform',
  brand: 'visa',
  last4: '4242',
  expMonth: 12,
  expYear: 2040,
};

/** Returns a card with the given behavior in the test gateway: `first` at the first checkout, and `later` for later charges. */
export const cardThat = (first: string, later = first): MethodDetails => ({
  ...card,
  reference: `${first}/${later}`,
});

const answers: { readonly [word: string]: ChargeResult } = {
  pays: { status: 'settled' },
  declines: { status: 'declined', declineCode: 'card_declined', message: 'The card was declined.' },
  asks: { status: 'requires_action' },
  silent: { status: 'unknown' },
};

/** Returns a draft for decisions about an aggregate at a given time. */
export const draftOf = (aggregate: Aggregate, now = at('2027-01-31')): Draft =>
  new Draft(aggregate, { dueAt: now, now }, { newId: (prefix) => `${prefix}_x`, tax: computeTax });

/** The platform charges no fee and holds funds for a week. */
const free = { feeBasisPoints: 0n, feeFixedUsdMinor: 0n, availableAfterDays: 7 };

const emptyCatalog = catalogOf(noCatalogRows);

export class World {
  aggregate: Aggregate;
  now: Date;
  /** Gateway behavior for later charges, if it differs from how the card behaves. */
  mood: 'pays' | 'declines' | 'asks' | 'silent' | null = null;
  readonly events: EventDraft[] = [];
  readonly ledger: LedgerTransferRow[] = [];
  readonly lines: InvoiceLineRow[] = [];
  readonly entries: ConsumptionEntryRow[] = [];
  /** Credit notes and their numbers. */
  readonly notes: CreditNoteRow[] = [];
  /** Changes in monthly recurring revenue. */
  readonly mrr: MrrEntryRow[] = [];
  readonly items: (ItemDetails & { readonly kind: string; readonly dueAt: Date })[] = [];
  readonly parked: string[] = [];
  last: ChangeSet | null = null;
  readonly #revenue = new Map<string, MrrEntryRow['after']>();
  #written: Aggregate | null = null;
  #seq = 1n;
  #number = 0n;
  #ids = 0;
  #reported = 0;

  constructor(now: string, catalog: Catalog = emptyCatalog, changes: Partial<Aggregate> = {}) {
    this.now = at(now);
    this.aggregate = {
      environment: {
        organizationId: 'org_1',
        organizationCountry: 'US',
        seller: { name: 'Quarry', address: null, taxId: null, country: 'US', language: 'en', color: null },
        livemode: false,
        processors: { platform: true, own: false },
        cardPromotions: false,
        oneTrialPerCustomer: false,
        checkoutExpiryHours: null,
        refundTakesBack: false,
        creditOrder: 'oldest',
        accessWhileProcessing: null,
        collectByPayer: false,
        collectionDueDays: 3,
        retryTerms: usualRetryTerms,
        settlement: free,
      },
      customer,
      ...perTable<LoadedTable, 'rows'>(loadedTables, () => []),
      deadlines: [],
      catalog,
      offers: [],
      promoCodes: [],
      cardPromotions: [],
      draws: [],
      measured: [],
      levels: [],
      creditUses: [],
      creditPacks: [],
      taxRegistrations: [],
      trials: [],
      levelLimits: noLevelLimits,
      ...changes,
    };
  }

  /** Response of the test gateway to a request. */
  #answerTo(request: ChargeRequest): ChargeResult | AcceptedAttempt | undefined {
    const [first = 'pays', later = first] = request.methodReference.replace('tok_', '').split('/');
    if (request.push !== undefined) return instructPayer(request, request.push);
    if (request.debit !== undefined) return acceptDebit(request.methodReference, request.debit);
    return vaultDebit(request.methodReference) === null
      ? answers[this.mood ?? (request.isFirst ? first : later)]
      : answers['pays'];
  }

  /** Latest subscription of the customer. */
  get subscription(): SubscriptionRow {
    const row = this.aggregate.subscriptions.at(-1);
    if (row === undefined) throw new Error('no subscription');
    return row;
  }
  /** Latest invoice of the customer. */
  get invoice(): InvoiceRow {
    const row = this.aggregate.invoices.at(-1);
    if (row === undefined) throw new Error('no invoice');
    return row;
  }
  get deadlines(): string[] {
    return this.aggregate.deadlines
      .toSorted(byOrder)
      .map(
        (row) =>
          `${row.dueAt.toISOString().replace(/T00:00:00.000Z|:00.000Z/, '')} ${row.id.replaceAll(/(sub|inv)_\d+/g, '$1')}`,
      );
  }

  /** Executes a command at the given time, which becomes the current time. Returns the outcome and the event types. */
  do(now: string | null, command: Timeless<Command>): Outcome {
    if (now !== null) this.now = at(now);
    // The cast is safe because the input lacks only the command's two times, which are added here.
    return this.run({ ...command, dueAt: this.now, now: this.now } as Command);
  }
  create(now: string | null, selection: CreateSelection): Outcome {
    return this.do(now, { kind: 'subscription.create', selection });
  }
  pay(now: string | null, method: MethodDetails = card, extra: object = {}): Outcome {
    // A new payment abandons the attempt that is waiting for the payer.
    const abandoned = this.subscription.pendingCheckout?.attemptId ?? null;
    return this.do(now, {
      kind: 'checkout.pay',
      subscriptionId: this.subscription.id,
      method,
      abandoned,
      ...extra,
    });
  }
  cancel(now: string | null, immediate = false, reason: string | null = null): Outcome {
    return this.do(now, {
      kind: 'subscription.cancel',
      subscriptionId: this.subscription.id,
      reason,
      immediate,
    });
  }
  uncancel(now: string | null): Outcome {
    return this.do(now, { kind: 'subscription.uncancel', subscriptionId: this.subscription.id });
  }

  /** Processes each deadline due by the given time, in order and at its due time. Late deadlines are processed at `lateUntil` or later. */
  advance(until: string, lateUntil: string | null = null): void {
    const target = at(until);
    for (;;) {
      const due = this.aggregate.deadlines
        .filter((row) => row.state === 'ready' && row.dueAt <= target)
        .toSorted(byOrder)[0];
      if (due === undefined) break;
      this.now = new Date(
        Math.max(due.dueAt.getTime(), this.now.getTime(), lateUntil === null ? 0 : at(lateUntil).getTime()),
      );
      this.execute(due);
    }
    this.now = new Date(Math.max(target.getTime(), this.now.getTime()));
  }
  execute(due: DeadlineRow): Outcome {
    const before = this.aggregate;
    const outcome = this.run(commandOf(due, this.now), true);
    if (outcome.kind === 'park') {
      this.parked.push(due.id);
      this.aggregate = {
        ...before,
        deadlines: before.deadlines.map((row) => (row.id === due.id ? { ...row, state: 'parked' } : row)),
      };
    } else if (outcome.kind === 'rejection') throw new Error(`failed item: ${outcome.code}`);
    else
      expect(this.aggregate.deadlines.some((row) => row.id === due.id && row.dueAt <= due.dueAt)).toBe(false);
    const item = this.last?.item ?? null;
    if (item !== null) this.items.push({ ...item, kind: due.kind, dueAt: due.dueAt });
    return outcome;
  }

  /** Types of events since the last call. State changes include their trigger. */
  get sent(): string[] {
    const kinds = this.events
      .slice(this.#reported)
      .map(({ kind, data }) =>
        kind === 'customer.state_changed' ? `state ${String(data['trigger'])}` : kind,
      );
    this.#reported = this.events.length;
    return kinds;
  }
  /** Returns the last event of a type. */
  event(kind: string): EventDraft {
    const found = this.events.findLast((event) => event.kind === kind);
    if (found === undefined) throw new Error(`no ${kind}`);
    return found;
  }
  /** Customer credits with the sums of their entries, in minor units. */
  get credits() {
    return creditParts(this.aggregate.lots, this.entries);
  }
  linesOf(invoice: InvoiceRow): InvoiceLineRow[] {
    return this.lines.filter(({ invoiceId }) => invoiceId === invoice.id);
  }

  run(command: Command, isDeadline = false): Outcome {
    const deps = { newId: (prefix: string) => `${prefix}_${++this.#ids}`, tax: computeTax };
    freeze(this.aggregate);
    // If a test edits rows between decisions, its starting point is these rows' current revenue.
    if (this.aggregate !== this.#written)
      for (const row of this.aggregate.subscriptions) this.#revenue.set(row.id, this.#revenueNow(row));
    let step = decide(this.aggregate, command, deps);
    const { outcome } = step;
    if (outcome.kind === 'park') {
      this.last = step.changes;
      expectNothing(step.changes);
      return outcome;
    }
    let changes = step.changes;
    expectApplied(this.aggregate, step.changes, step.aggregate);
    for (let [request] = changes.charges; request !== undefined; [request] = step.changes.charges) {
      const result = this.#answerTo(request);
      if (result === undefined) throw new Error(request.methodReference);
      freeze(step.aggregate);
      const before = step.aggregate;
      const { dueAt, now } = command;
      step = decide(
        before,
        { kind: 'charge.result', dueAt, now, transactionId: request.transactionId, result },
        deps,
      );
      expectApplied(before, step.changes, step.aggregate);
      changes = mergeChanges(changes, step.changes);
    }
    expectApplied(this.aggregate, changes, step.aggregate);
    this.last = changes;
    this.#store(changes, step.aggregate);
    expect(verify(this.ledger, this.aggregate.invoices, this.credits)).toEqual([]);
    return isDeadline ? outcome : step.outcome;
  }

  #revenueNow(row: SubscriptionRow): MrrEntryRow['after'] {
    const { counts, addons, customer: owner } = this.aggregate;
    return recurringState(row, owner.country, {
      countOf: (featureId) => counts.find((one) => one.featureId === featureId)?.count ?? 0n,
      addons: addons.filter(({ subscriptionId }) => subscriptionId === row.id),
    });
  }

  /** Adds revenue entries. Each entry must start at the end value of the subscription's previous entry (MET-70). */
  #addRevenue(entries: readonly MrrEntryRow[]): void {
    for (const entry of entries) {
      expect(differs(this.#revenue.get(entry.subscriptionId) ?? null, entry.before)).toBe(false);
      this.#revenue.set(entry.subscriptionId, entry.after);
    }
    this.mrr.push(...entries);
    for (const row of this.aggregate.subscriptions)
      expect(differs(this.#revenue.get(row.id) ?? null, this.#revenueNow(row))).toBe(false);
    this.#written = this.aggregate;
  }

  #store(changes: ChangeSet, next: Aggregate): void {
    const drafted: PerTable<LoadedTable, 'rows'> = next;
    const numbered = perTable<LoadedTable, 'rows'>(loadedTables, (table) =>
      drafted[table].map((row) => (row.seq === null ? { ...row, seq: ++this.#seq } : row)),
    );
    const invoices = numbered.invoices.map((row) =>
      row.number === null ? { ...row, number: ++this.#number } : row,
    );
    const seqs = new Map(numbered.subscriptions.map(({ id, seq }) => [id, seq]));
    this.aggregate = {
      ...next,
      ...numbered,
      invoices,
      deadlines: next.deadlines.map((row) => ({
        ...row,
        subjectSeq: row.subjectSeq ?? seqs.get(row.subscriptionId ?? '') ?? null,
      })),
    };
    this.ledger.push(...changes.ledger);
    this.lines.push(...changes.lines);
    this.entries.push(...changes.entries);
    for (const note of changes.creditNotes)
      this.notes.push({ ...note, number: BigInt(this.notes.length + 1) });
    this.#addRevenue(changes.mrrEntries);
    const numbers = new Map([...invoices, ...this.notes].map((row) => [row.id, row.number]));
    for (const event of changes.events) {
      const stored = filled(event, numbers);
      expectPayload(stored);
      this.events.push(stored);
    }
  }
}

const byOrder = (a: DeadlineRow, b: DeadlineRow): number =>
  a.dueAt.getTime() - b.dueAt.getTime() ||
  a.rank - b.rank ||
  Number((a.subjectSeq ?? 0n) - (b.subjectSeq ?? 0n)) ||
  (a.id < b.id ? -1 : 1);

function filled(event: EventDraft, numbers: ReadonlyMap<string, bigint | null>): EventDraft {
  const number = numbers.get(String(event.data['invoiceId']));
  const note = numbers.get(String(event.data['creditNoteId']));
  const withNumber = {
    ...event.data,
    ...(typeof number === 'bigint' ? { invoiceNumber: invoiceNumberText(number) } : {}),
    ...(typeof note === 'bigint' ? { creditNoteNumber: creditNoteNumberText(note) } : {}),
  };
  const { link } = event;
  return {
    ...event,
    data:
      link === undefined
        ? withNumber
        : { ...withNumber, [link.field]: `https://pay.test/${link.page}/${link.subjectId}` },
  };
}

const expectPayload = ({ kind, data }: EventDraft): void => expect(payloadProblems(kind, data)).toEqual([]);

function expectNothing(changes: ChangeSet): void {
  const { deadlines, item: _item, activated, ...rest } = changes;
  expect(activated).toBe(0);
  const sizes = Object.values(rest).map((value) => ('size' in value ? value.size : value.length));
  expect(
    [...sizes, deadlines.put.length, deadlines.remove.length, deadlines.ready.length].every(
      (size) => size === 0,
    ),
  ).toBe(true);
}

/** Expects that a rejection or a repeated request left the state unchanged. */
export const expectUnchanged = (world: World): void => {
  if (world.last === null) throw new Error('nothing was decided');
  expectNothing(world.last);
};

function expectApplied(before: Aggregate, changes: ChangeSet, after: Aggregate): void {
  const rowsBefore: PerTable<ChangingTable, 'rows'> = { ...before, customers: [before.customer] };
  const rowsAfter: PerTable<ChangingTable, 'rows'> = { ...after, customers: [after.customer] };
  for (const table of changingTables) {
    const rows: readonly { readonly id: string }[] = rowsBefore[table];
    const change: RowChanges<{ readonly id: string }> = changes[table];
    for (const [id, { flag }] of change) expect(rows.some((row) => row.id === id)).toBe(flag === 'changed');
    expect(rowsAfter[table], table).toEqual([
      ...rows.map((row) => change.get(row.id)?.row ?? row),
      ...[...change.values()].filter(({ flag }) => flag === 'new').map(({ row }) => row),
    ]);
  }
  const keptUses = before.creditUses.filter(({ invoiceId }) => !changes.clearedInvoices.includes(invoiceId));
  expect(after.creditUses).toEqual([...keptUses, ...usesOf(changes.lines)]);
  const { put, remove, ready } = changes.deadlines;
  const keys = [...put.map(({ id }) => id), ...remove];
  expect(new Set([...keys, ...ready]).size).toBe(keys.length + ready.length);
  const kept = before.deadlines
    .filter(({ id }) => !keys.includes(id))
    .map((row) => (ready.includes(row.id) ? { ...row, state: 'ready' } : row));
  expect(after.deadlines.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
    [...kept, ...put].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
}
