import { builder } from './builder.ts';
import { restView } from './rest.ts';

/** What a deletion answers: the id of what is gone, and the word its resource goes by on the wire. */
export type DeletedShape = { readonly id: string; readonly object: string };

/** The acknowledgement every deletion answers. */
export const DeletedObject = builder.objectRef<DeletedShape>('DeletedObject').implement({
  description: 'Acknowledges a deletion.',
  fields: (t) => ({
    deletedId: t.exposeID('id', { description: 'Id of what was deleted.' }),
    deleted: t.boolean({ description: 'Always true.', resolve: () => true }),
    object: t.exposeString('object', { description: 'The kind of what was deleted, such as `plan`.' }),
    livemode: t.livemode(),
  }),
});

restView('DeletedObject', 'DeletedObject', 'id: deletedId deleted object livemode');
