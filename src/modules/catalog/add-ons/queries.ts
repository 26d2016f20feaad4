import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { addonRows } from './store.ts';
import { Addon, AddonConnection } from './types.ts';

builder.queryField('addons', (t) =>
  t.field({
    type: AddonConnection,
    description: 'Lists add-ons, newest first.',
    rest: { method: 'GET', path: '/addons', view: 'Addon' },
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'Addon', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('addon', (t) =>
  t.field({
    type: Addon,
    description: 'Returns an add-on by ID or slug.',
    rest: { method: 'GET', path: '/addons/{id}', view: 'Addon' },
    errors: [['addon_not_found', "the add-on doesn't exist or was deleted"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Add-on ID or slug.' }) },
    resolve: (_root, { id }, ctx) => addonRows.require(ctx, id),
  }),
);
