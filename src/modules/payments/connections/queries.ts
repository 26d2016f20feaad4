import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { connectionRows, listRoutes } from './store.ts';
import { ConnectedAccount, ConnectedAccountConnection, PaymentRoute } from './types.ts';

builder.queryField('connectedAccounts', (t) =>
  t.field({
    type: ConnectedAccountConnection,
    description: "Lists the organization's accounts at payment providers, newest first.",
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'PaymentConnection', args, {}),
  }),
);

builder.queryField('paymentRoutes', (t) =>
  t.field({
    type: [PaymentRoute],
    description: 'Returns the payment routes for new checkouts, sorted by country.',
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => listRoutes(ctx),
  }),
);

builder.queryField('connectedAccount', (t) =>
  t.field({
    type: ConnectedAccount,
    description: 'Returns an account of the organization at a payment provider.',
    errors: ['not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the connected account.' }) },
    resolve: (_root, { id }, ctx) => connectionRows.require(ctx, id),
  }),
);
