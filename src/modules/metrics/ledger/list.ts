import { type BalanceEntryKind, balancePostings } from '../../../domain/ledger/balance-entries.ts';
import type { FilterMember } from '../../../graphql/reading/list-members.ts';
import { listOf } from '../../../graphql/reading/lists.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';
import { compares, isAmong } from '../../../platform/db/row-lists.ts';

/** Filter for transfers that debit or credit one of the accounts. */
const account: FilterMember = {
  type: ['String'],
  description: 'Debited or credited accounts to include. From 1 to 100 values.',
  rule: { minItems: 1, maxItems: 100 },
  condition: (values) => (bind) => {
    const names = `${bind(values)}::text[]`;
    return `(t."debitAccount" = ANY(${names}) OR t."creditAccount" = ANY(${names}))`;
  },
};

/**
 * Filter for transfers related to subscriptions. Finds the transfers through the subscriptions' customers.
 */
const subscriptions: FilterMember = {
  type: ['ID'],
  description: 'IDs of the subscriptions to include. From 1 to 100 values.',
  rule: { minItems: 1, maxItems: 100 },
  condition: (values) => (bind) => {
    const ids = `${bind(values)}::text[]`;
    return `(t."subscriptionId" = ANY(${ids}) AND t."customerId" = ANY(ARRAY(SELECT s."customerId" FROM "Subscription" s WHERE s."environmentId" = $1 AND s.id = ANY(${ids}))))`;
  },
};

export const transferList = listOf('LedgerTransfer', {
  name: 'LedgerTransfer',
  of: 'ledger transfers',
  filter: (f) => ({
    ids: f.ids(),
    accounts: account,
    facts: f.oneOf(
      'fact',
      'String',
      'Business facts that caused the transfers to include, such as `invoice.issued`.',
    ),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.'),
    subscriptionIds: subscriptions,
    invoiceIds: f.oneOf('invoiceId', 'ID', 'IDs of the invoices to include.'),
    transactionIds: f.oneOf('transactionId', 'ID', 'IDs of the transactions to include.'),
    currencies: f.oneOf('currency', 'String', 'Lowercase ISO 4217 codes of the currencies to include.'),
    occurredAt: f.instants('occurredAt', 'Time at which the transfer was posted.'),
  }),
  sort: {
    occurred_at: {
      column: 'occurredAt',
      index: 'LedgerTransfer_environmentId_occurredAt_seq_idx',
      description: 'Time at which the transfer was posted.',
    },
  },
  defaultOrder: {
    name: 'occurred_at',
    keys: [{ column: 'occurredAt' }, { column: 'seq' }],
    direction: 'desc',
    prefix: '',
  },
});

/** Filter for changes to the available balance. Absent fields match every change. */
export type BalanceEntryChoice = {
  readonly kinds?: readonly BalanceEntryKind[] | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
};

/** List of changes to the available balance, newest first. Uses the index `LedgerTransfer_available_idx`. */
export const balanceEntries = ({ kinds, from, to }: BalanceEntryChoice): OrderedList<'LedgerTransfer'> => ({
  model: 'LedgerTransfer',
  conditions: [
    () => `(t."debitAccount" = 'merchant_available' OR t."creditAccount" = 'merchant_available')`,
    ...(kinds == null
      ? []
      : [isAmong('LedgerTransfer', { column: 'fact', values: kinds.map((kind) => balancePostings[kind]) })]),
    ...(from == null ? [] : [compares('LedgerTransfer', 'occurredAt', '>=', from)]),
    ...(to == null ? [] : [compares('LedgerTransfer', 'occurredAt', '<', to)]),
  ],
  order: {
    name: 'occurred_at',
    keys: [{ column: 'occurredAt' }, { column: 'seq' }],
    direction: 'desc',
    prefix: 'balance.',
  },
});
