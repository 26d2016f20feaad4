import { type BalanceEntryKind, balancePostings } from '../../domain/ledger/balance-entries.ts';
import type { FilterMember } from '../../graphql/list-members.ts';
import { listOf } from '../../graphql/lists.ts';
import type { OrderedList } from '../../graphql/pages.ts';
import { compares, isAmong } from '../../platform/db/row-lists.ts';

/** Transfers that debit or credit one of the accounts sent. */
const account: FilterMember = {
  type: ['String'],
  description: 'The accounts they debit or credit. 1 to 100 values.',
  rule: { minItems: 1, maxItems: 100 },
  condition: (values) => (bind) => {
    const names = `${bind(values)}::text[]`;
    return `(t."debitAccount" = ANY(${names}) OR t."creditAccount" = ANY(${names}))`;
  },
};

/** Transfers of the subscriptions sent, found by their customers. */
const subscriptions: FilterMember = {
  type: ['ID'],
  description: 'Ids of their subscriptions. 1 to 100 values.',
  rule: { minItems: 1, maxItems: 100 },
  condition: (values) => (bind) => {
    const ids = `${bind(values)}::text[]`;
    return `(t."subscriptionId" = ANY(${ids}) AND t."customerId" = ANY(ARRAY(SELECT s."customerId" FROM "Subscription" s WHERE s."environmentId" = $1 AND s.id = ANY(${ids}))))`;
  },
};

export const transferList = listOf('LedgerTransfer', {
  name: 'LedgerTransfer',
  of: 'transfers of the ledger',
  filter: (f) => ({
    ids: f.ids(),
    accounts: account,
    facts: f.oneOf('fact', 'String', 'The business facts that moved them.'),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of their customers.'),
    subscriptionIds: subscriptions,
    invoiceIds: f.oneOf('invoiceId', 'ID', 'Ids of their invoices.'),
    transactionIds: f.oneOf('transactionId', 'ID', 'Ids of their transactions.'),
    currencies: f.oneOf('currency', 'String', 'Lower-case ISO 4217 codes.'),
    occurredAt: f.instants('occurredAt', 'When they occurred.'),
  }),
  sort: {
    occurred_at: {
      column: 'occurredAt',
      index: 'LedgerTransfer_environmentId_occurredAt_seq_idx',
      description: 'When they occurred.',
    },
  },
  defaultOrder: {
    name: 'occurred_at',
    keys: [{ column: 'occurredAt' }, { column: 'seq' }],
    direction: 'desc',
    prefix: '',
  },
});

/** Which changes of the available balance are listed; all where nothing is said. */
export type BalanceEntryChoice = {
  readonly kinds?: readonly BalanceEntryKind[] | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
};

/** The changes of the available balance, the latest first. The index `LedgerTransfer_available_idx` has them in this order. */
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
