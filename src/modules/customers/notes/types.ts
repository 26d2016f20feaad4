import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { loadActor, loadActorName } from '../actors/store.ts';
import { EventActor } from '../actors/types.ts';

export const CustomerNote = builder.prismaObject('CustomerNote', {
  ...node({ prefix: 'note' }),
  description: 'Internal note about a customer. Notes never appear on hosted pages or in emails.',
  fields: (t) => ({
    ...t.columns('id', 'text'),
    author: t.computed({
      type: EventActor,
      nullable: true,
      description:
        "API key or member that created the note. `null` if the author was deleted or isn't visible to the caller.",
      columns: ['source', 'actorId'],
      resolve: (note, _args, ctx) => loadActor(ctx, { ...note, customerId: null }),
    }),
    authorName: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Name of the author. Remains available after the API key or the member is deleted. `null` if the author has no name.',
      columns: ['source', 'actorId'],
      resolve: (note, _args, ctx) => loadActorName(ctx, { ...note, customerId: null }),
    }),
    editor: t.computed({
      type: EventActor,
      nullable: true,
      description:
        "API key or member that last edited the note, or the author if the note has never been edited. `null` if the editor was deleted or isn't visible to the caller.",
      columns: ['editSource', 'editorId'],
      resolve: ({ editSource: source, editorId: actorId }, _args, ctx) =>
        loadActor(ctx, { source, actorId, customerId: null }),
    }),
    editorName: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Name of the last editor. Remains available after the API key or the member is deleted. `null` if the editor has no name.',
      columns: ['editSource', 'editorId'],
      resolve: ({ editSource: source, editorId: actorId }, _args, ctx) =>
        loadActorName(ctx, { source, actorId, customerId: null }),
    }),
    ...t.columns('createdAt', 'updatedAt'),
    customer: t.row('customer', { description: 'Customer that the note refers to.' }),
    ...t.resource('customer_note'),
  }),
});

connectionOf('CustomerNote', CustomerNote, 'customer notes');

builder.prismaObjectField('Customer', 'notes', (t) =>
  t.page('notes', {
    description: 'Notes that members and API clients wrote about the customer, newest first.',
  }),
);
