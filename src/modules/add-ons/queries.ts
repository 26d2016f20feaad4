import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requireAddon } from './store.ts';
import { Addon, AddonConnection } from './types.ts';

builder.queryField('addons', (t) =>
  t.field({
    type: AddonConnection,
    description: 'The add-on catalog, newest first.',
    rest: { method: 'GET', path: '/addons', view: 'Addon' },
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'Addon', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('addon', (t) =>
  t.field({
    type: Addon,
    description: 'One add-on by id or slug; `addon_not_found` when there is none or it was deleted.',
    rest: { method: 'GET', path: '/addons/{id}', view: 'Addon', errors: ['addon_not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the add-on, else its slug.' }) },
    resolve: (_root, { id }, ctx) => requireAddon(ctx, id),
  }),
);
