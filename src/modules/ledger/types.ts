import type { AccountSum } from '../../domain/ledger/accounts.ts';
import { type BalanceEntryKind, balanceChange, balanceKindOf } from '../../domain/ledger/balance-entries.ts';
import type { LedgerMismatch as Mismatch } from '../../domain/ledger/verify.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { Currency } from '../currencies/enums.ts';
import type { LedgerReport } from './check.ts';
import { type AccountKind, kindOfAccount } from './find-kind.ts';

const LedgerMismatch = builder.objectRef<Mismatch>('LedgerMismatch').implement({
  description:
    'A stored amount that differs from what makes it up. Money of the ledger is in minor units, credits and units are counts, balances are at 10000 for 1.00.',
  fields: (t) => ({
    account: t.exposeString('account', {
      description:
        'Account and currency, and the customer it belongs to where it belongs to one; or a pool, an entry or a counter with its id; or a day, its currency and the figure.',
    }),
    expected: t.expose('expected', {
      type: 'SafeInt',
      description: 'What the document, account or counter says.',
    }),
    actual: t.expose('actual', {
      type: 'SafeInt',
      description: 'What the replay says: debits minus credits, or the sum of the entries or events.',
    }),
  }),
});

export const LedgerVerification = builder.objectRef<LedgerReport>('LedgerVerification').implement({
  description: 'Outcome of a check of the ledger.',
  fields: (t) => ({
    ok: t.exposeBoolean('ok', { description: 'True when nothing differs.' }),
    mismatches: t.field({
      type: [LedgerMismatch],
      description: 'What differs.',
      resolve: (report) => [...report.mismatches],
    }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When it was checked, in real time.' }),
    transferCount: t.exposeInt('transferCount', { description: 'How many transfers were replayed.' }),
  }),
});

const LedgerAccountKind = builder.enumType('LedgerAccountKind', {
  description: 'What an account of the ledger stands for.',
  values: {
    asset: { description: 'What the organization has or is owed; its balance is usually positive.' },
    liability: { description: 'What it owes; its balance is usually negative.' },
    income: { description: 'What it has earned; its balance is usually negative.' },
    expense: { description: 'What it gave away, wrote off or paid for; its balance is usually positive.' },
    funds: { description: 'Where its money on the platform is, from the capture to the bank.' },
  } satisfies Record<AccountKind, { description: string }>,
});

export const LedgerAccount = builder.objectRef<AccountSum>('LedgerAccount').implement({
  description: 'An account of the ledger in one currency, all customers together.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The account, such as `receivable`.' }),
    kind: t.field({
      type: LedgerAccountKind,
      description: 'What it stands for.',
      resolve: ({ name }) => kindOfAccount(name),
    }),
    currency: t.field({
      type: Currency,
      description: 'Lower-case ISO 4217 code.',
      resolve: ({ currency }) => currency,
    }),
    debit: t.expose('debit', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What was debited in all, minor units of `currency`.',
    }),
    credit: t.expose('credit', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What was credited in all, minor units of `currency`.',
    }),
    balance: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Debits less credits, minor units of `currency`.',
      resolve: ({ debit, credit }) => debit - credit,
    }),
  }),
});

export const LedgerTransfer = builder.prismaObject('LedgerTransfer', {
  ...node({ prefix: 'led' }),
  description: 'An amount moved from one account of the ledger to another. It never changes.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `led_…`.' }),
    seq: t.expose('seq', {
      type: 'SafeInt',
      description: 'Its number, which grows in the order in which transfers were posted.',
    }),
    fact: t.exposeString('fact', {
      description: 'The business fact that moved it, such as `invoice.issued`.',
    }),
    debitAccount: t.exposeString('debitAccount', { description: 'The account it was moved to.' }),
    creditAccount: t.exposeString('creditAccount', { description: 'The account it was moved from.' }),
    currency: t.expose('currency', { type: Currency, description: 'Lower-case ISO 4217 code.' }),
    amount: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What was moved, minor units of `currency`.',
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When, in business time.' }),
    customer: t.rowById('Customer', {
      id: 'customerId',
      nullable: true,
      description: 'Whose it is; null where it concerns no customer.',
    }),
    subscription: t.rowById('Subscription', {
      id: 'subscriptionId',
      nullable: true,
      description: 'The subscription it is about; null without one.',
    }),
    invoice: t.rowById('Invoice', {
      id: 'invoiceId',
      nullable: true,
      description: 'The invoice it is about; null without one.',
    }),
    transaction: t.rowById('Transaction', {
      id: 'transactionId',
      nullable: true,
      description: 'The transaction it is about; null without one.',
    }),
  }),
});

export const LedgerTransferConnection = connectionOf(
  'LedgerTransfer',
  LedgerTransfer,
  'transfers of the ledger',
);

export const BalanceEntryKindEnum = builder.enumType('BalanceEntryKind', {
  description: 'Why the available balance changed.',
  values: {
    released: { description: 'Captured funds can be withdrawn.' },
    refunded: { description: 'A refund took its share.' },
    disputed: { description: 'A dispute froze what was left of a charge.' },
    dispute_won: { description: 'A dispute was won, and what it froze is back.' },
    paid_out: { description: 'A payout was requested.' },
    payout_returned: { description: 'A payout failed or was canceled, and its amount is back.' },
  } satisfies Record<BalanceEntryKind, { description: string }>,
});

export const BalanceEntryFilter = builder.inputType('BalanceEntryFilter', {
  description: 'Which changes of the available balance are listed.',
  fields: (t) => ({
    kinds: t.field({
      type: [BalanceEntryKindEnum],
      rule: { minItems: 1, maxItems: 6 },
      description: 'Why it changed, 1 to 6 values.',
    }),
    from: t.field({ type: 'DateTime', description: 'From this time on.' }),
    to: t.field({ type: 'DateTime', description: 'Before this time.' }),
  }),
});

export const BalanceEntry = builder.prismaObject('LedgerTransfer', {
  variant: 'BalanceEntry',
  description: 'A change of the money that can be paid out, in US cents. It never changes.',
  fields: (t) => ({
    entryId: t.exposeID('id', { description: 'Id of the transfer of the ledger, `led_…`.' }),
    kind: t.computed({
      type: BalanceEntryKindEnum,
      description: 'Why the balance changed.',
      columns: ['fact'],
      resolve: ({ fact }) => balanceKindOf(fact),
    }),
    amount: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What was added, US cents; negative for what was taken.',
      columns: ['debitAccount', 'amountMinor'],
      resolve: balanceChange,
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When, in business time.' }),
    customer: t.rowById('Customer', {
      id: 'customerId',
      nullable: true,
      description: 'Whose payment it is about; null for releases and payouts.',
    }),
    transaction: t.rowById('Transaction', {
      id: 'transactionId',
      nullable: true,
      description: 'The payment attempt it is about; null for releases and payouts.',
    }),
  }),
});

export const BalanceEntryConnection = connectionOf(
  'BalanceEntry',
  BalanceEntry,
  'changes of the available balance',
);
