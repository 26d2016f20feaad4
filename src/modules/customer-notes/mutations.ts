import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { createNote } from './create.ts';
import { deleteNote } from './delete.ts';
import { CustomerNote } from './types.ts';
import { updateNote } from './update.ts';

const text = {
  required: true,
  rule: { minLength: 1, maxLength: 10_000, multiline: true },
  description: 'Plain text, 1 to 10 000 characters.',
} as const;

const CustomerNoteCreateInput = builder.inputType('CustomerNoteCreateInput', {
  description: 'A new note about a customer.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: 'Our id of the customer, else its external id.' }),
    text: t.string(text),
  }),
});

builder.mutationField('customerNoteCreate', (t) =>
  t.field({
    type: CustomerNote,
    description: 'Writes a note about a customer, which keeps who wrote it and when. It sends no event.',
    errors: ['customer_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerNoteCreateInput, required: true, description: 'The note.' }) },
    resolve: (_root, { input }, ctx) => createNote(ctx, input),
  }),
);

const CustomerNoteUpdateInput = builder.inputType('CustomerNoteUpdateInput', {
  description: 'Another text of a note.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the note.' }),
    text: t.string(text),
  }),
});

builder.mutationField('customerNoteUpdate', (t) =>
  t.field({
    type: CustomerNote,
    description:
      'Changes the text of a note and keeps who changed it and when; the same text changes nothing.',
    errors: ['not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerNoteUpdateInput, required: true, description: 'The text.' }) },
    resolve: (_root, { input }, ctx) => updateNote(ctx, input),
  }),
);

const CustomerNoteDeleteInput = builder.inputType('CustomerNoteDeleteInput', {
  description: 'Which note to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the note.' }) }),
});

builder.mutationField('customerNoteDelete', (t) =>
  t.field({
    type: DeletedObject,
    description: 'Deletes a note permanently.',
    errors: ['not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerNoteDeleteInput, required: true, description: 'The note.' }) },
    resolve: (_root, { input }, ctx) => deleteNote(ctx, input.id),
  }),
);
