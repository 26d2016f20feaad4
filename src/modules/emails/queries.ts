import { builder } from '../../graphql/builder.ts';
import { single, withMembers } from '../../graphql/list-rows.ts';
import { readList } from '../../graphql/lists.ts';
import { requireCustomer } from '../customers/store.ts';
import { EmailKind, Language } from '../organizations/types/organization.ts';
import { emailList } from './list.ts';
import { previewEmail } from './preview-email.ts';
import { EmailConnection, EmailPreview, EmailStatus } from './types.ts';

builder.queryField('emails', (t) =>
  t.field({
    type: EmailConnection,
    description:
      'Emails customers got automatically or are to get, newest first. Emails sent by `invoiceSend` are not among them.',
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      ...emailList.args,
      customerId: t.arg.string({
        description: 'Our id of a customer, else its external id; `customer_not_found` when there is none.',
      }),
      kind: t.arg({ type: EmailKind, description: 'Only those about this.' }),
      status: t.arg({ type: EmailStatus, description: 'Only those that have come this far.' }),
    },
    resolve: async (_root, { customerId, kind, status, ...page }, ctx) => {
      const customer = customerId ? await requireCustomer(ctx, customerId, 'customerId') : undefined;
      const filter = { audience: 'customer', customerId: customer?.id };
      const members = { kinds: single(kind), statuses: single(status) };
      return readList(ctx, emailList, withMembers(page, members), { filter });
    },
  }),
);

builder.queryField('emailPreview', (t) =>
  t.field({
    type: EmailPreview,
    description:
      'An email of a kind as the organization sends it to customers, about an example of 49.00 US dollars. Sends nothing.',
    access: { scope: 'read' },
    args: {
      kind: t.arg({ type: EmailKind, required: true, description: 'What it is about.' }),
      language: t.arg({ type: Language, description: 'Its language. Defaults to that of the organization.' }),
    },
    resolve: (_root, { kind, language }, ctx) => previewEmail(ctx, kind, language ?? null),
  }),
);
