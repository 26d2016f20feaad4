import type { EmailKind as EmailKindName } from '../../../domain/emails.ts';
import {
  type CheckoutSettings,
  checkoutSettingsOf,
  type PageTheme,
  type PortalSettings,
  pageLanguagesOf,
  portalSettingsOf,
  themeOf,
} from '../../../domain/page-settings.ts';
import { builder } from '../../../graphql/builder.ts';
import { node } from '../../../graphql/node.ts';
import { Currency } from '../../currencies/enums.ts';
import { loadOwnOrganization } from '../store.ts';

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

export const PageMode = builder.enumType('PageMode', {
  description: 'Colors of pages.',
  values: {
    auto: { description: 'As the browser of the customer prefers.' },
    light: { description: 'Dark text on light.' },
    dark: { description: 'Light text on dark.' },
  } as const,
});

export const PageFont = builder.enumType('PageFont', {
  description: 'Fonts of pages.',
  values: {
    system: { description: 'That of the device.' },
    serif: { description: 'A serif font of the device.' },
    rounded: { description: 'A rounded font of the device.' },
    mono: { description: 'A fixed-width font of the device.' },
  } as const,
});

export const CheckoutAddressMode = builder.enumType('CheckoutAddressMode', {
  description: 'When the checkout asks for an address.',
  values: {
    auto: { description: 'Where tax or a document needs it.' },
    always: { description: 'Always.' },
    never: { description: 'Never.' },
  } as const,
});

export const CheckoutFieldMode = builder.enumType('CheckoutFieldMode', {
  description: 'Whether the checkout asks for something.',
  values: {
    hidden: { description: 'It does not.' },
    optional: { description: 'It can be left empty.' },
    required: { description: 'It is needed.' },
  } as const,
});

export const PageThemeType = builder.objectRef<PageTheme>('PageTheme').implement({
  description: 'What the pages of an organization look like, beside its color and logo.',
  fields: (t) => ({
    mode: t.expose('mode', { type: PageMode, description: 'Colors.' }),
    radius: t.exposeInt('radius', { description: 'Radius of corners, in pixels.' }),
    font: t.expose('font', { type: PageFont, description: 'Font.' }),
  }),
});

export const PortalSettingsType = builder.objectRef<PortalSettings>('PortalSettings').implement({
  description: 'What customers can do in the portal. Anything else is `forbidden` there.',
  fields: (t) => ({
    changePlan: t.exposeBoolean('changePlan', { description: 'Change plan or interval.' }),
    cancel: t.exposeBoolean('cancel', { description: 'Cancel the subscription.' }),
    reactivate: t.exposeBoolean('reactivate', { description: 'Start a canceled subscription again.' }),
    updatePaymentMethod: t.exposeBoolean('updatePaymentMethod', { description: 'Replace the card.' }),
    updateDetails: t.exposeBoolean('updateDetails', { description: 'Change name, tax number and address.' }),
    purchase: t.exposeBoolean('purchase', {
      description: 'Buy credits and balance, and switch add-ons on and off.',
    }),
    seats: t.exposeBoolean('seats', { description: 'Change how many seats are held.' }),
    cancelReasons: t.exposeStringList('cancelReasons', {
      description: 'Reasons for a cancellation that are offered, in order.',
    }),
  }),
});

export const CheckoutSettingsType = builder.objectRef<CheckoutSettings>('CheckoutSettings').implement({
  description: 'What the checkout asks for.',
  fields: (t) => ({
    promoCodes: t.exposeBoolean('promoCodes', { description: 'Whether it has a field for promo codes.' }),
    addressMode: t.expose('addressMode', {
      type: CheckoutAddressMode,
      description: 'When it asks for an address.',
    }),
    phone: t.expose('phone', {
      type: CheckoutFieldMode,
      description: 'Whether it asks for a telephone number.',
    }),
    consent: t.exposeBoolean('consent', { description: 'Whether the terms have to be accepted.' }),
    savedCards: t.exposeBoolean('savedCards', {
      description:
        'Whether customers can pay with their stored card and its security code, here and at payment links.',
    }),
  }),
});

/** The fields that say how large the picture is. */
export const logoSize = {
  width: {
    nullable: true,
    description: 'Width of the picture, in pixels; null where `organizationLogoSet` did not store it.',
  },
  height: {
    nullable: true,
    description: 'Height of the picture, in pixels; null where `organizationLogoSet` did not store it.',
  },
} as const;

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
    logoWidth: t.exposeInt('logoWidth', logoSize.width),
    logoHeight: t.exposeInt('logoHeight', logoSize.height),
    replyTo: t.exposeString('replyTo', {
      nullable: true,
      description: 'Where answers to emails go; null for the sender of the installation.',
    }),
    notificationEmail: t.exposeString('notificationEmail', {
      nullable: true,
      description: 'Where alerts for the organization go; null when none are wanted.',
    }),
    language: t.expose('language', { type: Language, description: 'Language of emails and documents.' }),
    reportingCurrency: t.expose('reportingCurrency', {
      type: Currency,
      description: 'The currency pages show its metrics in.',
    }),
    slug: t.exposeString('slug', {
      nullable: true,
      description: 'Names it in addresses of pages; null when none was chosen.',
    }),
    pageTheme: t.computed({
      type: PageThemeType,
      description: 'What its pages look like.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => themeOf(pageSettings),
    }),
    portal: t.computed({
      type: PortalSettingsType,
      description: 'What customers can do in the portal.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => portalSettingsOf(pageSettings),
    }),
    checkout: t.computed({
      type: CheckoutSettingsType,
      description: 'What the checkout asks for.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => checkoutSettingsOf(pageSettings),
    }),
    pageLanguages: t.computed({
      type: [Language],
      description: 'Languages its pages are offered in; its own is among them.',
      columns: ['pageSettings', 'language'],
      resolve: ({ pageSettings, language }) => pageLanguagesOf(pageSettings, language),
    }),
    supportEmail: t.computed({
      type: 'String',
      nullable: true,
      description: 'Where customers write to for help; null for nowhere.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageSettings?.supportEmail ?? null,
    }),
    supportUrl: t.computed({
      type: 'String',
      nullable: true,
      description: 'A page with help for customers; null for none.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageSettings?.supportUrl ?? null,
    }),
    termsUrl: t.computed({
      type: 'String',
      nullable: true,
      description: 'A page with the terms; null for none.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageSettings?.termsUrl ?? null,
    }),
    privacyUrl: t.computed({
      type: 'String',
      nullable: true,
      description: 'A page about personal data; null for none.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageSettings?.privacyUrl ?? null,
    }),
    statementDescriptor: t.computed({
      type: 'String',
      nullable: true,
      description: 'What customers find on their card statements; null for the name.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageSettings?.statementDescriptor ?? null,
    }),
    embedOrigins: t.computed({
      type: ['String'],
      description: 'Origins of pages that may embed the checkout.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => [...(pageSettings?.embedOrigins ?? [])],
    }),
    returnOrigins: t.computed({
      type: ['String'],
      description: 'Origins that pages may lead back to; empty for any.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => [...(pageSettings?.returnOrigins ?? [])],
    }),
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
      description: 'True for a request with a live key.',
      columns: [],
      resolve: (_organization, _args, ctx) => ctx.livemode,
    }),
  }),
});
