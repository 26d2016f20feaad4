import { listOf } from '../../../graphql/reading/lists.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';
import { customerSearch } from '../../customers/customers/search-store.ts';
import { CreditNoteReason } from './enums.ts';

/** SQL condition: the search text is the credit note number, with or without the prefix `CN-`. */
function hasNumber(text: string): Condition | null {
  const [, digits] = /^(?:cn-)?(\d{1,18})$/i.exec(text.trim()) ?? [];
  return digits === undefined ? null : (bind) => `t.number = ${bind(digits)}::bigint`;
}

export const creditNoteList = listOf('CreditNote', {
  name: 'CreditNote',
  of: 'credit notes',
  filter: (f) => ({
    ids: f.ids(),
    reasons: f.oneOf('reason', CreditNoteReason, 'Reasons of the credit notes to include.'),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.', {
      index: { name: 'CreditNote_environmentId_customerId_createdAt_seq_idx' },
    }),
    invoiceIds: f.oneOf('invoiceId', 'ID', 'IDs of the credited invoices to include.', {
      index: { name: 'CreditNote_environmentId_invoiceId_createdAt_seq_idx' },
    }),
    currencies: f.oneOf('currency', 'String', 'Lowercase ISO 4217 codes of the currencies to include.'),
    createdAt: f.instants('createdAt', 'Time at which the credit note was created.'),
    issueDate: f.instants('issueDate', 'Date on which the credit note was issued.'),
  }),
  search: {
    idPrefix: 'crn',
    description:
      "Credit note number (exact match), or text to search for in the customer's name, email address, and external ID.",
    ...customerSearch(hasNumber),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'CreditNote_environmentId_createdAt_seq_idx',
      description: 'Time at which the credit note was created.',
    },
    number: {
      column: 'number',
      index: 'CreditNote_environmentId_number_key',
      isUnique: true,
      description: 'Credit note number.',
    },
  },
});
