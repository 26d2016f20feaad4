import type { AccountSum } from '../../../domain/ledger/accounts.ts';
import {
  type BalanceEntryKind,
  balanceChange,
  balanceKindOf,
} from '../../../domain/ledger/balance-entries.ts';
import type { LedgerMismatch as Mismatch } from '../../../domain/ledger/verify.ts';
import { financeAccess } from '../../../graphql/declare/access.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import type { LedgerReport } from './check.ts';
import { type AccountKind, kindOfAccount } from './find-kind.ts';

const LedgerMismatch = builder.objectRef<Mismatch>('LedgerMismatch').implement({
  description:
    'Stored amount that differs from its source. Ledger amounts are in the smallest currency unit. Credits and units are counts. Balances are in ten-thousandths of the currency unit (10,000 = 1.00).',
  fields: (t) => ({
    account: t
      .member('account', 'String')
      .describe(
        'Account and currency, with the customer if applicable. For consumption, the type and ID of a credit balance, ledger entry, or usage counter. For daily sums, the day, currency, and metric.',
      ),
    expected: t.member('expected', 'SafeInt').describe('Amount stored in the object that was checked.'),
    actual: t
      .member('actual', 'SafeInt')
      .describe(
        'Amount recalculated by the check: debits minus credits, or the sum of the entries or events.',
      ),
  }),
});

export const LedgerVerification = builder.objectRef<LedgerReport>('LedgerVerification').implement({
  description: 'Result of a ledger check.',
  fields: (t) => ({
    ok: t.member('ok', 'Boolean').describe('`true` if all stored amounts match the recalculated amounts.'),
    mismatches: t
      .member('mismatches', [LedgerMismatch])
      .describe('Stored amounts that differ from the recalculated amounts. Empty if all amounts match.'),
    checkedAt: t
      .member('checkedAt', 'DateTime')
      .describe("Time at which the ledger was checked. Always real time, never the test clock's time."),
    transferCount: t.member('transferCount', 'Int').describe('Number of ledger transfers that were checked.'),
  }),
});

const LedgerAccountKind = builder.enumType('LedgerAccountKind', {
  description: 'Type of a ledger account.',
  values: {
    asset: {
      description: 'Assets of the organization, including receivables. The balance is usually positive.',
    },
    liability: { description: 'Liabilities of the organization. The balance is usually negative.' },
    income: { description: 'Income of the organization. The balance is usually negative.' },
    expense: {
      description:
        'Expenses of the organization, such as offers, write-offs, and fees. The balance is usually positive.',
    },
    funds: {
      description:
        'Funds of the organization that the platform holds, from the charge until the payout arrives at the bank.',
    },
  } satisfies Record<AccountKind, { description: string }>,
});

export const LedgerAccount = builder.objectRef<AccountSum>('LedgerAccount').implement({
  description: 'Ledger account in one currency, across all customers.',
  fields: (t) => ({
    name: t.member('name', 'String').describe('Name of the account, such as `receivable`.'),
    kind: t.field({
      type: LedgerAccountKind,
      description: 'Type of the ledger account.',
      resolve: ({ name }) => kindOfAccount(name),
    }),
    currency: t
      .member('currency', Currency)
      .describe('Currency of the account, as a lowercase ISO 4217 code.'),
    debit: t.member('debit', 'MINOR').describe('Sum of debits, in the smallest unit of `currency`.'),
    credit: t.member('credit', 'MINOR').describe('Sum of credits, in the smallest unit of `currency`.'),
    balance: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Debits minus credits, in the smallest unit of `currency`.',
      resolve: ({ debit, credit }) => debit - credit,
    }),
  }),
});

export const LedgerTransfer = builder.prismaObject('LedgerTransfer', {
  ...node({ prefix: 'led', access: financeAccess }),
  description: 'Amount moved from one ledger account to another. Transfers never change.',
  fields: (t) => ({
    ...t.columns('id', 'seq', 'fact', 'debitAccount', 'creditAccount', 'currency'),
    amount: t.column('amountMinor'),
    ...t.columns('occurredAt'),
    customer: t.rowById('Customer', {
      id: 'customerId',
      nullable: true,
      description: "Customer of the transfer. `null` if the transfer isn't related to a customer.",
    }),
    subscription: t.rowById('Subscription', {
      id: 'subscriptionId',
      nullable: true,
      description: "Subscription of the transfer. `null` if the transfer isn't related to a subscription.",
    }),
    invoice: t.rowById('Invoice', {
      id: 'invoiceId',
      nullable: true,
      description: "Invoice of the transfer. `null` if the transfer isn't related to an invoice.",
    }),
    transaction: t.rowById('Transaction', {
      id: 'transactionId',
      nullable: true,
      description:
        "Payment attempt of the transfer. `null` if the transfer isn't related to a payment attempt.",
    }),
  }),
});

export const LedgerTransferConnection = connectionOf('LedgerTransfer', LedgerTransfer, 'ledger transfers');

const BalanceEntryKindEnum = builder.enumType('BalanceEntryKind', {
  description: 'Reason for a change to the available balance.',
  values: {
    released: { description: 'Funds from a successful charge became available.' },
    refunded: { description: 'A refund was deducted.' },
    payment_returned: { description: "A payment that the payer's bank returned was deducted." },
    disputed: { description: 'The remaining amount of a charge was put on hold because of a dispute.' },
    dispute_won: { description: 'A dispute was won, and the amount on hold was returned.' },
    paid_out: { description: 'A payout was requested.' },
    payout_returned: { description: 'A payout failed or was canceled, and its amount was returned.' },
  } satisfies Record<BalanceEntryKind, { description: string }>,
});

export const BalanceEntryFilter = builder.inputType('BalanceEntryFilter', {
  description: 'Filter for changes to the available balance.',
  fields: (t) => ({
    kinds: t.field({
      type: [BalanceEntryKindEnum],
      rule: { minItems: 1, maxItems: 6 },
      description: 'Reasons to include. From 1 to 6 values.',
    }),
    from: t.field({ type: 'DateTime', description: 'Start of the date range, inclusive.' }),
    to: t.field({ type: 'DateTime', description: 'End of the date range, exclusive.' }),
  }),
});

export const BalanceEntry = builder.prismaObject('LedgerTransfer', {
  variant: 'BalanceEntry',
  description: 'Change to the balance that is available for payout, in US cents. Entries never change.',
  fields: (t) => ({
    entryId: t.column('id', { description: 'ID of the ledger transfer, with the prefix `led_`.' }),
    kind: t.computed({
      type: BalanceEntryKindEnum,
      description: 'Reason for the balance change.',
      columns: ['fact'],
      resolve: ({ fact }) => balanceKindOf(fact),
    }),
    amount: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Change in the available balance, in US cents. Negative if the balance decreased.',
      columns: ['debitAccount', 'amountMinor'],
      resolve: balanceChange,
    }),
    ...t.columns('occurredAt'),
    customer: t.rowById('Customer', {
      id: 'customerId',
      nullable: true,
      description: 'Customer whose payment changed the balance. `null` for releases and payouts.',
    }),
    transaction: t.rowById('Transaction', {
      id: 'transactionId',
      nullable: true,
      description: 'Payment attempt that changed the balance. `null` for releases and payouts.',
    }),
  }),
});

export const BalanceEntryConnection = connectionOf(
  'BalanceEntry',
  BalanceEntry,
  'changes to the available balance',
);
