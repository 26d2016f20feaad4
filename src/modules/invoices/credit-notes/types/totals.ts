import { addTotals } from '../../../organization/currencies/types/list-totals.ts';
import { CreditNoteReason } from '../enums.ts';
import { CreditNoteConnection } from './credit-note.ts';

addTotals(CreditNoteConnection, {
  name: 'CreditNoteTotals',
  of: 'credit notes',
  status: { column: 'reason', type: CreditNoteReason, description: 'Reason for the credit notes.' },
  sums: {
    total: {
      column: 'total',
      description:
        'Sum of the credit note totals, including tax, in the smallest currency unit. 0 or negative.',
    },
    taxAmount: {
      column: 'taxAmount',
      description: 'Sum of the credited tax, in the smallest currency unit. 0 or negative.',
    },
  },
});
