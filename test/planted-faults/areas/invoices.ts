import type { FaultyFile } from '../fault.ts';

/** Faults to plant in the code for invoices, credit notes, and customer credits. */
export const invoices: readonly FaultyFile[] = [
  {
    file: 'src/domain/invoicing/totals.ts',
    tests: ['test/domain/invoice.test.ts'],
    faults: [
      {
        fault: 'Applies more credit than the invoice costs.',
        source: 'minOf(credit, subtotal - discountAmount)',
        replacement: 'credit',
      },
      {
        fault: 'Taxes the amount before discounts and credits.',
        source: 'taxOn(taxable, tax)',
        replacement: 'taxOn(subtotal, tax)',
      },
    ],
  },
  {
    file: 'src/domain/invoicing/proration.ts',
    tests: ['test/domain/subscription/change-plan.test.ts'],
    faults: [
      {
        fault: 'Charges the unused days of the previous plan instead of crediting them.',
        source: 'const amount = -proration.amountMinor;',
        replacement: 'const amount = proration.amountMinor;',
      },
    ],
  },
  {
    file: 'src/domain/invoicing/lines.ts',
    tests: ['test/domain/invoice.test.ts', 'test/domain/subscription/change-plan.test.ts'],
    faults: [
      {
        fault: 'Omits the line of a plan that costs nothing.',
        source: "line.amount !== 0n || line.lineType === 'plan_base'",
        replacement: 'line.amount !== 0n',
      },
      {
        fault: 'Uses customer credits before the credits for corrections.',
        source: '  correctionCredits,\n  commitmentLines,\n  customerCreditLines,',
        replacement: '  customerCreditLines,\n  correctionCredits,\n  commitmentLines,',
      },
    ],
  },
  {
    file: 'src/domain/invoicing/feature-counts.ts',
    tests: ['test/domain/invoice.test.ts'],
    faults: [
      {
        fault: 'Bills included seats in advance.',
        source: 'maxOf(0n, count - terms.includedAmount)',
        replacement: 'count',
      },
    ],
  },
  {
    file: 'src/domain/invoicing/adjustment.ts',
    tests: ['test/domain/subscription/mark.test.ts'],
    faults: [
      {
        fault: 'Charges no tax on an adjustment.',
        source: 'totalsOf(drafts, details.tax)',
        replacement: 'totalsOf(drafts, { ratePpm: 0 })',
      },
      {
        fault: 'Demands an adjustment on the day of its issue.',
        source: 'addDays(invoice.issueDate, details.dueDays)',
        replacement: 'invoice.issueDate',
      },
    ],
  },
  {
    file: 'src/domain/invoicing/draft.ts',
    tests: ['test/domain/subscription/bounds.test.ts', 'test/domain/invoice.test.ts'],
    faults: [
      {
        fault: 'Issues an invoice whose subtotal exceeds the maximum.',
        source: 'maxOf(subtotal, total) > largestTotal',
        replacement: 'total > largestTotal',
      },
      {
        fault: 'Issues an invoice with a line above the maximum.',
        source: 'if (tooLarge !== undefined) throw',
        replacement: 'if (tooLarge?.amount === 0n) throw',
      },
    ],
  },
  {
    file: 'src/domain/invoicing/state.ts',
    tests: ['test/domain/subscription/state.test.ts'],
    faults: [
      {
        fault: 'Allows a paid invoice to become void.',
        source: "paid: ['outstanding'],",
        replacement: "paid: ['outstanding', 'void'],",
      },
    ],
  },
  {
    file: 'src/domain/invoicing/credit-note.ts',
    tests: ['test/domain/credit-note.test.ts'],
    faults: [
      {
        fault: 'Calculates the tax of each credit note alone, so that roundings add up.',
        source: 'divideRounded(invoice.taxAmount * credited, invoice.total) - invoice.creditedTax',
        replacement: 'divideRounded(invoice.taxAmount * amount, invoice.total)',
      },
      {
        fault: 'Demands the full total after a credit note.',
        source: 'maxOf(0n, total - creditedDue - paidInParts)',
        replacement: 'maxOf(0n, total - paidInParts)',
      },
      {
        fault: 'Gives the rest of a distribution to the smallest remainders.',
        source: 'a.remainder < b.remainder ? 1 : -1',
        replacement: 'a.remainder < b.remainder ? -1 : 1',
      },
    ],
  },
  {
    file: 'src/domain/lots/credits.ts',
    tests: ['test/domain/customer-credits.test.ts', 'test/domain/subscription/credits.test.ts'],
    faults: [
      {
        fault: 'Uses a customer credit at the time of its expiry.',
        source: 'isExpired(lot, at) ? 0n',
        replacement: 'isExpired(lot, new Date(at.getTime() - 1)) ? 0n',
      },
      {
        fault: 'Draws a whole credit although less is open.',
        source: 'minOf(open, rateToMinor(credit.remaining, credit.asset))',
        replacement: 'rateToMinor(credit.remaining, credit.asset)',
      },
      {
        fault: 'Uses the newest credit first.',
        source: "order === 'oldest' ? usable.toSorted(byAge)",
        replacement: "order === 'oldest' ? usable.toSorted(byAge).toReversed()",
      },
      {
        fault: 'Keeps an amount that returns to an expired credit.',
        source:
          "if (!credit.isOpen && isExpired(posted, account.context.now)) posting.close(posted, 'expiry');",
        replacement: '',
      },
    ],
  },
  {
    file: 'src/domain/invoicing/customer-credits.ts',
    tests: ['test/domain/customer-credits.test.ts'],
    faults: [
      {
        fault: 'Keeps customer credits back when a subscription is reactivated.',
        source: "'plan_change', 'reactivation']",
        replacement: "'plan_change']",
      },
    ],
  },
  {
    file: 'src/domain/subscription/invoicing/invoicing.ts',
    tests: ['test/domain/subscription/checkout.test.ts'],
    faults: [
      {
        fault: 'Carries over an invoice of exactly the minimum charge.',
        source: 'total < minimumCharge(draft',
        replacement: 'total <= minimumCharge(draft',
      },
    ],
  },
  {
    file: 'src/domain/subscription/invoicing/settling.ts',
    tests: [
      'test/domain/subscription/mark.test.ts',
      'test/domain/subscription/credits.test.ts',
      'test/domain/subscription/apply-offer.test.ts',
    ],
    faults: [
      {
        fault: 'Carries over an amount without its discount.',
        source: 'amount: String(subtotal - discountAmount)',
        replacement: 'amount: String(subtotal)',
      },
      {
        fault: 'Records an issued invoice in the ledger again when it is paid.',
        source: 'if (invoice.finalizedAt !== null) return invoice;',
        replacement: '',
      },
      {
        fault: 'Keeps the credit that a void invoice used.',
        source: 'returnCredits(draft, invoice.id);',
        replacement: '',
      },
    ],
  },
  {
    file: 'src/domain/subscription/invoicing/credits.ts',
    tests: ['test/domain/subscription/apply-offer.test.ts'],
    faults: [
      {
        fault: 'Counts a credit as used after its invoice was revised.',
        source: "moveBack(draft, invoiceId, 'applied')",
        replacement: "moveBack(draft, invoiceId, 'reversed')",
      },
    ],
  },
  {
    file: 'src/domain/subscription/invoicing/credit-notes.ts',
    tests: ['test/domain/subscription/credit-notes.test.ts'],
    faults: [
      {
        fault: 'Credits more than the rest of an invoice.',
        source: 'const total = minOf(amountMinor, creditLeft(invoice));',
        replacement: 'const total = amountMinor;',
      },
    ],
  },
];
