import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { loadActor, loadActorName } from '../events/store.ts';
import { EventActor } from '../events/types.ts';

export const CustomerNote = builder.prismaObject('CustomerNote', {
  ...node({ prefix: 'note' }),
  description: 'A note about a customer, for the organization alone: no page and no email shows it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `note_…`.' }),
    text: t.exposeString('text', { description: 'What it says, plain text.' }),
    author: t.computed({
      type: EventActor,
      nullable: true,
      description:
        'Who wrote it: an API key or a member. Null for one that is gone, and for one the caller may not see.',
      columns: ['source', 'actorId'],
      resolve: (note, _args, ctx) => loadActor(ctx, { ...note, customerId: null }),
    }),
    authorName: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Name of who wrote it, even when the key or the member is gone; null for one without a name.',
      columns: ['source', 'actorId'],
      resolve: (note, _args, ctx) => loadActorName(ctx, { ...note, customerId: null }),
    }),
    editor: t.computed({
      type: EventActor,
      nullable: true,
      description:
        'Who changed it last; the author while it was not changed. Null for one that is gone, and for one the caller may not see.',
      columns: ['editSource', 'editorId'],
      resolve: ({ editSource: source, editorId: actorId }, _args, ctx) =>
        loadActor(ctx, { source, actorId, customerId: null }),
    }),
    editorName: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Name of who changed it last, even when the key or the member is gone; null for one without a name.',
      columns: ['editSource', 'editorId'],
      resolve: ({ editSource: source, editorId: actorId }, _args, ctx) =>
        loadActorName(ctx, { source, actorId, customerId: null }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    customer: t.row('customer', { description: 'Whom it is about.' }),
    object: t.string({ description: 'Always `customer_note`.', resolve: () => 'customer_note' }),
    livemode: t.livemode(),
  }),
});

export const CustomerNoteConnection = connectionOf('CustomerNote', CustomerNote, 'customer notes');

builder.prismaObjectField('Customer', 'notes', (t) =>
  t.page('notes', { description: 'What members and programs noted about the customer.' }),
);
