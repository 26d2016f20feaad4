import type { EmailKind as EmailKindName } from '../../domain/emails.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { loadOwnOrganization, type OrganizationRow } from './store.ts';

export const Language = builder.enumType('Language', {
  description: 'Languages of emails and documents.',
  values: { en: { description: 'English.' }, es: { description: 'Spanish.' } },
});

export const EmailKind = builder.enumType('EmailKind', {
  description: 'Kinds of emails customers get automatically.',
  values: {
    checkout: { description: 'A checkout is open.' },
    receipt: { description: 'A charge settled.' },
    invoice: { description: 'An invoice waits to be paid.' },
    payment_failed: { description: 'A charge failed; it leads to the page where it can be made good.' },
    trial_ending: { description: 'A trial ends soon.' },
    subscription_canceled: { description: 'A subscription ended.' },
    refund: { description: 'Money goes back.' },
  } as const,
});

export const Organization = builder.prismaObject('Organization', {
  ...node({ prefix: 'org', load: loadOwnOrganization }),
  description:
    'Who bills through the service. Its settings hold for its live and its sandbox environment alike.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `org_…`.' }),
    name: t.exposeString('name', { description: 'What payers know it by.' }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'ISO 3166-1 alpha-2, upper case; null when none was given.',
    }),
    businessType: t.exposeString('businessType', {
      nullable: true,
      description: 'Kind of business; null when none was given.',
    }),
    issuerName: t.exposeString('issuerName', {
      nullable: true,
      description: 'Legal name on documents; null to use `name`.',
    }),
    issuerAddress: t.exposeString('issuerAddress', {
      nullable: true,
      description: 'Address on documents, its lines separated by line breaks; null when none was given.',
    }),
    issuerTaxId: t.exposeString('issuerTaxId', {
      nullable: true,
      description: 'Tax number on documents; null when none was given.',
    }),
    accentColor: t.exposeString('accentColor', {
      nullable: true,
      description: 'Color of documents and emails, `#rrggbb`; null for ours.',
    }),
    customerEmails: t.exposeBoolean('customerEmails', {
      description: 'False keeps the service from writing to customers.',
    }),
    mutedEmailKinds: t.computed({
      type: [EmailKind],
      description: 'Kinds of emails customers are not sent.',
      // Checked where they came in.
      columns: ['mutedEmailKinds'],
      resolve: ({ mutedEmailKinds }) => mutedEmailKinds as EmailKindName[],
    }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description: 'A picture at the head of emails; null for none.',
    }),
    replyTo: t.exposeString('replyTo', {
      nullable: true,
      description: 'Where answers to emails go; null for the sender of the installation.',
    }),
    notificationEmail: t.exposeString('notificationEmail', {
      nullable: true,
      description: 'Where alerts for the organization go; null when none are wanted.',
    }),
    language: t.expose('language', { type: Language, description: 'Language of emails and documents.' }),
    cardPromotions: t.exposeBoolean('cardPromotions', {
      description: 'Whether offers can be tied to cards; who runs the service switches it.',
    }),
    pinnedVersion: t.exposeString('pinnedVersion', {
      nullable: true,
      description: 'Version of requests without `Service-Version`; null for the current one.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Operational time of creation.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Operational time of the last change.',
    }),
    object: t.string({ description: 'Always `organization`.', resolve: () => 'organization' }),
    livemode: t.computed({
      type: 'Boolean',
      description: 'True when asked for with a live key.',
      columns: [],
      resolve: (_organization, _args, ctx) => ctx.livemode,
    }),
  }),
});

export const SellerBranding = builder
  .objectRef<Pick<OrganizationRow, 'accentColor' | 'logoUrl'>>('SellerBranding')
  .implement({
    description: 'How the pages of a seller look.',
    fields: (t) => ({
      accentColor: t.exposeString('accentColor', {
        nullable: true,
        description: 'Color of buttons and links, `#rrggbb`; null for the default.',
      }),
      logoUrl: t.exposeString('logoUrl', {
        nullable: true,
        description: 'A picture at the head of the page; null for none.',
      }),
    }),
  });
