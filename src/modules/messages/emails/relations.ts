import { builder } from '../../../graphql/reading/builder.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { emailList } from './list.ts';
import { loadEmailsAbout } from './load-about.ts';
import { EmailConnection, EmailStatus } from './types.ts';

builder.prismaObjectField('Customer', 'emails', (t) =>
  t.page('notifications', {
    description:
      'Emails that the customer receives automatically, including scheduled emails. Excludes emails sent by `invoiceSend`.',
    where: { audience: 'customer' },
    list: emailList,
    filter: {
      status: t.arg({
        type: EmailStatus,
        description: 'Status of the emails to include. Defaults to all statuses.',
      }),
    },
  }),
);

builder.prismaObjectField('Subscription', 'emails', (t) =>
  t.computed({
    type: EmailConnection,
    description: "Emails about the subscription's events, newest first.",
    args: pageArgs(),
    columns: ['id', 'customerId'],
    resolve: ({ id, customerId }, args, ctx) =>
      loadEmailsAbout(ctx, 'subscription', { id, customerId }, args),
  }),
);

builder.prismaObjectField('Invoice', 'emails', (t) =>
  t.computed({
    type: EmailConnection,
    description: "Emails about the invoice's events, newest first.",
    args: pageArgs(),
    columns: ['id', 'customerId'],
    resolve: ({ id, customerId }, args, ctx) => loadEmailsAbout(ctx, 'invoice', { id, customerId }, args),
  }),
);
