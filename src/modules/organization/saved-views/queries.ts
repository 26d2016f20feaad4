import { builder } from '../../../graphql/reading/builder.ts';
import { personOf } from '../members/store.ts';
import { listSavedViews } from './store.ts';
import { SavedView } from './types.ts';

builder.queryField('savedViews', (t) =>
  t.field({
    type: [SavedView],
    description:
      "Lists the saved views for a list, sorted by name. Includes the signed-in member's own views and shared views.",
    access: { member: 'any' },
    args: { list: t.arg.string({ required: true, description: 'Name of the list, such as `customers`.' }) },
    resolve: (_root, { list }, ctx) => listSavedViews(ctx, personOf(ctx.caller).id, list),
  }),
);
