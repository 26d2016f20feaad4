import { builder } from '../../../graphql/reading/builder.ts';
import { withMembers } from '../../../graphql/reading/list-rows.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { emptyPage } from '../../../graphql/reading/pages.ts';
import { findCustomer } from '../../customers/customers/store.ts';
import { creditNoteList } from './list.ts';
import { type CreditNoteRow, requireCreditNote } from './store.ts';
import { CreditNote, CreditNoteConnection } from './types/credit-note.ts';

builder.queryField('creditNotes', (t) =>
  t.field({
    type: CreditNoteConnection,
    description:
      "Lists credit notes. Newest first by default. Returns an empty list if the customer or invoice doesn't exist.",
    rest: { method: 'GET', path: '/credit-notes', view: 'CreditNoteListItem' },
    access: { scope: 'read' },
    args: {
      ...creditNoteList.args,
      customerId: t.arg.string({
        description: 'ID or external ID of the customer to filter by.',
      }),
      invoiceId: t.arg.string({ description: 'ID of the invoice to filter by.' }),
    },
    resolve: async (_root, args, ctx, info) => {
      const customer = args.customerId ? await findCustomer(ctx, args.customerId) : undefined;
      if (customer === null) return emptyPage<CreditNoteRow>();
      const filter = { customerId: customer?.id, invoiceId: args.invoiceId ?? undefined };
      return readList(ctx, creditNoteList, withMembers(args, {}), { filter, info });
    },
  }),
);

builder.queryField('creditNote', (t) =>
  t.field({
    type: CreditNote,
    description: 'Returns a credit note with its line items.',
    rest: { method: 'GET', path: '/credit-notes/{id}', view: 'CreditNote' },
    errors: ['not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the credit note.' }) },
    resolve: (_root, { id }, ctx) => requireCreditNote(ctx, id),
  }),
);
