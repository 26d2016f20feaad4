import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { loadPage, showTable } from './load-page.ts';
import { requireTable } from './store.ts';
import { PricingPage } from './types/page.ts';
import { PricingTable, PricingTableConnection } from './types/table.ts';

builder.queryField('pricingTables', (t) =>
  t.field({
    type: PricingTableConnection,
    description: 'Lists pricing tables, including inactive tables, newest first.',
    rest: { method: 'GET', path: '/pricing-tables', view: 'PricingTable' },
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'PricingTable', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('pricingTable', (t) =>
  t.field({
    type: PricingTable,
    description: 'Returns a pricing table.',
    rest: { method: 'GET', path: '/pricing-tables/{id}', view: 'PricingTable' },
    errors: [['not_found', "the pricing table doesn't exist or was deleted"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the pricing table.' }) },
    resolve: (_root, { id }, ctx) => requireTable(ctx, id),
  }),
);

builder.queryField('pricingPage', (t) =>
  t.field({
    type: PricingPage,
    description:
      'Returns the public page of a pricing table. Fails with `unauthorized` if the token is invalid.',
    errors: [['not_found', 'the pricing table is inactive or was deleted']],
    access: { page: 'pricing' },
    args: {
      token: t.arg.string({
        required: true,
        description: 'Token from the URL of the pricing page (the last path segment).',
      }),
      country: t.arg.string({
        rule: { format: 'country' },
        description:
          "Country of the visitor as an uppercase ISO 3166-1 alpha-2 code. The page shows the prices of the country's market, or otherwise the prices in the country's currency. Defaults to prices in USD.",
      }),
    },
    resolve: (_root, { country }, ctx) => loadPage(ctx, country ?? null),
  }),
);

builder.queryField('pricingTablePreview', (t) =>
  t.field({
    type: PricingPage,
    description: 'Returns the page of a pricing table, even if the table is inactive.',
    errors: [['not_found', "the pricing table doesn't exist or was deleted"]],
    access: { scope: 'read' },
    args: {
      id: t.arg.id({ required: true, description: 'ID of the pricing table.' }),
      country: t.arg.string({
        rule: { format: 'country' },
        description:
          'Country of the visitor as an uppercase ISO 3166-1 alpha-2 code. Defaults to prices in USD.',
      }),
    },
    resolve: async (_root, { id, country }, ctx) =>
      showTable(ctx, await requireTable(ctx, id), country ?? null),
  }),
);
