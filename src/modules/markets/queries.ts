import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requireMarket } from './store.ts';
import { Market, MarketConnection } from './types.ts';

/** Lists of the catalog answer this many when no page is asked for, so that a client that never pages loses nothing. */
const defaultSize = 1_000;

builder.queryField('markets', (t) =>
  t.field({
    type: MarketConnection,
    description: 'Markets, newest first.',
    rest: { method: 'GET', path: '/markets', view: 'Market', defaultLimit: defaultSize },
    access: { scope: 'read' },
    args: pageArgs(defaultSize),
    resolve: (_root, args, ctx) =>
      listRows(ctx, 'Market', args, { filter: { deletedAt: null }, defaultSize }),
  }),
);

builder.queryField('market', (t) =>
  t.field({
    type: Market,
    description: 'One market; `market_not_found` when there is none or it was deleted.',
    rest: { method: 'GET', path: '/markets/{id}', view: 'Market', errors: ['market_not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the market.' }) },
    resolve: (_root, { id }, ctx) => requireMarket(ctx, id),
  }),
);
