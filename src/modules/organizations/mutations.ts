import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { Currency } from '../currencies/enums.ts';
import { archiveOrganization } from './archive.ts';
import { readOrganizationChanges } from './read-changes.ts';
import { setLogo } from './set-logo.ts';
import {
  CheckoutAddressMode,
  CheckoutFieldMode,
  EmailKind,
  Language,
  Organization,
  PageFont,
  PageMode,
} from './types/organization.ts';
import { updateOrganization } from './update.ts';

const text = (maxLength: number) => ({ nullable: true, minLength: 1, maxLength }) as const;

const link = { nullable: true, pattern: /^https:\/\/[^\s"'<>]+$/, format: 'uri', maxLength: 2_000 } as const;

const PageThemeInput = builder.inputType('PageThemeInput', {
  description: 'Changes to what pages look like; what is left out stays.',
  fields: (t) => ({
    mode: t.field({ type: PageMode, description: 'Colors. `auto` at first.' }),
    radius: t.int({
      rule: { minimum: 0, maximum: 24 },
      description: 'Radius of corners, 0 to 24 pixels. 8 at first.',
    }),
    font: t.field({ type: PageFont, description: 'Font. `system` at first.' }),
  }),
});

const PortalSettingsInput = builder.inputType('PortalSettingsInput', {
  description:
    'Changes to what customers can do in the portal; what is left out stays. At first they can do everything but change seats.',
  fields: (t) => ({
    changePlan: t.boolean({ description: 'Change plan or interval.' }),
    cancel: t.boolean({ description: 'Cancel the subscription.' }),
    reactivate: t.boolean({ description: 'Start a canceled subscription again.' }),
    updatePaymentMethod: t.boolean({ description: 'Replace the card.' }),
    updateDetails: t.boolean({ description: 'Change name, tax number and address.' }),
    purchase: t.boolean({ description: 'Buy credits and balance, and switch add-ons on and off.' }),
    seats: t.boolean({ description: 'Change how many seats are held. False at first.' }),
    cancelReasons: t.stringList({
      rule: { maxItems: 20 },
      description: 'Reasons for a cancellation to offer, up to 20 of 1 to 100 characters.',
    }),
  }),
});

const CheckoutSettingsInput = builder.inputType('CheckoutSettingsInput', {
  description: 'Changes to what the checkout asks for; what is left out stays.',
  fields: (t) => ({
    promoCodes: t.boolean({ description: 'Whether it has a field for promo codes. True at first.' }),
    addressMode: t.field({
      type: CheckoutAddressMode,
      description: 'When it asks for an address. `auto` at first.',
    }),
    phone: t.field({
      type: CheckoutFieldMode,
      description: 'Whether it asks for a telephone number. `hidden` at first.',
    }),
    consent: t.boolean({ description: 'Whether the terms have to be accepted. False at first.' }),
    savedCards: t.boolean({
      description:
        'Whether customers can pay with their stored card and its security code, here and at payment links. True at first.',
    }),
  }),
});

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
    reportingCurrency: t.field({ type: Currency, description: 'The currency pages show its metrics in.' }),
    slug: t.string({
      rule: { nullable: true, pattern: /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/ },
      description:
        'Names it in addresses of pages: 3 to 63 lower-case letters, digits and `-`, once in the installation; null for none.',
    }),
    pageTheme: t.field({ type: PageThemeInput, description: 'What its pages look like.' }),
    portal: t.field({ type: PortalSettingsInput, description: 'What customers can do in the portal.' }),
    checkout: t.field({ type: CheckoutSettingsInput, description: 'What the checkout asks for.' }),
    pageLanguages: t.field({ type: [Language], description: 'Languages its pages are offered in.' }),
    supportEmail: t.string({
      rule: { nullable: true, format: 'email', maxLength: 320 },
      description: 'Where customers write to for help; null for nowhere.',
    }),
    supportUrl: t.string({
      rule: link,
      description: 'An https page with help for customers; null for none.',
    }),
    termsUrl: t.string({ rule: link, description: 'An https page with the terms; null for none.' }),
    privacyUrl: t.string({ rule: link, description: 'An https page about personal data; null for none.' }),
    statementDescriptor: t.string({
      rule: { nullable: true, pattern: /^(?=.*[A-Za-z])[A-Za-z0-9 .,&#+/-]{5,22}$/ },
      description:
        'What customers find on their card statements: 5 to 22 characters of `A-Z a-z 0-9 .,&#+/-` and spaces, not digits alone; null for the name.',
    }),
    embedOrigins: t.stringList({
      rule: { maxItems: 20 },
      description: 'Origins of pages that may embed the checkout, such as `https://shop.example`; up to 20.',
    }),
    returnOrigins: t.stringList({
      rule: { maxItems: 20 },
      description: 'Origins that pages may lead back to; up to 20, empty for any.',
    }),
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
      "Changes the settings of the key's own organization, for its live and its sandbox environment alike. `duplicate` for a slug that is taken.",
    errors: ['duplicate'],
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: OrganizationUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updateOrganization(ctx, readOrganizationChanges(input)),
  }),
);

const OrganizationLogoSetInput = builder.inputType('OrganizationLogoSetInput', {
  description: 'A picture of an organization.',
  fields: (t) => ({
    image: t.string({
      rule: { nullable: true, maxLength: 280_000 },
      description:
        'A PNG, JPEG or WebP picture in Base64, at most 200 KB and 10,000 pixels wide and high; null to remove it.',
    }),
  }),
});

builder.mutationField('organizationLogoSet', (t) =>
  t.field({
    type: Organization,
    description:
      'Stores the logo of the organization, which is served from here; `logoUrl` then leads to it, and its size is known.',
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: OrganizationLogoSetInput, required: true, description: 'The picture.' }) },
    resolve: (_root, { input }, ctx) => setLogo(ctx, input.image ?? null),
  }),
);

const OrganizationArchiveInput = builder.inputType('OrganizationArchiveInput', {
  description: 'Which organization to archive.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the own organization, so that no other one is meant.' }),
  }),
});

builder.mutationField('organizationArchive', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Archives the organization permanently, with its live and its sandbox environment. Members, API keys, webhooks and customers’ pages lose access at once, its slug is free, and nothing is charged, sent or paid out any more. Its records are kept, but nobody can reach them; this cannot be undone. Only the owner can do this, in live.',
    errors: ['not_found'],
    access: { member: 'owner', environment: 'live', proof: true },
    args: {
      input: t.arg({ type: OrganizationArchiveInput, required: true, description: 'The organization.' }),
    },
    resolve: (_root, { input }, ctx) => archiveOrganization(ctx, input.id),
  }),
);
