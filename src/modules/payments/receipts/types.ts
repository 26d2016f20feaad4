import { leftOf } from '../../../domain/payments/receipts.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { addTotals } from '../../organization/currencies/types/list-totals.ts';
import { ReceiptStatus } from './enums.ts';

export const Receipt = builder.prismaObject('Receipt', {
  ...node({ prefix: 'rcp' }),
  description:
    'Money that a payer sent without a charge, such as a bank transfer. Its amount is applied to invoices, kept on account, or returned to the payer.',
  fields: (t) => ({
    ...t.columns('id', 'status', 'source', 'instrument', 'currency'),
    amount: t.column('amountMinor'),
    appliedAmount: t.column('appliedMinor'),
    returnedAmount: t.column('returnedMinor'),
    remainingAmount: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Amount that was neither applied nor returned, in the smallest currency unit. It can be applied to an invoice or returned.',
      columns: ['amountMinor', 'appliedMinor', 'returnedMinor'],
      resolve: leftOf,
    }),
    ...t.columns('reference', 'payerName', 'bankReference', 'receivedAt', 'createdAt', 'updatedAt'),
    customer: t.row('customer', {
      description: "Customer that sent the money. `null` if the receipt isn't matched.",
    }),
    invoice: t.row('invoice', {
      description:
        "Invoice that the receipt was first matched to or assigned to. `null` if the receipt isn't matched.",
    }),
    lateOf: t.rowById('Transaction', {
      id: 'lateOf',
      nullable: true,
      description: "Payment attempt that had ended before the money arrived. `null` if the money isn't late.",
    }),
    ...t.resource('receipt'),
  }),
});

export const ReceiptConnection = connectionOf('Receipt', Receipt, 'receipts');

addTotals(ReceiptConnection, {
  name: 'ReceiptTotals',
  of: 'receipts',
  status: { type: ReceiptStatus, description: 'Status of the receipts.' },
  sums: {
    amount: {
      column: 'amountMinor',
      description: 'Sum of the received amounts, in the smallest currency unit.',
    },
    appliedAmount: {
      column: 'appliedMinor',
      description: 'Sum of the amounts that were applied to invoices, in the smallest currency unit.',
    },
    returnedAmount: {
      column: 'returnedMinor',
      description: 'Sum of the amounts that were returned to payers, in the smallest currency unit.',
    },
  },
});

builder.prismaObjectField('Transaction', 'receipt', (t) =>
  t.row('receipt', {
    description:
      "Receipt whose money the payment applies to the invoice. `null` if the payment isn't part of a receipt.",
  }),
);

restView(
  'Receipt',
  'Receipt',
  'id status source instrument currency amount appliedAmount returnedAmount remainingAmount reference payerName bankReference receivedAt createdAt updatedAt object livemode',
);
