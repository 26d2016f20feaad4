import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { listRoutes, requireConnection } from './store.ts';
import { ConnectedAccount, ConnectedAccountConnection, PaymentRoute } from './types.ts';

builder.queryField('connectedAccounts', (t) =>
  t.field({
    type: ConnectedAccountConnection,
    description: "The organization's own accounts at payment providers, newest first.",
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'PaymentConnection', args, {}),
  }),
);

builder.queryField('paymentRoutes', (t) =>
  t.field({
    type: [PaymentRoute],
    description: 'Where new checkouts of each routed country go, by country.',
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => listRoutes(ctx),
  }),
);

builder.queryField('connectedAccount', (t) =>
  t.field({
    type: ConnectedAccount,
    description: 'One account of the organization at a payment provider; `not_found` when there is none.',
    errors: ['not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the connection.' }) },
    resolve: (_root, { id }, ctx) => requireConnection(ctx, id),
  }),
);
