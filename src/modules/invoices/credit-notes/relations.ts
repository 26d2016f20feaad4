import { builder } from '../../../graphql/reading/builder.ts';
import { creditNoteList } from './list.ts';

builder.prismaObjectField('Customer', 'creditNotes', (t) =>
  t.page('creditNotes', { description: 'Credit notes of the customer.', list: creditNoteList }),
);

builder.prismaObjectField('Invoice', 'creditNotes', (t) =>
  t.rows('creditNotes', {
    orderBy: 'number',
    description: 'Credit notes of the invoice, oldest first.',
  }),
);

builder.prismaObjectField('Refund', 'creditNotes', (t) =>
  t.rows('creditNotes', {
    orderBy: 'number',
    description:
      'Credit note issued for the refund, as a list with at most one item. Empty until the refund succeeds.',
  }),
);
