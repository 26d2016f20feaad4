import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requireConnection } from './store.ts';
import { ConnectedAccount, ConnectedAccountConnection } from './types.ts';

builder.queryField('connectedAccounts', (t) =>
  t.field({
    type: ConnectedAccountConnection,
    description: "The organization's own accounts at payment providers, newest first.",
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'PaymentConnection', args, {}),
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
