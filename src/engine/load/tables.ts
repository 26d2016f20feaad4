// Storage definition of the billing aggregate: one entry per table that decisions write or load. The code
// that loads, numbers, writes, and reloads rows uses this list. The compiler reports missing tables and
// fields.
import type { Aggregate } from '../../domain/subscription/state/aggregate.ts';
import { type TableName, tableNames } from '../../domain/subscription/state/tables.ts';
import type { BulkRow } from '../../platform/db/bulk.ts';
import type { ModelName } from '../../platform/db/rows.ts';
import type { WrittenRow } from '../effects/number.ts';
import {
  type Share,
  toAll,
  toCustomer,
  toInvoice,
  toPayer,
  toSubscription,
  toSubscriptionBy,
} from '../share.ts';
import { loadActivations } from './addons.ts';
import type { FieldName, LoadBatch } from './batch.ts';
import { loadBatchCatalog } from './batch-catalog.ts';
import { loadCells } from './cells.ts';
import { loadCounters, loadCounts, loadDraws, loadLots, lockAccounts } from './consumption.ts';
import { loadGrants } from './grants.ts';
import { loadCreditUses, loadInvoices } from './invoices.ts';
import { loadLevelLimits, shareLevelLimits } from './level-limits.ts';
import { loadLevels } from './levels.ts';
import { loadMeasured } from './measured.ts';
import { loadOffering } from './offering.ts';
import { loadPayments, sharePayments } from './payments.ts';
import {
  activeGrants,
  billableAddons,
  deficitDraws,
  inWindow,
  markedTopUps,
  ofSubscriptions,
  openAccounts,
  openCreditUses,
  openInvoices,
  openLots,
  openReceipts,
  openRefunds,
  openTransactions,
  reachable,
  recentAttempts,
} from './reload-filters.ts';
import { loadEnvironment, loadTaxRegistrations, loadTrials } from './seller.ts';
import { loadApplications, loadDeadlines, loadSubscriptions } from './subscriptions.ts';
import { loadNamedPacks, loadTopUpAttempts, loadTopUps } from './topups.ts';
import { loadMandates, loadMethods, loadReceipts, loadRefunds, loadTransactions } from './transactions.ts';

/** Settings for writing a table. */
type Written<T extends TableName> = {
  /** Database model that the rows match. */
  readonly model: { [M in ModelName]: WrittenRow<T> extends BulkRow<M> ? M : never }[ModelName];
  /** Tables with lower numbers are written first, so that foreign keys are satisfied. */
  readonly writeOrder: number;
  /**
   * Changed rows are written before new rows by default, because they can release a unique value. `true`
   * reverses the order.
   */
  readonly addsFirst?: true;
};

/** Settings for loading a field of the aggregate. */
export type Field<V> = {
  /** Loads the field for all customers in a batch with a constant number of SQL statements. */
  readonly read: (batch: LoadBatch) => Promise<V>;
  /** Returns each customer's share of the loaded rows. */
  readonly share: (value: V, batch: LoadBatch) => Share<V>;
  /**
   * Returns the rows that would be found if the field were loaded again at the given time. Absent if all rows
   * would be found.
   */
  readonly keep?: (value: V, aggregate: Aggregate, at: Date) => V;
};

type Entry<N extends FieldName | TableName> = (N extends TableName ? Written<N> : unknown) &
  (N extends FieldName ? Field<Aggregate[N]> : unknown);

/** Storage definitions, listed in loading order because a field can depend on the fields before it. */
export const storedTables = {
  customers: { model: 'Customer', writeOrder: 10, addsFirst: true },
  /** Subscriptions that aren't canceled, and subscriptions that commands reference. */
  subscriptions: {
    model: 'Subscription',
    writeOrder: 30,
    read: loadSubscriptions,
    share: toCustomer,
    keep: reachable,
  },
  /** Refunds without a final result from their provider. */
  refunds: { model: 'Refund', writeOrder: 120, read: loadRefunds, share: toCustomer, keep: openRefunds },
  /** Draft and outstanding invoices, referenced invoices, and invoices to credit. */
  invoices: { model: 'Invoice', writeOrder: 40, read: loadInvoices, share: toCustomer, keep: openInvoices },
  /** Pending attempts, attempts with an open dispute, and attempts of the loaded invoices. */
  transactions: {
    model: 'Transaction',
    writeOrder: 110,
    read: loadTransactions,
    share: toCustomer,
    keep: openTransactions,
  },
  /** Receipts with money on account, receipts that paid parts of the loaded invoices, and referenced receipts. */
  receipts: { model: 'Receipt', writeOrder: 105, read: loadReceipts, share: toPayer, keep: openReceipts },
  /** Referenced one-time payments, and payments of referenced attempts. Empty if the commands reference no payments or attempts. */
  payments: { model: 'Payment', writeOrder: 50, read: loadPayments, share: sharePayments },
  creditUses: { read: loadCreditUses, share: toInvoice, keep: openCreditUses },
  paymentMethods: {
    model: 'PaymentMethod',
    writeOrder: 20,
    addsFirst: true,
    read: loadMethods,
    share: toCustomer,
  },
  /** Mandates of the customers' payment methods. */
  mandates: { model: 'Mandate', writeOrder: 25, addsFirst: true, read: loadMandates, share: toCustomer },
  offerApplications: {
    model: 'OfferApplication',
    writeOrder: 130,
    read: loadApplications,
    share: toSubscription,
    keep: ofSubscriptions,
  },
  deadlines: { read: loadDeadlines, share: toCustomer },
  /** Active add-ons, and add-ons that ended or were still paid in the current billing period. */
  addons: {
    model: 'AddonActivation',
    writeOrder: 60,
    read: async (batch) => loadActivations(batch.ctx, await batch.ids('subscriptions')),
    share: toSubscription,
    keep: billableAddons,
  },
  catalog: { read: loadBatchCatalog, share: toAll },
  grants: { model: 'PlanGrant', writeOrder: 70, read: loadGrants, share: toSubscription, keep: activeGrants },
  offers: { read: async (batch) => (await loadOffering(batch)).offers, share: toAll },
  promoCodes: { read: async (batch) => (await loadOffering(batch)).promoCodes, share: toAll },
  cardPromotions: { read: async (batch) => (await loadOffering(batch)).cardPromotions, share: toAll },
  /** Redemptions of the loaded promo codes. */
  redemptions: {
    model: 'PromoRedemption',
    writeOrder: 140,
    read: async (batch) => (await loadOffering(batch)).redemptions,
    share: toCustomer,
  },
  accounts: {
    model: 'ConsumptionAccount',
    writeOrder: 160,
    read: lockAccounts,
    share: toSubscriptionBy('id'),
    keep: openAccounts,
  },
  /** Automatic top-ups of customers with a topped up account, and of referenced subscriptions. */
  topUps: { model: 'AutoTopUp', writeOrder: 162, read: loadTopUps, share: toCustomer, keep: markedTopUps },
  /** Recent purchases of the loaded top-ups. */
  topUpAttempts: {
    model: 'AutoTopUpAttempt',
    writeOrder: 164,
    read: loadTopUpAttempts,
    share: toCustomer,
    keep: recentAttempts,
  },
  creditPacks: { read: loadNamedPacks, share: toAll },
  levelLimits: { read: loadLevelLimits, share: shareLevelLimits },
  /** Open lots of the accounts and the customers, credits used by the loaded invoices, and referenced credits. */
  lots: { model: 'Lot', writeOrder: 80, read: loadLots, share: toCustomer, keep: openLots },
  /** Usage counters for all usage windows. */
  counters: {
    model: 'UsageCounter',
    writeOrder: 170,
    read: loadCounters,
    share: toSubscription,
    keep: ofSubscriptions,
  },
  /** Totals by dimension values of the current usage windows. */
  cells: { model: 'UsageCell', writeOrder: 175, read: loadCells, share: toSubscription, keep: inWindow },
  counts: { model: 'FeatureCount', writeOrder: 180, read: loadCounts, share: toCustomer },
  draws: { read: loadDraws, share: toSubscription, keep: deficitDraws },
  /** Events of current windows whose totals are known only at their end. */
  measured: { read: loadMeasured, share: toSubscription, keep: inWindow },
  /** Levels that the customers hold. */
  levels: { read: loadLevels, share: toCustomer },
  environment: { read: loadEnvironment, share: toAll },
  taxRegistrations: { read: loadTaxRegistrations, share: toAll },
  trials: { read: loadTrials, share: toCustomer },
  lines: { model: 'InvoiceLine', writeOrder: 90 },
  creditNotes: { model: 'CreditNote', writeOrder: 125 },
  ledger: { model: 'LedgerTransfer', writeOrder: 150 },
  entries: { model: 'ConsumptionEntry', writeOrder: 190 },
  countEvents: { model: 'CountEvent', writeOrder: 200 },
  usageAdjustments: { model: 'UsageAdjustment', writeOrder: 210 },
  usagePriceChanges: { model: 'UsagePriceChange', writeOrder: 215 },
  endedUsage: { model: 'EndedUsage', writeOrder: 215 },
  mrrEntries: { model: 'MrrEntry', writeOrder: 220 },
  limitCrossings: { model: 'LimitCrossing', writeOrder: 230 },
} satisfies { readonly [N in FieldName | TableName]: Entry<N> };

export const fieldNames: readonly FieldName[] = Object.keys(storedTables).filter(
  (name): name is FieldName => 'read' in storedTables[name as keyof typeof storedTables],
);

/** Tables in the order in which they're written. */
export const writtenTables: readonly TableName[] = tableNames.toSorted(
  (a, b) => storedTables[a].writeOrder - storedTables[b].writeOrder,
);
