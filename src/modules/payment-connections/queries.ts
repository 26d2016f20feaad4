import { builder } from '../../graphql/builder.ts';
import { listRows, pageArgs } from '../../graphql/pagination.ts';
import { requireConnection } from './service.ts';
import { ConnectedAccount, ConnectedAccountConnection } from './types.ts';

builder.queryField('paymentConnections', (t) =>
  t.field({
    type: ConnectedAccountConnection,
    description: "The organization's own accounts at payment providers, newest first.",
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, context) => listRows(context, 'PaymentConnection', args, {}),
  }),
);

builder.queryField('paymentConnection', (t) =>
  t.field({
    type: ConnectedAccount,
    description: 'One account of the organization at a payment provider; `not_found` when there is none.',
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the connection.' }) },
    resolve: (_root, { id }, context) => requireConnection(context, id),
  }),
);
