// The tables a decision writes. Aggregate, change set, draft and everything the engine does with them derive
// from this list; how each is stored and read stands in `src/engine/tables.ts`, which the compiler keeps
// complete.
import type { PaymentRow } from '../../payments/rows.ts';
import type {
  ConsumptionAccountRow,
  ConsumptionEntryRow,
  CountEventRow,
  FeatureCountRow,
  UsageAdjustmentRow,
  UsageCounterRow,
} from '../../usage/rows.ts';
import type { PlanGrantRow } from './grant-rows.ts';
import type {
  AddonActivationRow,
  CustomerCreditRow,
  CustomerRow,
  InvoiceLineRow,
  InvoiceRow,
  LedgerTransferRow,
  MrrEntryRow,
  OfferApplicationRow,
  PaymentMethodRow,
  PromoRedemptionRow,
  RefundRow,
  SubscriptionRow,
  TransactionRow,
} from './rows.ts';

type StoredRow = { readonly id: string; readonly seq: bigint | null };

/** `row` exists for the compiler only. */
type Table<Kind extends string, T> = { readonly kind: Kind; readonly row?: T };

/** Rows are read, added and replaced; each new one gets a seq. */
const changing = <T extends StoredRow>(): Table<'changing', T> => ({ kind: 'changing' });

/** Rows are only added; each gets a seq. */
const appended = <T extends StoredRow>(): Table<'appended', T> => ({ kind: 'appended' });

/** Rows are only added, as parts of another row, which has the seq. */
const part = <T extends { readonly id: string }>(): Table<'part', T> => ({ kind: 'part' });

/** The tables of the aggregate, in the order in which the rows of a decision get their seq. */
export const tables = {
  customers: changing<CustomerRow>(),
  subscriptions: changing<SubscriptionRow>(),
  invoices: changing<InvoiceRow>(),
  /** Lines of new invoices, in order. */
  lines: part<InvoiceLineRow>(),
  paymentMethods: changing<PaymentMethodRow>(),
  payments: changing<PaymentRow>(),
  transactions: changing<TransactionRow>(),
  refunds: changing<RefundRow>(),
  offerApplications: changing<OfferApplicationRow>(),
  addons: changing<AddonActivationRow>(),
  grants: changing<PlanGrantRow>(),
  credits: changing<CustomerCreditRow>(),
  /** New ones only; each counts on its promo code. */
  redemptions: changing<PromoRedemptionRow>(),
  ledger: appended<LedgerTransferRow>(),
  accounts: changing<ConsumptionAccountRow>(),
  counters: changing<UsageCounterRow>(),
  counts: changing<FeatureCountRow>(),
  /** Movements of the pools, in order. */
  entries: appended<ConsumptionEntryRow>(),
  /** Changes of the counts of seats and quota, in order. */
  countEvents: appended<CountEventRow>(),
  /** Changes of monthly recurring revenue, one per subscription. */
  mrrEntries: appended<MrrEntryRow>(),
  /** Totals a window begins with. */
  usageAdjustments: appended<UsageAdjustmentRow>(),
} as const;

type Tables = typeof tables;
type NameOf<Kind> = {
  [T in keyof Tables]: Tables[T]['kind'] extends Kind ? T : never;
}[keyof Tables];

export type TableName = keyof Tables;
/** Tables whose rows are added and replaced. */
export type ChangingTable = NameOf<'changing'>;
/** Tables whose rows are only added. */
export type AppendedTable = NameOf<'appended' | 'part'>;
/** Tables the aggregate has a list of; its customer stands alone. */
export type LoadedTable = Exclude<ChangingTable, 'customers'>;
/** The row of a table. */
export type RowOf<T extends TableName> = NonNullable<Tables[T]['row']>;

const isChanging = (name: TableName): name is ChangingTable => tables[name].kind === 'changing';

// `Object.keys` answers text; these are the keys written above.
export const tableNames = Object.keys(tables) as readonly TableName[];
export const changingTables: readonly ChangingTable[] = tableNames.filter(isChanging);
export const appendedTables: readonly AppendedTable[] = tableNames.filter(
  (name): name is AppendedTable => !isChanging(name),
);
export const loadedTables: readonly LoadedTable[] = changingTables.filter((name) => name !== 'customers');

/** A full row to write; `new` rows are inserted, `changed` ones updated. */
export type RowChange<T> = { readonly flag: 'new' | 'changed'; readonly row: T };

/** Rows to write by id. */
export type RowChanges<T> = ReadonlyMap<string, RowChange<T>>;

/** What can stand for a table. */
type Forms<T extends TableName> = {
  readonly rows: readonly RowOf<T>[];
  readonly changes: RowChanges<RowOf<T>>;
};

/** One value per table. */
export type PerTable<N extends TableName, Form extends keyof Forms<N>> = {
  readonly [T in N]: Forms<T>[Form];
};

/** Makes an object with one value per table. */
export function perTable<N extends TableName, Form extends keyof Forms<N>>(
  names: readonly N[],
  valueFor: <T extends N>(name: T) => Forms<T>[Form],
): PerTable<N, Form> {
  const values: { [name: string]: unknown } = {};
  for (const name of names) values[name] = valueFor(name);
  // Each key has been given the value of its own type; the compiler does not follow a loop that far.
  return values as PerTable<N, Form>;
}
