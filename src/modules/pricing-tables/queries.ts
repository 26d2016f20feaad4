import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { loadPage, showTable } from './load-page.ts';
import { requireTable } from './store.ts';
import { PricingPage } from './types/page.ts';
import { PricingTable, PricingTableConnection } from './types/table.ts';

builder.queryField('pricingTables', (t) =>
  t.field({
    type: PricingTableConnection,
    description: 'Pricing tables, those that are off too, newest first.',
    rest: { method: 'GET', path: '/pricing-tables', view: 'PricingTable' },
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'PricingTable', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('pricingTable', (t) =>
  t.field({
    type: PricingTable,
    description: 'One pricing table; `not_found` when there is none or it was deleted.',
    rest: { method: 'GET', path: '/pricing-tables/{id}', view: 'PricingTable', errors: ['not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the table.' }) },
    resolve: (_root, { id }, ctx) => requireTable(ctx, id),
  }),
);

builder.queryField('pricingPage', (t) =>
  t.field({
    type: PricingPage,
    description:
      'What the page of a pricing table shows to everybody; `unauthorized` for a token that was not issued here, `not_found` for a table that is off or was deleted.',
    errors: ['not_found'],
    access: { page: 'pricing' },
    args: {
      token: t.arg.string({ required: true, description: 'The last part of the address of the page.' }),
      country: t.arg.string({
        rule: { format: 'country' },
        description:
          'Where the visitor is, ISO 3166-1 alpha-2 in upper case: the prices are those of its market, else of its currency. Defaults to US dollars.',
      }),
    },
    resolve: (_root, { country }, ctx) => loadPage(ctx, country ?? null),
  }),
);

builder.queryField('pricingTablePreview', (t) =>
  t.field({
    type: PricingPage,
    description:
      'What the page of a pricing table shows, also while it is off; `not_found` when there is none.',
    errors: ['not_found'],
    access: { scope: 'read' },
    args: {
      id: t.arg.id({ required: true, description: 'Id of the table.' }),
      country: t.arg.string({
        rule: { format: 'country' },
        description: 'Where the visitor is, ISO 3166-1 alpha-2 in upper case. Defaults to US dollars.',
      }),
    },
    resolve: async (_root, { id, country }, ctx) =>
      showTable(ctx, await requireTable(ctx, id), country ?? null),
  }),
);
