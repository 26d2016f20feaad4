import type { EmailKind as EmailKindName } from '../../../../domain/messages/emails.ts';
import { pageOrigins } from '../../../../domain/pages/page-origin.ts';
import {
  type CheckoutSettings,
  checkoutSettingsOf,
  type PageTheme,
  type PortalSettings,
  pageLanguagesOf,
  portalSettingsOf,
  themeOf,
} from '../../../../domain/pages/page-settings.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { loadOwnOrganization } from '../store.ts';

export const Language = builder.enumType('Language', {
  description: 'Language of customer emails, documents, and hosted pages.',
  values: {
    en: { description: 'English.' },
    es: { description: 'Spanish.' },
    pt_BR: { description: 'Portuguese (Brazil).' },
  },
});

export const LastRetryAction = builder.enumType('LastRetryAction', {
  description: 'Effect of the last declined payment retry on a subscription.',
  values: {
    cancel: { description: 'The invoice becomes uncollectible, and the subscription is canceled.' },
    keep_past_due: {
      description:
        'The invoice stays outstanding, and the subscription stays past due until the invoice is paid or the subscription is canceled.',
    },
  } as const,
});

export const ProcessingAccess = builder.enumType('ProcessingAccess', {
  description: 'Access while the first payment of a subscription is processing.',
  values: {
    grant: {
      description: 'The subscription is active. If the payment fails, the subscription becomes past due.',
    },
    wait: { description: 'The subscription stays `pending_payment` until the payment is confirmed.' },
  } as const,
});

export const CreditOrder = builder.enumType('CreditOrder', {
  description: 'Order in which invoices use customer credits.',
  values: {
    oldest: { description: 'The oldest credit is used first.' },
    soonest_expiry: {
      description: 'The credit that expires next is used first. Credits that never expire are used last.',
    },
  } as const,
});

export const EmailKind = builder.enumType('EmailKind', {
  description: 'Type of email that customers receive automatically.',
  values: {
    checkout: { description: 'Email about an open checkout.' },
    receipt: { description: 'Receipt for a successful charge.' },
    invoice: { description: 'Invoice that is ready to be paid.' },
    payment_failed: { description: 'Email about a failed charge, with a link to pay.' },
    trial_ending: { description: 'Reminder that a free trial ends soon.' },
    card_expiring: { description: 'Reminder that a card expires before the next charge.' },
    subscription_canceled: { description: 'Confirmation that a subscription ended.' },
    refund: { description: 'Confirmation of a refund.' },
    credit_note: { description: 'Credit note for an invoice.' },
    lot_expiring: { description: 'Reminder that a prepaid amount expires in 7 days.' },
    commitment_ended: { description: 'Notice that a prepaid commitment ended.' },
    top_up_failed: { description: 'Notice of the first declined charge of an automatic top-up.' },
    top_up_paused: { description: 'Notice that an automatic top-up was paused.' },
    mandate_accepted: { description: 'Confirmation of a mandate for bank debits.' },
    debit_notice: { description: 'Notice of a bank debit before its collection.' },
    method_needed: {
      description: 'Notice that a mandate ended, and the subscription needs another payment method.',
    },
    usage_limit: {
      description:
        'Notice that usage reached a threshold or the amount of a limit, or exceeded the amount. Only for limits with the channel `customer_email`.',
    },
  } as const,
});

export const PageMode = builder.enumType('PageMode', {
  description: 'Color scheme of hosted pages.',
  values: {
    auto: { description: "Pages follow the preference of the customer's browser." },
    light: { description: 'Pages have dark text on a light background.' },
    dark: { description: 'Pages have light text on a dark background.' },
  } as const,
});

export const PageFont = builder.enumType('PageFont', {
  description: 'Font family of hosted pages.',
  values: {
    system: { description: "The device's default font." },
    serif: { description: "The device's default serif font." },
    rounded: { description: "The device's default rounded font." },
    mono: { description: "The device's default monospaced font." },
  } as const,
});

export const CheckoutAddressMode = builder.enumType('CheckoutAddressMode', {
  description: 'Condition for showing the address fields at checkout.',
  values: {
    auto: {
      description:
        "The address is optional. A country is required if the organization has a tax registration and the customer's country isn't known.",
    },
    always: {
      description: 'The address is required if the customer has no stored address, and optional otherwise.',
    },
    never: {
      description:
        "The address isn't requested, unless the organization has a tax registration and the customer's country isn't known.",
    },
  } as const,
});

export const CheckoutFieldMode = builder.enumType('CheckoutFieldMode', {
  description: 'Visibility of a field at checkout.',
  values: {
    hidden: { description: "The field isn't shown at checkout." },
    optional: { description: 'The field is shown at checkout and can be left empty.' },
    required: { description: 'The field is required at checkout.' },
  } as const,
});

const PageThemeType = builder.objectRef<PageTheme>('PageTheme').implement({
  description: "Theme of an organization's hosted pages, in addition to its accent color and logo.",
  fields: (t) => ({
    mode: t.member('mode', PageMode).describe('Color scheme of hosted pages.'),
    radius: t.member('radius', 'Int').describe('Corner radius of page elements such as buttons, in pixels.'),
    font: t.member('font', PageFont).describe('Font family of hosted pages.'),
  }),
});

export const PortalSettingsType = builder.objectRef<PortalSettings>('PortalSettings').implement({
  description: 'Actions that customers can take in the portal. Other actions fail with `forbidden`.',
  fields: (t) => ({
    changePlan: t
      .member('changePlan', 'Boolean')
      .describe('Whether customers can change their plan or billing interval.'),
    cancel: t.member('cancel', 'Boolean').describe('Whether customers can cancel their subscription.'),
    reactivate: t
      .member('reactivate', 'Boolean')
      .describe('Whether customers can resubscribe after a cancellation.'),
    updatePaymentMethod: t
      .member('updatePaymentMethod', 'Boolean')
      .describe('Whether customers can replace their card.'),
    updateDetails: t
      .member('updateDetails', 'Boolean')
      .describe('Whether customers can change their name, tax ID, and address.'),
    purchase: t
      .member('purchase', 'Boolean')
      .describe('Whether customers can purchase credits, top up their balance, and add and remove add-ons.'),
    seats: t.member('seats', 'Boolean').describe('Whether customers can change the number of seats.'),
    customerLimits: t
      .member('customerLimits', 'Boolean')
      .describe('Whether customers can set limits on their own usage.'),
    customerAutoTopUp: t
      .member('customerAutoTopUp', 'Boolean')
      .describe('Whether customers can set an automatic top-up. Customers can always turn it off.'),
    cancelReasons: t.member('cancelReasons', ['String']).describe('Cancellation reasons to offer, in order.'),
  }),
});

export const CheckoutSettingsType = builder.objectRef<CheckoutSettings>('CheckoutSettings').implement({
  description: 'Checkout settings of the organization.',
  fields: (t) => ({
    promoCodes: t.member('promoCodes', 'Boolean').describe('Whether the checkout has a promo code field.'),
    addressMode: t
      .member('addressMode', CheckoutAddressMode)
      .describe('Condition for showing the address fields at checkout.'),
    phone: t.member('phone', CheckoutFieldMode).describe('Visibility of the phone number field at checkout.'),
    consent: t
      .member('consent', 'Boolean')
      .describe('Whether customers must accept the terms of service at checkout.'),
    bankDebits: t
      .member('bankDebits', 'Boolean')
      .describe(
        "Whether checkouts offer bank debits that fit the payer's country, the currency, and the amount. Available only in the sandbox.",
      ),
    pushPayments: t
      .member('pushPayments', 'Boolean')
      .describe(
        'Whether hosted pages offer payments that the customer starts: Pix, boleto, and bank transfer. Available in the sandbox only.',
      ),
    savedCards: t
      .member('savedCards', 'Boolean')
      .describe(
        'Whether customers can pay with their stored card by entering its security code, at checkout and with payment links.',
      ),
  }),
});

export const Organization = builder.prismaObject('Organization', {
  ...node({ prefix: 'org', load: loadOwnOrganization }),
  description:
    'A business that bills its customers through Quittance. Its settings apply to its live and sandbox environments.',
  fields: (t) => ({
    ...t.columns('id', 'name', 'country', 'businessType', 'issuerName'),
    ...t.columns('issuerAddress', 'issuerTaxId', 'accentColor', 'customerEmails'),
    mutedEmailKinds: t.computed({
      type: [EmailKind],
      description: "Types of emails that customers don't receive.",
      // The email types were validated when the settings were stored.
      columns: ['mutedEmailKinds'],
      resolve: ({ mutedEmailKinds }) => mutedEmailKinds as EmailKindName[],
    }),
    ...t.columns('logoUrl', 'logoWidth', 'logoHeight'),
    ...t.columns('replyTo', 'notificationEmail', 'language', 'reportingCurrency'),
    ...t.columns('slug', 'oneTrialPerCustomer', 'checkoutExpiryHours', 'refundTakesBack', 'creditOrder'),
    ...t.columns('accessWhileProcessing', 'collectByPayer', 'collectionDueDays'),
    retryDays: t.computed({
      type: ['Int'],
      description:
        'Numbers of days from the first failed payment of an invoice to each payment retry, ascending.',
      columns: ['retryDays'],
      resolve: ({ retryDays }) => retryDays,
    }),
    ...t.columns('lastRetryAction'),
    pageTheme: t.computed({
      type: PageThemeType,
      description: 'Theme of the hosted pages.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => themeOf(pageSettings),
    }),
    portal: t.computed({
      type: PortalSettingsType,
      description: 'Actions that customers can take in the portal.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => portalSettingsOf(pageSettings),
    }),
    checkout: t.computed({
      type: CheckoutSettingsType,
      description: 'Checkout settings of the organization.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => checkoutSettingsOf(pageSettings),
    }),
    pageLanguages: t.computed({
      type: [Language],
      description: "Languages of the hosted pages, including the organization's language.",
      columns: ['pageSettings', 'language'],
      resolve: ({ pageSettings, language }) => pageLanguagesOf(pageSettings, language),
    }),
    supportEmail: t.computed({
      type: 'String',
      nullable: true,
      description: 'Email address where customers get help. `null` if not set.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageSettings?.supportEmail ?? null,
    }),
    supportUrl: t.computed({
      type: 'String',
      nullable: true,
      description: 'URL of a help page for customers. `null` if not set.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageSettings?.supportUrl ?? null,
    }),
    termsUrl: t.computed({
      type: 'String',
      nullable: true,
      description: 'URL of the terms of service. `null` if not set.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageSettings?.termsUrl ?? null,
    }),
    privacyUrl: t.computed({
      type: 'String',
      nullable: true,
      description: 'URL of the privacy policy. `null` if not set.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageSettings?.privacyUrl ?? null,
    }),
    statementDescriptor: t.computed({
      type: 'String',
      nullable: true,
      description: "Text on customers' card statements. `null` if `name` is used.",
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageSettings?.statementDescriptor ?? null,
    }),
    embedOrigins: t.computed({
      type: ['String'],
      description: 'Origins of pages that may embed the checkout.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageOrigins(pageSettings?.embedOrigins),
    }),
    returnOrigins: t.computed({
      type: ['String'],
      description: 'Origins to which pages may redirect. Empty if every origin is allowed.',
      columns: ['pageSettings'],
      resolve: ({ pageSettings }) => pageOrigins(pageSettings?.returnOrigins),
    }),
    ...t.columns('cardPromotions', 'pinnedVersion'),
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('organization'),
  }),
});
