import { exampleId } from './openapi-examples.ts';

/** Example requests about transactions, receipts, and bank statements. */
export const receiptExamples = {
  transactions: { query: { status: 'succeeded' } },
  receipts: { query: { status: 'unmatched' } },
  receiptRecord: {
    body: { amount: 70_000, currency: 'eur', reference: 'RF97INV0042', bankReference: '2027050300001' },
  },
  receiptApply: { body: { invoiceId: exampleId('invoice') } },
  bankStatementImport: {
    body: { format: 'csv', content: 'date,amount,currency,reference\n2026-08-26,700.00,eur,RF97INV0042\n' },
  },
} as const;
