import type { FaultyFile } from '../fault.ts';

/** Faults to plant in the code for ledger entries and their verification. */
export const ledger: readonly FaultyFile[] = [
  {
    file: 'src/domain/ledger/documents.ts',
    tests: [
      'test/domain/ledger.test.ts',
      'test/domain/subscription/credit-notes.test.ts',
      'test/domain/subscription/checkout.test.ts',
    ],
    faults: [
      {
        fault: 'Records used customer credits as proration.',
        source: "['invoice.prorated', invoice.creditApplied - fromCredits]",
        replacement: "['invoice.prorated', invoice.creditApplied]",
      },
      {
        fault: 'Returns the tax of credit notes as revenue when an invoice becomes void.',
        source: "['invoice.credit_voided', invoice.creditedAmount - invoice.creditedTax]",
        replacement: "['invoice.credit_voided', invoice.creditedAmount]",
      },
      {
        fault: 'Releases held funds at the time of the payment.',
        source: 'availableAt > paidAt',
        replacement: 'availableAt < paidAt',
      },
      {
        fault: 'Refunds the tax out of revenue too.',
        source: 'after.refundedMinor - before.refundedMinor - tax',
        replacement: 'after.refundedMinor - before.refundedMinor',
      },
      {
        fault: 'Truncates the tax of a partial refund.',
        source: 'divideRounded(taxMinor * refundedMinor, amountMinor)',
        replacement: '(taxMinor * refundedMinor) / amountMinor',
      },
    ],
  },
  {
    file: 'src/domain/ledger/post.ts',
    tests: [
      'test/domain/subscription/refund.test.ts',
      'test/domain/ledger.test.ts',
      'test/domain/subscription/change-plan.test.ts',
    ],
    faults: [
      {
        fault: 'Records a plan change credit as a gift.',
        source: "'credit.prorated': { debit: 'revenue',",
        replacement: "'credit.prorated': { debit: 'offers_given',",
      },
      {
        fault: 'Swaps the accounts of a refund.',
        source: "'payment.refunded': { debit: 'revenue', credit: 'processor_clearing' }",
        replacement: "'payment.refunded': { debit: 'processor_clearing', credit: 'revenue' }",
      },
      {
        fault: 'Accepts a negative transfer.',
        source: 'if (amountMinor < 0n)',
        replacement: 'if (amountMinor < -1_000_000n)',
      },
    ],
  },
  {
    file: 'src/domain/ledger/verify.ts',
    tests: ['test/domain/subscription/credit-notes.test.ts', 'test/domain/ledger.test.ts'],
    faults: [
      {
        fault: 'Accepts a transfer of nothing as sound.',
        source: 'transfer.amountMinor > 0n',
        replacement: 'transfer.amountMinor >= 0n',
      },
      {
        fault: 'Ignores credit notes in the amount that a customer owes.',
        source: 'isOwed(invoice) ? invoice.total - invoice.creditedAmount - invoice.paidInParts : 0n',
        replacement: 'isOwed(invoice) ? invoice.total - invoice.paidInParts : 0n',
      },
    ],
  },
  {
    file: 'src/domain/ledger/balance-entries.ts',
    tests: ['test/domain/ledger-balance.test.ts'],
    faults: [
      {
        fault: 'Swaps the sign of balance changes.',
        source: "'merchant_available' ? amountMinor : -amountMinor",
        replacement: "'merchant_available' ? -amountMinor : amountMinor",
      },
    ],
  },
  {
    file: 'src/domain/metrics/cash.ts',
    tests: ['test/domain/metrics/cash.test.ts'],
    faults: [
      {
        fault: 'Adds refunded tax to the net cash.',
        source: "'payment.tax_refunded': -1,",
        replacement: "'payment.tax_refunded': 1,",
      },
    ],
  },
  {
    file: 'src/domain/metrics/movements.ts',
    tests: ['test/domain/metrics/movements.test.ts'],
    faults: [
      {
        fault: 'Counts a returning customer as a new one.',
        source: "hasPaidBefore ? 'reactivation' : 'new'",
        replacement: "'new'",
      },
    ],
  },
];
