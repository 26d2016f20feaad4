import { builder } from '../../graphql/builder.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { emailList } from './list.ts';
import { loadEmailsAbout } from './load-about.ts';
import { EmailConnection, EmailStatus } from './types.ts';

builder.prismaObjectField('Customer', 'emails', (t) =>
  t.page('notifications', {
    description:
      'Emails the customer got automatically or is to get. Emails sent by `invoiceSend` are not among them.',
    where: { audience: 'customer' },
    list: emailList,
    filter: { status: t.arg({ type: EmailStatus, description: 'Only those that have come this far.' }) },
  }),
);

builder.prismaObjectField('Subscription', 'emails', (t) =>
  t.computed({
    type: EmailConnection,
    description: 'Emails about events of the subscription, newest first.',
    args: pageArgs(),
    columns: ['id', 'customerId'],
    resolve: ({ id, customerId }, args, ctx) =>
      loadEmailsAbout(ctx, 'subscription', { id, customerId }, args),
  }),
);

builder.prismaObjectField('Invoice', 'emails', (t) =>
  t.computed({
    type: EmailConnection,
    description: 'Emails about events that name the invoice, newest first.',
    args: pageArgs(),
    columns: ['id', 'customerId'],
    resolve: ({ id, customerId }, args, ctx) => loadEmailsAbout(ctx, 'invoice', { id, customerId }, args),
  }),
);
