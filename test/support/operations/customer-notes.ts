import { createCustomer, createNote } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    customerNoteCreate: {
      because: reasons.more,
      text: 'mutation ($input: CustomerNoteCreateInput!) { customerNoteCreate(input: $input) { id text authorName editorName createdAt } }',
      variables: async (shop) => ({
        input: { customerId: (await createCustomer(shop)).id, text: 'Pays late.' },
      }),
    },
    customerNoteUpdate: {
      because: reasons.more,
      text: 'mutation ($input: CustomerNoteUpdateInput!) { customerNoteUpdate(input: $input) { id text updatedAt } }',
      variables: async (shop) => ({ input: { id: await createNote(shop), text: 'Pays in time.' } }),
    },
    customerNoteDelete: {
      because: reasons.more,
      text: 'mutation ($input: CustomerNoteDeleteInput!) { customerNoteDelete(input: $input) { deletedId } }',
      variables: async (shop) => ({ input: { id: await createNote(shop) } }),
    },
  },
};
