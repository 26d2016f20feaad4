import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { CreditPackConnection } from './types.ts';

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
