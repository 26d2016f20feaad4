import { restView } from '../declare/rest.ts';
import { builder } from './builder.ts';

/** Result of a deletion: the ID of the deleted object and the name of its resource. */
export type DeletedShape = { readonly id: string; readonly object: string };

/** Object that every deletion mutation returns. */
export const DeletedObject = builder.objectRef<DeletedShape>('DeletedObject').implement({
  description: 'Confirmation of a deletion.',
  fields: (t) => ({
    deletedId: t.member('id', 'ID').describe('ID of the deleted object.'),
    deleted: t.boolean({ description: 'Always `true`.', resolve: () => true }),
    object: t.member('object', 'String').describe('Type of the deleted object, such as `plan`.'),
    livemode: t.livemode(),
  }),
});

restView('DeletedObject', 'DeletedObject', 'id: deletedId deleted object livemode');
