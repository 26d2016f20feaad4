import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { personOf } from '../members/store.ts';
import { loadSavedView, type SavedViewRow } from './store.ts';

export const SavedView = builder.objectRef<SavedViewRow>('SavedView').implement({
  ...node({ prefix: 'svw', access: { member: 'member' }, load: loadSavedView }),
  description: 'A list as a member arranged it: filters, order, columns. It holds for both environments.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `svw_…`.' }),
    list: t.exposeString('list', { description: 'The list it belongs to, as it was saved.' }),
    name: t.exposeString('name', { description: 'What its person calls it.' }),
    settings: t.field({
      type: 'Json',
      description: 'What it keeps; its shape belongs to the dashboard.',
      resolve: ({ settings }) => settings,
    }),
    isShared: t.exposeBoolean('isShared', {
      description: 'Whether every member of the organization sees it.',
    }),
    isOwn: t.boolean({
      description: 'Whether the person who is signed in saved it, and can change it.',
      resolve: ({ personId }, _args, ctx) => personId === personOf(ctx.caller).id,
    }),
    savedBy: t.string({ description: 'Name of who saved it.', resolve: ({ person }) => person.name }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Operational time of creation.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Operational time of the last change.',
    }),
  }),
});
