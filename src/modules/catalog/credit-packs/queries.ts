import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { listAssets, requireAsset } from './store.ts';
import { Asset, CreditPackConnection } from './types.ts';

/** Default page size for catalog lists. The default is large so that API clients that don't paginate get all objects. */
const defaultSize = 1_000;

builder.queryField('creditPacks', (t) =>
  t.field({
    type: CreditPackConnection,
    description: 'Lists active credit packs, newest first. Set `includeInactive` to include inactive packs.',
    rest: { method: 'GET', path: '/credit-packs', view: 'CreditPackListItem', defaultLimit: defaultSize },
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      includeInactive: t.arg.boolean({
        rule: { default: false },
        description: 'Whether to include inactive credit packs. Defaults to `false`.',
      }),
    },
    resolve: (_root, args, ctx) =>
      listRows(ctx, 'CreditPack', args, {
        filter: { deletedAt: null, isActive: args.includeInactive ? undefined : true },
        defaultSize,
      }),
  }),
);

builder.queryField('assets', (t) =>
  t.field({
    type: [Asset],
    description: 'Returns the custom units of the environment: `credits` first, then the oldest.',
    rest: { method: 'GET', path: '/assets', view: 'Asset' },
    access: { scope: 'read' },
    args: {
      includeArchived: t.arg.boolean({
        rule: { default: false },
        description: 'Whether to include archived units. Defaults to `false`.',
      }),
    },
    resolve: (_root, { includeArchived }, ctx) => listAssets(ctx, includeArchived === true),
  }),
);

builder.queryField('asset', (t) =>
  t.field({
    type: Asset,
    description: 'Returns a custom unit, which can be archived.',
    rest: { method: 'GET', path: '/assets/{code}', view: 'Asset' },
    errors: ['not_found'],
    access: { scope: 'read' },
    args: { code: t.arg.string({ required: true, description: 'Code of the unit.' }) },
    resolve: (_root, { code }, ctx) => requireAsset(ctx, code),
  }),
);
