import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { marketRows } from './store.ts';
import { Market, MarketConnection } from './types.ts';

/** Default page size for catalog lists. The default is large so that API clients that don't paginate get all objects. */
const defaultSize = 1_000;

builder.queryField('markets', (t) =>
  t.field({
    type: MarketConnection,
    description: 'Lists markets, newest first.',
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
    description: 'Returns a market.',
    rest: { method: 'GET', path: '/markets/{id}', view: 'Market' },
    errors: [['market_not_found', "the market doesn't exist or was deleted"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the market.' }) },
    resolve: (_root, { id }, ctx) => marketRows.require(ctx, id),
  }),
);
