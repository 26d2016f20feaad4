import type {
  ConsumptionAccountRow,
  ConsumptionEntryRow,
  CountEventRow,
  FeatureCountRow,
  UsageAdjustmentRow,
  UsageCounterRow,
} from '../domain/consumption/rows.ts';
import type { PaymentRow } from '../domain/payment/rows.ts';
import type {
  AddonActivationRow,
  ChangeSet,
  CustomerCreditRow,
  CustomerRow,
  EventDraft,
  InvoiceRow,
  LedgerTransferRow,
  OfferApplicationRow,
  PaymentMethodRow,
  PlanGrantRow,
  PromoRedemptionRow,
  RefundRow,
  RowChanges,
  SubscriptionRow,
  TransactionRow,
} from '../domain/subscription/aggregate.ts';
import type { Numbers } from '../infra/outbox.ts';

type Numbered<T> = Omit<T, 'seq'> & { readonly seq: bigint };

/** Rows of one kind, ready to be written. */
type Written<T> = { readonly added: Numbered<T>[]; readonly changed: Numbered<T>[] };

/** The numbered rows of many change sets, kind by kind, in the order of the change sets. */
export type NumberedRows = {
  readonly customers: Written<CustomerRow>;
  readonly subscriptions: Written<SubscriptionRow>;
  readonly invoices: Written<InvoiceRow & { readonly number: bigint }>;
  readonly payments: Written<PaymentRow>;
  readonly transactions: Written<TransactionRow>;
  readonly refunds: Written<RefundRow>;
  readonly paymentMethods: Written<PaymentMethodRow>;
  readonly offerApplications: Written<OfferApplicationRow>;
  readonly addons: Written<AddonActivationRow>;
  readonly grants: Written<PlanGrantRow>;
  readonly credits: Written<CustomerCreditRow>;
  readonly redemptions: Written<PromoRedemptionRow>;
  readonly ledger: Numbered<LedgerTransferRow>[];
  readonly accounts: Written<ConsumptionAccountRow>;
  readonly counters: Written<UsageCounterRow>;
  readonly counts: Written<FeatureCountRow>;
  readonly entries: Numbered<ConsumptionEntryRow>[];
  readonly countEvents: Numbered<CountEventRow>[];
  readonly usageAdjustments: Numbered<UsageAdjustmentRow>[];
};

const countNew = <T>(changes: RowChanges<T>): number => {
  let count = 0;
  for (const { flag } of changes.values()) if (flag === 'new') count++;
  return count;
};

/** How many numbers of each sort the change sets need; `events` are those that will be stored. */
export function countNumbers(sets: readonly ChangeSet[], events: readonly EventDraft[]) {
  let seq = 0;
  let invoiceNumbers = 0;
  for (const set of sets) {
    const invoices = countNew(set.invoices);
    invoiceNumbers += invoices;
    seq += invoices + countNew(set.customers) + countNew(set.subscriptions) + countNew(set.transactions);
    seq +=
      countNew(set.refunds) +
      countNew(set.paymentMethods) +
      countNew(set.offerApplications) +
      countNew(set.credits) +
      countNew(set.redemptions);
    seq += countNew(set.payments) + countNew(set.addons) + countNew(set.grants) + set.ledger.length;
    seq += countNew(set.accounts) + countNew(set.counters) + countNew(set.counts) + set.entries.length + set.countEvents.length;
    seq += set.usageAdjustments.length;
  }
  return { seq, invoiceNumbers, positions: events.length };
}

const none = <T>(): Written<T> => ({ added: [], changed: [] });

/** Gives new rows their seq and new invoices their number, subject by subject (protocols B3, BIL-27). Throws when a changed row has none. */
export function numberRows(sets: readonly ChangeSet[], numbers: Numbers): NumberedRows {
  let seq = numbers.seq;
  let invoiceNumber = numbers.invoiceNumber;
  const rows: NumberedRows = {
    customers: none(),
    subscriptions: none(),
    invoices: none(),
    payments: none(),
    transactions: none(),
    refunds: none(),
    paymentMethods: none(),
    offerApplications: none(),
    addons: none(),
    grants: none(),
    credits: none(),
    redemptions: none(),
    ledger: [],
    accounts: none(),
    counters: none(),
    counts: none(),
    entries: [],
    countEvents: [],
    usageAdjustments: [],
  };
  const take = <T extends { readonly id: string; readonly seq: bigint | null }>(changes: RowChanges<T>, into: Written<T>): void => {
    for (const { flag, row } of changes.values()) {
      if (flag === 'new') into.added.push({ ...row, seq: seq++ });
      else if (row.seq === null) throw new Error(`The changed row ${row.id} was never stored.`);
      else into.changed.push({ ...row, seq: row.seq });
    }
  };
  const takeInvoices = (changes: ChangeSet['invoices']): void => {
    for (const { flag, row } of changes.values()) {
      if (flag === 'new') rows.invoices.added.push({ ...row, seq: seq++, number: invoiceNumber++ });
      else if (row.seq === null || row.number === null) throw new Error(`The changed invoice ${row.id} was never stored.`);
      else rows.invoices.changed.push({ ...row, seq: row.seq, number: row.number });
    }
  };
  for (const set of sets) {
    take(set.customers, rows.customers);
    take(set.subscriptions, rows.subscriptions);
    takeInvoices(set.invoices);
    take(set.paymentMethods, rows.paymentMethods);
    take(set.payments, rows.payments);
    take(set.transactions, rows.transactions);
    take(set.refunds, rows.refunds);
    take(set.offerApplications, rows.offerApplications);
    take(set.addons, rows.addons);
    take(set.grants, rows.grants);
    take(set.credits, rows.credits);
    take(set.redemptions, rows.redemptions);
    for (const row of set.ledger) rows.ledger.push({ ...row, seq: seq++ });
    take(set.accounts, rows.accounts);
    take(set.counters, rows.counters);
    take(set.counts, rows.counts);
    for (const row of set.entries) rows.entries.push({ ...row, seq: seq++ });
    for (const row of set.countEvents) rows.countEvents.push({ ...row, seq: seq++ });
    for (const row of set.usageAdjustments) rows.usageAdjustments.push({ ...row, seq: seq++ });
  }
  return rows;
}
