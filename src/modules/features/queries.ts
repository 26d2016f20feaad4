import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requireFeature } from './store.ts';
import { Feature, FeatureConnection } from './types.ts';

/** Lists of the catalog answer this many when no page is asked for, so that a client that never pages loses nothing. */
const defaultSize = 1_000;

builder.queryField('features', (t) =>
  t.field({
    type: FeatureConnection,
    description: 'The feature catalog, newest first.',
    rest: { method: 'GET', path: '/features', view: 'Feature', defaultLimit: defaultSize },
    access: { scope: 'read' },
    args: pageArgs(defaultSize),
    resolve: (_root, args, ctx) =>
      listRows(ctx, 'Feature', args, { filter: { deletedAt: null }, defaultSize }),
  }),
);

builder.queryField('feature', (t) =>
  t.field({
    type: Feature,
    description: 'One feature by its code; `feature_not_found` when there is none or it was deleted.',
    rest: { method: 'GET', path: '/features/{code}', view: 'Feature', errors: ['feature_not_found'] },
    access: { scope: 'read' },
    args: { code: t.arg.string({ required: true, description: 'Code of the feature.' }) },
    resolve: (_root, { code }, ctx) => requireFeature(ctx, code),
  }),
);
