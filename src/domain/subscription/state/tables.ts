// Tables that decisions write. The types of the aggregate, change set, draft, and engine storage are derived from this list.
// `src/engine/load/tables.ts` defines how each table is stored and loaded; the compiler checks that no table is missing.

import type { LimitCrossingRow } from '../../limits/limit.ts';
import type { EndedUsageRow } from '../../rows/ended-usage.ts';
import type { PlanGrantRow } from '../../rows/grant-rows.ts';
import type { PaymentRow } from '../../rows/payment-rows.ts';
import type { UsagePriceChangeRow } from '../../rows/price-change-row.ts';
import type {
  AddonActivationRow,
  CreditNoteRow,
  CustomerRow,
  InvoiceLineRow,
  InvoiceRow,
  LedgerTransferRow,
  MandateRow,
  MrrEntryRow,
  OfferApplicationRow,
  PaymentMethodRow,
  PromoRedemptionRow,
  ReceiptRow,
  RefundRow,
  SubscriptionRow,
  TransactionRow,
} from '../../rows/rows.ts';
import type { AutoTopUpAttemptRow, AutoTopUpRow } from '../../rows/topup-rows.ts';
import type {
  ConsumptionAccountRow,
  ConsumptionEntryRow,
  CountEventRow,
  FeatureCountRow,
  LotRow,
  UsageAdjustmentRow,
  UsageCellRow,
  UsageCounterRow,
} from '../../rows/usage-rows.ts';

type StoredRow = { readonly id: string; readonly seq: bigint | null };

/** Table definition. `row` exists only to infer the type of the table's rows. */
type Table<Kind extends string, T> = { readonly kind: Kind; readonly row?: T };

/** Defines a table whose rows are added and updated. Each new row gets a `seq`. */
const changing = <T extends StoredRow>(): Table<'changing', T> => ({ kind: 'changing' });

/** Defines an append-only table. Each row gets a `seq`. */
const appended = <T extends StoredRow>(): Table<'appended', T> => ({ kind: 'appended' });

/**
 * Defines an append-only table without its own `seq`. Each row belongs to a row in another table, which has the
 * `seq`.
 */
const part = <T extends { readonly id: string }>(): Table<'part', T> => ({ kind: 'part' });

/** Tables in the aggregate. New rows get their `seq` in this order. */
export const tables = {
  customers: changing<CustomerRow>(),
  subscriptions: changing<SubscriptionRow>(),
  invoices: changing<InvoiceRow>(),
  creditNotes: appended<CreditNoteRow>(),
  /** Lines of new invoices, in order. */
  lines: part<InvoiceLineRow>(),
  paymentMethods: changing<PaymentMethodRow>(),
  mandates: changing<MandateRow>(),
  payments: changing<PaymentRow>(),
  receipts: changing<ReceiptRow>(),
  transactions: changing<TransactionRow>(),
  refunds: changing<RefundRow>(),
  offerApplications: changing<OfferApplicationRow>(),
  addons: changing<AddonActivationRow>(),
  grants: changing<PlanGrantRow>(),
  /** New redemptions only. Each redemption counts toward the limit of its promo code. */
  redemptions: changing<PromoRedemptionRow>(),
  ledger: appended<LedgerTransferRow>(),
  accounts: changing<ConsumptionAccountRow>(),
  lots: changing<LotRow>(),
  topUps: changing<AutoTopUpRow>(),
  topUpAttempts: changing<AutoTopUpAttemptRow>(),
  counters: changing<UsageCounterRow>(),
  cells: changing<UsageCellRow>(),
  counts: changing<FeatureCountRow>(),
  /** Crossings of limits by balance transactions. */
  limitCrossings: appended<LimitCrossingRow>(),
  /** Balance transactions, in order. */
  entries: appended<ConsumptionEntryRow>(),
  /** Changes in seat and quota counts, in order. */
  countEvents: appended<CountEventRow>(),
  /** Changes in monthly recurring revenue, at most one per subscription. */
  mrrEntries: appended<MrrEntryRow>(),
  /** Usage of ended usage windows. */
  endedUsage: appended<EndedUsageRow>(),
  /** Initial usage totals of a new usage window. */
  usageAdjustments: appended<UsageAdjustmentRow>(),
  /** Differences between recorded and final prices of ended usage windows. */
  usagePriceChanges: appended<UsagePriceChangeRow>(),
} as const;

type Tables = typeof tables;
type NameOf<Kind> = {
  [T in keyof Tables]: Tables[T]['kind'] extends Kind ? T : never;
}[keyof Tables];

export type TableName = keyof Tables;
/** Tables whose rows are added and updated. */
export type ChangingTable = NameOf<'changing'>;
/** Append-only tables. */
export type AppendedTable = NameOf<'appended' | 'part'>;
/** Tables that are lists in the aggregate. The customer isn't included, because it's a single row. */
export type LoadedTable = Exclude<ChangingTable, 'customers'>;
export type RowOf<T extends TableName> = NonNullable<Tables[T]['row']>;

const isChanging = (name: TableName): name is ChangingTable => tables[name].kind === 'changing';

// `Object.keys` returns `string[]`, but the object has exactly these keys.
export const tableNames = Object.keys(tables) as readonly TableName[];
export const changingTables: readonly ChangingTable[] = tableNames.filter(isChanging);
export const appendedTables: readonly AppendedTable[] = tableNames.filter(
  (name): name is AppendedTable => !isChanging(name),
);
export const loadedTables: readonly LoadedTable[] = changingTables.filter((name) => name !== 'customers');

/** Row to write. `new` rows are inserted and `changed` rows are updated. */
export type RowChange<T> = { readonly flag: 'new' | 'changed'; readonly row: T };

export type RowChanges<T> = ReadonlyMap<string, RowChange<T>>;

/** Types of a table's rows in the aggregate and in a change set. */
type Forms<T extends TableName> = {
  readonly rows: readonly RowOf<T>[];
  readonly changes: RowChanges<RowOf<T>>;
};

export type PerTable<N extends TableName, Form extends keyof Forms<N>> = {
  readonly [T in N]: Forms<T>[Form];
};

export function perTable<N extends TableName, Form extends keyof Forms<N>>(
  names: readonly N[],
  valueFor: <T extends N>(name: T) => Forms<T>[Form],
): PerTable<N, Form> {
  const values: { [name: string]: unknown } = {};
  for (const name of names) values[name] = valueFor(name);
  // The compiler can't infer that each value has the type of its key.
  return values as PerTable<N, Form>;
}
