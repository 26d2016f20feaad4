import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { featureRows } from './store.ts';
import { Feature, FeatureConnection } from './types.ts';

/** Default page size for catalog lists. The default is large so that API clients that don't paginate get all objects. */
const defaultSize = 1_000;

builder.queryField('features', (t) =>
  t.field({
    type: FeatureConnection,
    description: 'Lists features, newest first.',
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
    description: 'Returns a feature by its code.',
    rest: { method: 'GET', path: '/features/{code}', view: 'Feature' },
    errors: [['feature_not_found', "the feature doesn't exist or was deleted"]],
    access: { scope: 'read' },
    args: { code: t.arg.string({ required: true, description: 'Code of the feature.' }) },
    resolve: (_root, { code }, ctx) => featureRows.require(ctx, code),
  }),
);
