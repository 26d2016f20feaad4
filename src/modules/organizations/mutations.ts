import { builder } from '../../graphql/builder.ts';
import { name } from '../../graphql/shapes.ts';
import { EmailKind, Language, Organization } from './types.ts';
import { updateOrganization } from './update.ts';

const text = (maxLength: number) => ({ nullable: true, minLength: 1, maxLength }) as const;

const OrganizationUpdateInput = builder.inputType('OrganizationUpdateInput', {
  description:
    'Changes to the settings of an organization; what is left out stays, null takes away what can be absent.',
  fields: (t) => ({
    name: t.string({ rule: name, description: 'What payers know it by, 1 to 200 characters.' }),
    country: t.string({
      rule: { nullable: true, format: 'country' },
      description: 'ISO 3166-1 alpha-2, upper case.',
    }),
    businessType: t.string({ rule: text(200), description: 'Kind of business, up to 200 characters.' }),
    issuerName: t.string({
      rule: text(200),
      description: 'Legal name on documents, up to 200 characters; null to use `name`.',
    }),
    issuerAddress: t.string({
      rule: { ...text(1_000), multiline: true },
      description: 'Address on documents, lines separated by line breaks, up to 1 000 characters.',
    }),
    issuerTaxId: t.string({ rule: text(100), description: 'Tax number on documents, up to 100 characters.' }),
    accentColor: t.string({
      rule: { nullable: true, pattern: /^#[0-9A-Fa-f]{6}$/ },
      description: 'Color of documents and emails, `#rrggbb`; null for ours.',
    }),
    customerEmails: t.boolean({ description: 'False keeps the service from writing to customers.' }),
    mutedEmailKinds: t.field({
      type: [EmailKind],
      description: 'Kinds of emails customers are not sent; empty for none.',
    }),
    logoUrl: t.string({
      rule: { nullable: true, pattern: /^https:\/\/[^\s"'<>]+$/, format: 'uri', maxLength: 2_000 },
      description:
        'An https address of a picture at the head of emails, shown 40 pixels high; null for none.',
    }),
    replyTo: t.string({
      rule: { nullable: true, format: 'email', maxLength: 320 },
      description: 'Where answers to emails go; null for the sender of the installation.',
    }),
    notificationEmail: t.string({
      rule: { nullable: true, format: 'email', maxLength: 320 },
      description: 'Where alerts for the organization go; null for nowhere.',
    }),
    language: t.field({ type: Language, description: 'Language of emails and documents.' }),
    pinnedVersion: t.string({
      rule: { nullable: true, pattern: /^\d{4}-\d{2}-\d{2}$/ },
      description:
        'Version of requests without `Service-Version`; null, and a version no one knows, mean the current one.',
    }),
  }),
});

builder.mutationField('organizationUpdate', (t) =>
  t.field({
    type: Organization,
    description:
      "Changes the settings of the key's own organization, for its live and its sandbox environment alike.",
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: OrganizationUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updateOrganization(ctx, input),
  }),
);
