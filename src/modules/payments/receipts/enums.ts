import { builder } from '../../../graphql/reading/builder.ts';

export const ReceiptStatus = builder.enumType('ReceiptStatus', {
  description: 'Status of a receipt.',
  values: {
    unmatched: { description: "The receipt isn't matched to an invoice." },
    on_account: { description: 'A part of the amount is on account, and can be applied or returned.' },
    applied: { description: 'The amount was applied to invoices, and no part is on account.' },
    returned: { description: 'The whole amount was returned to the payer.' },
  } as const,
});

export const ReceiptSource = builder.enumType('ReceiptSource', {
  description: 'Source of a receipt.',
  values: {
    manual: { description: 'The receipt was recorded with `receiptRecord`.' },
    statement: { description: 'The receipt was imported with a bank statement.' },
    simulation: { description: 'The receipt was simulated in a sandbox.' },
    late_payment: { description: 'The payer paid after the payment attempt had ended without a payment.' },
  } as const,
});
