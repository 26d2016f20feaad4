import type { OfferRow } from '../../src/domain/offers/offer.ts';
import type {
  AddonRow,
  Catalog,
  CreditPackRow,
  StoredAddonVersionRow,
} from '../../src/domain/pricing/catalog.ts';
import type { MrrEntryRow } from '../../src/domain/rows/recurring-rows.ts';
import type { ConsumptionAccountRow, ConsumptionEntryRow } from '../../src/domain/rows/usage-rows.ts';
import type { Command } from '../../src/domain/subscription/decision/command.ts';
import type {
  Aggregate,
  ChangeSet,
  CreateSelection,
  DecisionDeps,
  InvoiceLineRow,
  InvoiceRow,
  LedgerTransferRow,
  Outcome,
  RowChanges,
  SubscriptionRow,
} from '../../src/domain/subscription/state/aggregate.ts';
import {
  type LoadedTable,
  loadedTables,
  type PerTable,
  perTable,
} from '../../src/domain/subscription/state/tables.ts';
import { decideAndCharge } from '../../src/engine/charge.ts';
import { memorySeqs, stored } from '../../src/engine/load/reload.ts';
import { type SimulationOptions, timeline } from '../../src/engine/simulate.ts';
import { computeTax } from '../../src/modules/organization/tax-registrations/compute-tax.ts';
import type { Gateways } from '../../src/providers/provider.ts';
import { sandboxGateway, vaultCard } from '../../src/providers/sandbox.ts';
import { catalog } from '../domain/subscription/catalog.ts';
import { World } from '../domain/subscription/world.ts';
import { choose, lawCards, type Step } from '../support/laws.ts';
import { unitRate } from '../support/rates.ts';

// Executes random histories for one customer in memory. Decisions, charges, and the timeline come from the engine, and maps replace the
// database.

const epoch = new Date('0001-01-01T00:00:00Z');
const dayMs = 86_400_000;
const sandboxGateways: Gateways = { gatewayOf: () => sandboxGateway };

const seats = { editors: { includedAmount: 2n, overageEnabled: true, rate: unitRate(70_000n) } };
/** Plans that a history's steps select by index. */
export const plans = [
  'weekly',
  'monthly',
  'trial',
  'credits',
  'balance',
  'yearly',
  'once',
  'free',
  'plain',
  'plainer',
] as const;

/** Catalog with a plan of each type, an add-on, and a credit pack. */
function lawCatalog(): Catalog {
  const made = catalog(
    { id: 'weekly', prices: [{ id: 'p_weekly', interval: 'weekly', amount: 700n }], seats },
    {
      id: 'monthly',
      prices: [{ id: 'p_monthly', interval: 'monthly', amount: 1_900n, edits: { '2027-03-03': 2_100n } }],
      seats,
    },
    { id: 'trial', prices: [{ id: 'p_trial', interval: 'monthly', amount: 2_900n, trialDays: 9 }], seats },
    { id: 'credits', prices: [{ id: 'p_credits', interval: 'monthly', amount: 3_400n }] },
    { id: 'balance', prices: [{ id: 'p_balance', interval: 'weekly', amount: 1_500n }] },
    { id: 'yearly', prices: [{ id: 'p_yearly', interval: 'yearly', amount: 19_000n }], seats },
    { id: 'once', prices: [{ id: 'p_once', interval: 'one_time', amount: 49_000n }] },
    { id: 'free', isFree: true },
    // Plans with overage can't be granted.
    { id: 'plain', prices: [{ id: 'p_plain', interval: 'weekly', amount: 900n }] },
    { id: 'plainer', prices: [{ id: 'p_plainer', interval: 'weekly', amount: 1_300n }] },
  );
  const addon: AddonRow = {
    id: 'addon',
    seq: 1n,
    name: 'Addon',
    slug: 'addon',
    featureId: 'exports',
    consumptionModel: 'metered',
    deletedAt: null,
  };
  const version: StoredAddonVersionRow = {
    addonId: 'addon',
    seq: 1n,
    validFrom: epoch,
    basePriceMinor: 1_450n,
    includedUnits: 500n,
    rate: unitRate(125n),
    overrides: [],
  };
  const included = { includedCredits: 640n, includedBalanceRate: 420_000n };
  return {
    ...made,
    plans: new Map(
      [...made.plans].map(([id, plan]) => [
        id,
        id === 'credits' || id === 'balance' ? { ...plan, consumptionModel: id } : plan,
      ]),
    ),
    priceVersions: new Map(
      [...made.priceVersions].map(([id, rows]) => [id, rows.map((row) => ({ ...row, ...included }))]),
    ),
    addons: new Map([[addon.id, addon]]),
    addonVersions: new Map([[addon.id, [version]]]),
  };
}

const offerOf = (id: string, seq: bigint, phase: OfferRow['phases'][number]): OfferRow => ({
  id,
  seq,
  name: id,
  phases: [phase],
  startsAt: null,
  endsAt: null,
  active: true,
  deletedAt: null,
});

const offers = [
  offerOf('quarter', 1n, {
    type: 'percentage',
    percentage: 2_500,
    durationCycles: 2,
    durationInterval: null,
  }),
  offerOf('hundred', 2n, {
    type: 'percentage',
    percentage: 10_000,
    durationCycles: 1,
    durationInterval: null,
  }),
  offerOf('weekly', 4n, {
    type: 'fixed_price',
    prices: [{ currency: 'usd', amount: 300 }],
    durationCycles: 3,
    durationInterval: 'weekly',
  }),
  offerOf('fiver', 3n, {
    type: 'fixed_price',
    prices: [{ currency: 'usd', amount: 500 }],
    durationCycles: 3,
    durationInterval: null,
  }),
];

const pack: CreditPackRow = {
  id: 'pack',
  name: 'Small',
  credits: 250n,
  asset: 'credits',
  priceMinor: 1_900n,
  isActive: true,
  validDays: null,
  refundTakesBack: false,
  deletedAt: null,
};

/** Way to advance time: in a single step, day by day, or deadline by deadline with reloaded rows. */
export type Pace = 'whole' | 'days' | 'steps';

/** Merges changes into a table's rows. */
function rowsAfter<T extends { readonly id: string }>(
  rows: readonly T[],
  changes: RowChanges<T>,
): readonly T[] {
  const known = new Set(rows.map(({ id }) => id));
  return [
    ...rows.map((row) => changes.get(row.id)?.row ?? row),
    ...[...changes.values()].flatMap(({ row }) => (known.has(row.id) ? [] : [row])),
  ];
}

/** A customer with all rows ever stored for it. */
export class Core {
  now = new Date('2027-01-31T10:00:00.000Z');
  readonly start = this.now;
  readonly ledger: LedgerTransferRow[] = [];
  readonly lines: InvoiceLineRow[] = [];
  readonly mrr: MrrEntryRow[] = [];
  /** Number of active subscriptions, calculated from the changes in all decisions. */
  active = 0;
  readonly entries: ConsumptionEntryRow[] = [];
  readonly events: string[] = [];
  readonly outcomes: string[] = [];
  readonly invoices = new Map<string, InvoiceRow>();
  readonly #pace: Pace;
  readonly #gateways: Gateways;
  protected readonly seqs = memorySeqs();
  readonly #tools: DecisionDeps;
  #given: Aggregate;
  #ids = 0;

  constructor(pace: Pace, customerId = 'cus_1', catalog = lawCatalog(), gateways = sandboxGateways) {
    this.#pace = pace;
    this.#gateways = gateways;
    this.#tools = { newId: (prefix) => `${prefix}_${customerId}_${++this.#ids}`, tax: computeTax };
    const { aggregate } = new World('2027-01-31T10:00:00Z', catalog, { offers, creditPacks: [pack] });
    this.#given = {
      ...aggregate,
      customer: { ...aggregate.customer, id: customerId, seq: BigInt(customerId.at(-1) ?? 1) },
    };
  }

  /** Billing state, including completed rows. */
  get aggregate(): Aggregate {
    return this.#given;
  }
  get accounts(): readonly ConsumptionAccountRow[] {
    return this.#given.accounts;
  }
  get subscription(): SubscriptionRow | undefined {
    return this.#given.subscriptions.at(-1);
  }
  get deps(): DecisionDeps {
    return this.#tools;
  }

  /** Executes a step. Skips steps that have no target, such as a refund without a payment. */
  do(step: Step): void {
    if (step.kind === 'wait') this.#wait(step.days);
    else {
      const order = this.#orderOf(step);
      // The cast is safe because `order` lacks only the command's two times, which are added here.
      if (order !== null)
        this.outcomes.push(this.execute({ ...order, dueAt: this.now, now: this.now } as Command));
    }
  }

  #orderOf(step: Exclude<Step, { kind: 'wait' }>): object | null {
    const method = (card: number) =>
      vaultCard(
        { number: choose(lawCards, card), expMonth: 12, expYear: 2099, cvc: '123' },
        new Date('2027-01-01T00:00:00Z'),
      );
    if (step.kind === 'create') {
      const planId = choose(plans, step.plan);
      const selection: CreateSelection = {
        planId,
        ...(step.offer === null || planId === 'free' ? {} : { offerId: choose(offers, step.offer).id }),
        ...(step.seats > 0 && ['weekly', 'monthly', 'trial', 'yearly'].includes(planId)
          ? { initialSeats: { editors: step.seats } }
          : {}),
      };
      return { kind: 'subscription.create', selection };
    }
    if (step.kind === 'seats') {
      const change = {
        eventId: this.#tools.newId('cev'),
        featureCode: 'editors',
        op: step.op,
        count: BigInt(step.count),
      };
      return { kind: 'counts.change', type: 'seats', changes: [change] };
    }
    if (step.kind === 'credit') {
      const credit = {
        creditId: this.#tools.newId('crd'),
        amountMinor: BigInt(step.amount),
        currency: 'usd',
      };
      return { kind: 'credit.grant', ...credit, source: 'manual', reason: 'Sorry.', expiresAt: null };
    }
    if (step.kind === 'mark') {
      const open = this.#given.invoices.find(({ status }) => status === 'outstanding');
      return open === undefined ? null : { kind: 'invoice.mark', invoiceId: open.id, status: step.status };
    }
    if (step.kind === 'refund') {
      const settled = this.#given.transactions.findLast(({ status }) => status === 'succeeded');
      if (settled === undefined) return null;
      return {
        kind: 'transaction.refund',
        transactionId: settled.id,
        refundId: this.#tools.newId('ref'),
        amountMinor: null,
        reason: null,
      };
    }
    const { subscription } = this;
    if (subscription === undefined) return null;
    const about = { subscriptionId: subscription.id };
    const offerIdOf = (offer: number | null): string | null =>
      offer === null ? null : choose(offers, offer).id;
    const abandoned = subscription.pendingCheckout?.attemptId ?? null;
    if (step.kind === 'pay') return { kind: 'checkout.pay', ...about, method: method(step.card), abandoned };
    if (step.kind === 'method') return { kind: 'method.update', ...about, method: method(step.card) };
    if (step.kind === 'cancel')
      return { kind: 'subscription.cancel', ...about, reason: null, immediate: step.immediate };
    if (step.kind === 'uncancel') return { kind: 'subscription.uncancel', ...about };
    if (step.kind === 'reactivate')
      return { kind: 'subscription.reactivate', ...about, offerId: offerIdOf(step.offer) };
    if (step.kind === 'offer')
      return { kind: 'offer.apply', ...about, offerId: offerIdOf(step.offer), expiresAt: null };
    if (step.kind === 'change') {
      const request = {
        newPlanId: choose(plans, step.plan),
        newBillingInterval: null,
        offerId: offerIdOf(step.offer),
        isPortal: false,
      };
      return { kind: 'subscription.change_plan', ...about, request, successUrl: null };
    }
    if (step.kind === 'withdraw') return { kind: 'subscription.revoke_change', ...about };
    if (step.kind === 'grant') {
      const term = { duration: 'cycles', durationCycles: step.cycles, requestedExpiresAt: null };
      const planId = step.plan % 2 === 0 ? 'plainer' : choose(plans, step.plan);
      const grant = { grantId: this.#tools.newId('grt'), planId, reason: 'Fair.', source: 'api' };
      return { kind: 'grant.create', ...about, ...term, ...grant };
    }
    if (step.kind === 'grantEnd') {
      const active = this.#given.grants.find(({ status }) => status === 'active');
      return active === undefined
        ? null
        : { kind: 'grant.revoke', grantId: active.id, reason: 'Over.', source: 'api' };
    }
    if (step.kind === 'offerRemove') return { kind: 'offer.remove', ...about };
    if (step.kind === 'addonOn') return { kind: 'addon.activate', ...about, addonId: 'addon' };
    if (step.kind === 'addonOff') return { kind: 'addon.deactivate', ...about, addonId: 'addon' };
    if (step.kind === 'pack') return { kind: 'credits.purchase', ...about, creditPackId: 'pack' };
    return { kind: 'balance.topup', ...about, amountMinor: BigInt(step.amount) };
  }

  /** Executes a command with its charges. Returns its outcome as text. */
  protected execute(command: Command): string {
    const { changes, finalOutcome, aggregate } = decideAndCharge(
      this.#gateways,
      this.aggregate,
      command,
      this.#tools,
    );
    this.store(changes, aggregate);
    return outcomeText(command.kind, finalOutcome);
  }

  #wait(days: number): void {
    const target = new Date(this.now.getTime() + days * dayMs);
    if (this.#pace === 'days')
      for (let day = 1; day <= days; day++) this.#advance(new Date(this.now.getTime() + dayMs));
    else this.#advance(target);
    this.now = target;
  }

  #advance(until: Date): void {
    const options: { -readonly [K in keyof SimulationOptions]: SimulationOptions[K] } = {
      from: this.now,
      until,
      gateways: this.#gateways,
      deps: this.#tools,
    };
    for (let isOver = false; !isOver; ) {
      isOver = true;
      for (const step of timeline([this.aggregate], options)) {
        this.outcomes.push(
          `${step.deadline.kind} ${step.now.toISOString()} ${step.status} ${step.item?.outcome} ${step.error}`,
        );
        if (step.thrown !== null) throw step.thrown;
        // A failed deadline is retried in the next run, so the result would depend on how long the runs are. With these plans, no deadline
        // can fail.
        if (step.status === 'failed') throw new Error(`${step.deadline.id} failed: ${step.error}`);
        if (step.changes !== null) this.store(step.changes, step.aggregate);
        else this.#given = { ...this.#given, deadlines: step.aggregate.deadlines };
        if (this.#pace !== 'steps') continue;
        options.from = step.now;
        isOver = false;
        break;
      }
    }
    this.now = until;
  }

  /** Replaces the billing state. */
  protected replace(aggregate: Aggregate): void {
    this.#given = aggregate;
  }

  /** Stores the changes of a decision. */
  protected store(changes: ChangeSet, next: Aggregate): void {
    const provided: PerTable<LoadedTable, 'rows'> = this.#given;
    const changed: PerTable<LoadedTable, 'changes'> = changes;
    const isCleared = ({ invoiceId }: { readonly invoiceId: string }): boolean =>
      changes.clearedInvoices.includes(invoiceId);
    const creditUses = this.#given.creditUses.filter((use) => !isCleared(use));
    this.#given = stored(
      {
        ...this.#given,
        ...perTable<LoadedTable, 'rows'>(loadedTables, (table) => rowsAfter(provided[table], changed[table])),
        customer: next.customer,
        creditUses: [
          ...creditUses,
          ...next.creditUses.filter(
            (use) => !creditUses.includes(use) && !this.#given.creditUses.includes(use),
          ),
        ],
        deadlines: next.deadlines,
      },
      this.seqs,
    );
    for (const [id, { row }] of changes.invoices) this.invoices.set(id, row);
    this.ledger.push(...changes.ledger);
    this.lines.splice(0, Infinity, ...this.lines.filter((line) => !isCleared(line)), ...changes.lines);
    this.mrr.push(...changes.mrrEntries);
    this.active += changes.activated;
    this.entries.push(...changes.entries);
    this.events.push(...changes.events.map(({ kind, occurredAt }) => `${occurredAt.toISOString()} ${kind}`));
  }
}

const outcomeText = (kind: string, outcome: Outcome): string =>
  outcome.kind === 'rejection'
    ? `${kind} ${outcome.code}`
    : outcome.kind === 'ok'
      ? `${kind} ${outcome.status}`
      : kind;
