import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { personOf } from '../members/store.ts';
import { loadSavedView, type SavedViewRow } from './store.ts';

export const SavedView = builder.objectRef<SavedViewRow>('SavedView').implement({
  ...node({ prefix: 'svw', access: { member: 'any' }, load: loadSavedView }),
  description:
    'A saved view of a list, with its filters, sort order, and columns. Applies to both environments.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `svw_`.'),
    list: t.member('list', 'String').describe('Name of the list that the view belongs to.'),
    name: t.member('name', 'String').describe('Name of the view.'),
    settings: t.member('settings', 'Json').describe("Settings of the view, in the dashboard's format."),
    isShared: t
      .member('isShared', 'Boolean')
      .describe('Whether every member of the organization sees the view.'),
    isOwn: t.boolean({
      description: 'Whether the signed-in person created the view and can therefore change the view.',
      resolve: ({ personId }, _args, ctx) => personId === personOf(ctx.caller).id,
    }),
    savedBy: t.string({
      description: 'Name of the person who saved the view.',
      resolve: ({ person }) => person.name,
    }),
    createdAt: t.member('createdAt', 'DateTime').describe('Time at which the view was created.'),
    updatedAt: t.member('updatedAt', 'DateTime').describe('Time at which the view was last changed.'),
  }),
});
