import { builder } from '../../graphql/builder.ts';
import { listRows, pageArgs } from '../../graphql/pagination.ts';
import { CreditPackConnection } from './types.ts';

/** Lists of the catalogue answer this many when no page is asked for, so that a client that never pages loses nothing (protocols C6). */
const defaultSize = 1_000;

builder.queryField('creditPacks', (t) =>
  t.field({
    type: CreditPackConnection,
    description: 'Credit packs on sale, newest first: neither inactive nor deleted ones (CAT-46).',
    rest: { method: 'GET', path: '/credit-packs', view: 'CreditPackListItem', defaultLimit: defaultSize },
    access: { scope: 'read' },
    args: pageArgs(defaultSize),
    resolve: (_root, args, context) => listRows(context, 'CreditPack', args, { filter: { deletedAt: null, isActive: true }, defaultSize }),
  }),
);
