import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { createNote } from './create.ts';
import { editOf, noteRows } from './store.ts';
import { CustomerNote } from './types.ts';

const text = {
  required: true,
  rule: { minLength: 1, maxLength: 10_000, multiline: true },
  description: 'Content of the note, as plain text. From 1 to 10,000 characters.',
} as const;

const CustomerNoteCreateInput = builder.inputType('CustomerNoteCreateInput', {
  description: 'Parameters for creating a note about a customer.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: 'ID or external ID of the customer.' }),
    text: t.string(text),
  }),
});

builder.mutationField('customerNoteCreate', (t) =>
  t.field({
    type: CustomerNote,
    description:
      'Creates a note about a customer. The author and creation time are recorded. No event is sent.',
    errors: ['customer_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerNoteCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => createNote(ctx, input),
  }),
);

const CustomerNoteUpdateInput = builder.inputType('CustomerNoteUpdateInput', {
  description: 'Parameters for updating a note.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the note.' }),
    text: t.string(text),
  }),
});

builder.mutationField('customerNoteUpdate', (t) =>
  t.field({
    type: CustomerNote,
    description:
      'Updates the text of a note and records the editor and the time. Nothing changes if the text is the same.',
    errors: ['not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerNoteUpdateInput, required: true }) },
    resolve: (_root, { input: { id, text } }, ctx) =>
      noteRows.update(ctx, id, async (tx, note) => editOf(tx, note, text)),
  }),
);

deletionField('customerNoteDelete', {
  of: 'a note',
  reference: 'ID of the note.',
  description: 'Permanently deletes a note.',
  errors: ['not_found'],
  access: { scope: 'write' },
  delete: (ctx, id) => noteRows.delete(ctx, id),
});
