import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { CreditPackConnection } from './types.ts';

/** Lists of the catalog answer this many when no page is asked for, so that a client that never pages loses nothing. */
const defaultSize = 1_000;

builder.queryField('creditPacks', (t) =>
  t.field({
    type: CreditPackConnection,
    description: 'Credit packs on sale, newest first: neither inactive nor deleted ones.',
    rest: { method: 'GET', path: '/credit-packs', view: 'CreditPackListItem', defaultLimit: defaultSize },
    access: { scope: 'read' },
    args: pageArgs(defaultSize),
    resolve: (_root, args, ctx) =>
      listRows(ctx, 'CreditPack', args, { filter: { deletedAt: null, isActive: true }, defaultSize }),
  }),
);
