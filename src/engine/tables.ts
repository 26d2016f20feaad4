// The billing aggregate in the database: one entry for each table that decisions write, and for each field that is read for them. Loading,
// numbering, writing and reading again in memory follow it; the compiler rejects a table or field without an entry.
import type { Aggregate } from '../domain/subscription/state/aggregate.ts';
import { type TableName, tableNames } from '../domain/subscription/state/tables.ts';
import type { BulkRow } from '../platform/db/bulk.ts';
import type { ModelName } from '../platform/db/rows.ts';
import {
  activeGrants,
  billableAddons,
  deficitDraws,
  ofSubscriptions,
  openAccounts,
  openCreditUses,
  openInvoices,
  openRefunds,
  openTransactions,
  reachable,
  usableCredits,
} from './keep.ts';
import { loadActivations } from './load-addons.ts';
import type { FieldName, LoadBatch } from './load-batch.ts';
import { loadBatchCatalog } from './load-batch-catalog.ts';
import { loadCreditPacks } from './load-catalog.ts';
import { loadCounters, loadCounts, loadDraws, lockAccounts } from './load-consumption.ts';
import { loadGrants } from './load-grants.ts';
import { loadCredits, loadCreditUses, loadInvoices } from './load-invoices.ts';
import { loadOffering } from './load-offering.ts';
import { loadPayments, sharePayments } from './load-payments.ts';
import { loadEnvironment, loadTaxRegistrations } from './load-seller.ts';
import { loadApplications, loadDeadlines, loadSubscriptions } from './load-subscriptions.ts';
import { loadMethods, loadRefunds, loadTransactions } from './load-transactions.ts';
import type { WrittenRow } from './number.ts';
import { type Share, toAll, toCustomer, toInvoice, toSubscription, toSubscriptionBy } from './share.ts';

/** How rows of a table are written. */
type Written<T extends TableName> = {
  /** The model whose columns the rows fill. */
  readonly model: { [M in ModelName]: WrittenRow<T> extends BulkRow<M> ? M : never }[ModelName];
  /** Lower ones first: rows before those that refer to them. */
  readonly writeOrder: number;
  /** Changed rows are written before new ones, since they may make room in a unique index; true where it is the other way. */
  readonly addsFirst?: true;
};

/** How a field of the aggregate is read. */
export type Field<V> = {
  /** Reads it for all customers of a batch, in one statement or a few. */
  readonly read: (batch: LoadBatch) => Promise<V>;
  /** Hands it to each customer. */
  readonly share: (value: V, batch: LoadBatch) => Share<V>;
  /** What reading it again at an instant would find of it; all where it is left out. */
  readonly keep?: (value: V, aggregate: Aggregate, at: Date) => V;
};

type Entry<N extends FieldName | TableName> = (N extends TableName ? Written<N> : unknown) &
  (N extends FieldName ? Field<Aggregate[N]> : unknown);

/** The entries in the order in which they are read: a field needs only those before it. */
export const storedTables = {
  customers: { model: 'Customer', writeOrder: 10, addsFirst: true },
  /** All that are not canceled, and those addressed. */
  subscriptions: {
    model: 'Subscription',
    writeOrder: 30,
    read: loadSubscriptions,
    share: toCustomer,
    keep: reachable,
  },
  /** Those a gateway has not answered finally. */
  refunds: { model: 'Refund', writeOrder: 120, read: loadRefunds, share: toCustomer, keep: openRefunds },
  /** Draft and outstanding ones, those addressed, and those a credit note corrects with the credit notes they have. */
  invoices: { model: 'Invoice', writeOrder: 40, read: loadInvoices, share: toCustomer, keep: openInvoices },
  /** Pending ones, those in an open dispute, and those of the invoices. */
  transactions: {
    model: 'Transaction',
    writeOrder: 110,
    read: loadTransactions,
    share: toCustomer,
    keep: openTransactions,
  },
  /** The one-time payments named, and those the attempts named are of; empty for other commands. */
  payments: { model: 'Payment', writeOrder: 50, read: loadPayments, share: sharePayments },
  creditUses: { read: loadCreditUses, share: toInvoice, keep: openCreditUses },
  /** Those that can still be used, those the invoices took from, and those addressed. */
  credits: {
    model: 'CustomerCredit',
    writeOrder: 80,
    read: loadCredits,
    share: toCustomer,
    keep: usableCredits,
  },
  paymentMethods: {
    model: 'PaymentMethod',
    writeOrder: 20,
    addsFirst: true,
    read: loadMethods,
    share: toCustomer,
  },
  offerApplications: {
    model: 'OfferApplication',
    writeOrder: 130,
    read: loadApplications,
    share: toSubscription,
    keep: ofSubscriptions,
  },
  deadlines: { read: loadDeadlines, share: toCustomer },
  /** Those active, and those that ended in the open billing period. */
  addons: {
    model: 'AddonActivation',
    writeOrder: 60,
    read: async (batch) => loadActivations(batch.ctx, await batch.ids('subscriptions')),
    share: toSubscription,
    keep: billableAddons,
  },
  catalog: { read: loadBatchCatalog, share: toAll },
  /** Active ones. */
  grants: { model: 'PlanGrant', writeOrder: 70, read: loadGrants, share: toSubscription, keep: activeGrants },
  offers: { read: async (batch) => (await loadOffering(batch)).offers, share: toAll },
  promoCodes: { read: async (batch) => (await loadOffering(batch)).promoCodes, share: toAll },
  cardPromotions: { read: async (batch) => (await loadOffering(batch)).cardPromotions, share: toAll },
  /** Of the promo codes above. */
  redemptions: {
    model: 'PromoRedemption',
    writeOrder: 140,
    read: async (batch) => (await loadOffering(batch)).redemptions,
    share: toCustomer,
  },
  creditPacks: { read: ({ ctx, named }) => loadCreditPacks(ctx, named.creditPacks), share: toAll },
  accounts: {
    model: 'ConsumptionAccount',
    writeOrder: 160,
    read: lockAccounts,
    share: toSubscriptionBy('id'),
    keep: openAccounts,
  },
  /** Of whatever window. */
  counters: {
    model: 'UsageCounter',
    writeOrder: 170,
    read: loadCounters,
    share: toSubscription,
    keep: ofSubscriptions,
  },
  counts: { model: 'FeatureCount', writeOrder: 180, read: loadCounts, share: toCustomer },
  draws: { read: loadDraws, share: toSubscription, keep: deficitDraws },
  environment: { read: loadEnvironment, share: toAll },
  taxRegistrations: { read: loadTaxRegistrations, share: toAll },
  lines: { model: 'InvoiceLine', writeOrder: 90 },
  ledger: { model: 'LedgerTransfer', writeOrder: 150 },
  entries: { model: 'ConsumptionEntry', writeOrder: 190 },
  countEvents: { model: 'CountEvent', writeOrder: 200 },
  usageAdjustments: { model: 'UsageAdjustment', writeOrder: 210 },
  mrrEntries: { model: 'MrrEntry', writeOrder: 220 },
} satisfies { readonly [N in FieldName | TableName]: Entry<N> };

/** The fields of the aggregate in the order in which they are read. */
export const fieldNames: readonly FieldName[] = Object.keys(storedTables).filter(
  (name): name is FieldName => 'read' in storedTables[name as keyof typeof storedTables],
);

/** The tables in the order in which they are written. */
export const writtenTables: readonly TableName[] = tableNames.toSorted(
  (a, b) => storedTables[a].writeOrder - storedTables[b].writeOrder,
);
