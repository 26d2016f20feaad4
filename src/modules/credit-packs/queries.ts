import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { CreditPackConnection } from './types.ts';

/** Lists of the catalog answer this many when no page is asked for, so that a client that never pages loses nothing. */
const defaultSize = 1_000;

builder.queryField('creditPacks', (t) =>
  t.field({
    type: CreditPackConnection,
    description:
      'Credit packs on sale, newest first; those off sale too when asked for. Deleted ones are not listed.',
    rest: { method: 'GET', path: '/credit-packs', view: 'CreditPackListItem', defaultLimit: defaultSize },
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      includeInactive: t.arg.boolean({
        rule: { default: false },
        description: 'True lists packs that are off sale too. Defaults to false.',
      }),
    },
    resolve: (_root, args, ctx) =>
      listRows(ctx, 'CreditPack', args, {
        filter: { deletedAt: null, isActive: args.includeInactive ? undefined : true },
        defaultSize,
      }),
  }),
);
