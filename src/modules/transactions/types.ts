import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadRow, loadRowsBy } from '../../graphql/loaders.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { Customer } from '../customers/types.ts';
import { Invoice } from '../invoices/types.ts';
import { DisputeOutcome, PaymentProvider, TransactionStatus } from './words.ts';

export const Transaction = builder.prismaObject('Transaction', {
  description: 'One payment attempt; an attempt is never repeated under the same id.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `txn_…`; the gateway knows the attempt by it.' }),
    invoiceId: t.exposeID('invoiceId', { nullable: true, description: 'The invoice to be settled; null for a payment without one.' }),
    grossAmount: t.expose('grossUsdMinor', {
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'What was charged, US cents; null while the worth of another currency is not known.',
    }),
    subtotal: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'The gross amount before tax, US cents; null together with `grossAmount`.',
      resolve: ({ grossUsdMinor, taxUsdMinor }) => (grossUsdMinor === null ? null : grossUsdMinor - (taxUsdMinor ?? 0n)),
    }),
    taxAmount: t.expose('taxUsdMinor', {
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'The tax in the gross amount, US cents; null together with `grossAmount`.',
    }),
    presentmentAmount: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'What was charged, minor units of `currency`; null for a charge in US dollars.',
      resolve: (transaction) => (transaction.currency === 'usd' ? null : transaction.amountMinor),
    }),
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217 code of the charge.' }),
    provider: t.expose('provider', { type: PaymentProvider, description: 'The connection that was asked.' }),
    status: t.expose('status', { type: TransactionStatus, description: 'How the attempt went.' }),
    declineCode: t.exposeString('declineCode', { nullable: true, description: 'Why it was declined; null unless it was.' }),
    availableAt: t.expose('availableAt', {
      type: 'DateTime',
      nullable: true,
      description: "When the funds can be withdrawn; null unless it settled on the platform's own rail.",
    }),
    refundedAmount: t.expose('refundedMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What confirmed refunds have returned, minor units of `currency`.',
    }),
    disputedAt: t.expose('disputedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its latest dispute was opened; null when it was never disputed.',
    }),
    disputeReason: t.exposeString('disputeReason', {
      nullable: true,
      description: "The provider's reason code of that dispute; null without one.",
    }),
    disputeOutcome: t.expose('disputeOutcome', {
      type: DisputeOutcome,
      nullable: true,
      description: 'How that dispute ended; null while it is open and without one.',
    }),
    customerEmail: t.field({
      type: 'String',
      nullable: true,
      description: 'E-mail address of the customer; null when it has none.',
      resolve: async (transaction, _args, context) => (await loadExistingRow(context, 'Customer', transaction.customerId)).email,
    }),
    customerName: t.field({
      type: 'String',
      nullable: true,
      description: 'Name of the customer; null when none was given.',
      resolve: async (transaction, _args, context) => (await loadExistingRow(context, 'Customer', transaction.customerId)).fullName || null,
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true, description: 'When it was settled; null unless it was.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of the attempt.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    customer: t.field({
      type: Customer,
      description: 'Who was charged.',
      resolve: (transaction, _args, context) => loadExistingRow(context, 'Customer', transaction.customerId),
    }),
    invoice: t.field({
      type: Invoice,
      nullable: true,
      description: 'The invoice to be settled; null for a payment without one.',
      resolve: (transaction, _args, context) =>
        transaction.invoiceId === null ? null : loadRow(context, 'Invoice', transaction.invoiceId),
    }),
    object: t.string({ description: 'Always `transaction`.', resolve: () => 'transaction' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_transaction, _args, context) => context.livemode }),
  }),
});

const listed =
  'id invoiceId grossAmount subtotal taxAmount presentmentAmount currency provider status customerEmail customerName paidAt createdAt updatedAt object livemode';
restView('TransactionListItem', 'Transaction', listed);
restView('Transaction', 'Transaction', `${listed} availableAt`);

export const TransactionConnection = connectionOf('Transaction', Transaction, 'transactions');

builder.prismaObjectField('Invoice', 'transactions', (t) =>
  t.field({
    type: [Transaction],
    description: 'The attempts to collect the invoice, oldest first.',
    resolve: (invoice, _args, context) => loadRowsBy(context, 'Transaction', 'invoiceId', invoice.id, 'seq'),
  }),
);
