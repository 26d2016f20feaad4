import { builder } from '../../graphql/builder.ts';
import { personOf } from '../members/store.ts';
import { listSavedViews } from './store.ts';
import { SavedView } from './types.ts';

builder.queryField('savedViews', (t) =>
  t.field({
    type: [SavedView],
    description: 'The views of a list: those of the member who is signed in and the shared ones, by name.',
    access: { member: 'member' },
    args: { list: t.arg.string({ required: true, description: 'The list, such as `customers`.' }) },
    resolve: (_root, { list }, ctx) => listSavedViews(ctx, personOf(ctx.caller).id, list),
  }),
);
