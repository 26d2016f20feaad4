import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { single, withMembers } from '../../../graphql/reading/list-rows.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { EmailKind, Language } from '../../organization/organizations/types/organization.ts';
import { emailList } from './list.ts';
import { previewEmail } from './preview-email.ts';
import { EmailConnection, EmailPreview, EmailStatus } from './types.ts';

builder.queryField('emails', (t) =>
  t.field({
    type: EmailConnection,
    description:
      'Lists emails that customers receive automatically, including scheduled emails. Newest first by default. Excludes emails sent by `invoiceSend`.',
    errors: [['customer_not_found', "`customerId` doesn't exist"]],
    access: { scope: 'read' },
    args: {
      ...emailList.args,
      customerId: t.arg.string({
        description: 'ID or external ID of the customer whose emails to include.',
      }),
      kind: t.arg({ type: EmailKind, description: 'Type of the emails to include. Defaults to all types.' }),
      status: t.arg({
        type: EmailStatus,
        description: 'Status of the emails to include. Defaults to all statuses.',
      }),
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
      "Renders an example customer email of the given type, with an amount of 49.00 US dollars. The email isn't sent.",
    access: { scope: 'read' },
    args: {
      kind: t.arg({ type: EmailKind, required: true, description: 'Type of the email.' }),
      language: t.arg({
        type: Language,
        description: "Language of the email. Defaults to the organization's language.",
      }),
    },
    complexity: { field: workCosts.preview },
    resolve: (_root, { kind, language }, ctx) => previewEmail(ctx, kind, language ?? null),
  }),
);
