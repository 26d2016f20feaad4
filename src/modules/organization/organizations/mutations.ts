import { InputFieldBuilder } from '@pothos/core';
import { settingsAccess } from '../../../graphql/declare/access.ts';
import { name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { DeletedObject } from '../../../graphql/reading/deleted.ts';
import { Currency } from '../currencies/enums.ts';
import { archiveOrganization } from './archive.ts';
import { readOrganizationChanges } from './read-changes.ts';
import { setLogo } from './set-logo.ts';
import {
  CheckoutAddressMode,
  CheckoutFieldMode,
  CreditOrder,
  EmailKind,
  Language,
  LastRetryAction,
  Organization,
  PageFont,
  PageMode,
  ProcessingAccess,
} from './types/organization.ts';
import { updateOrganization } from './update.ts';

const text = (maxLength: number) => ({ nullable: true, minLength: 1, maxLength }) as const;

const link = { nullable: true, pattern: /^https:\/\/[^\s"'<>]+$/, format: 'uri', maxLength: 2_000 } as const;

const PageThemeInput = builder.inputType('PageThemeInput', {
  description: "Changes to the theme of hosted pages. Omitted settings don't change.",
  fields: (t) => ({
    mode: t.field({
      type: PageMode,
      description: 'Color scheme of hosted pages. New organizations start with `auto`.',
    }),
    radius: t.int({
      rule: { minimum: 0, maximum: 24 },
      description:
        'Corner radius of page elements such as buttons, in pixels. From 0 to 24. New organizations start with 8.',
    }),
    font: t.field({
      type: PageFont,
      description: 'Font family of hosted pages. New organizations start with `system`.',
    }),
  }),
});

const PortalSettingsInput = builder.inputType('PortalSettingsInput', {
  description:
    "Changes to the actions that customers can take in the portal. Omitted settings don't change. New organizations allow every action except changing seats.",
  fields: (t) => ({
    changePlan: t.boolean({ description: 'Whether customers can change their plan or billing interval.' }),
    cancel: t.boolean({ description: 'Whether customers can cancel their subscription.' }),
    reactivate: t.boolean({ description: 'Whether customers can resubscribe after a cancellation.' }),
    updatePaymentMethod: t.boolean({ description: 'Whether customers can replace their card.' }),
    updateDetails: t.boolean({
      description: 'Whether customers can change their name, tax ID, and address.',
    }),
    purchase: t.boolean({
      description:
        'Whether customers can purchase credits, top up their balance, and add and remove add-ons.',
    }),
    seats: t.boolean({
      description: 'Whether customers can change the number of seats. `false` for new organizations.',
    }),
    customerLimits: t.boolean({
      description: 'Whether customers can set limits on their own usage. `true` for new organizations.',
    }),
    customerAutoTopUp: t.boolean({
      description:
        'Whether customers can set an automatic top-up. Requires `purchase`. `true` for new organizations.',
    }),
    cancelReasons: t.stringList({
      rule: { maxItems: 20 },
      description: 'Cancellation reasons to offer, in order. Up to 20 reasons of 1 to 100 characters.',
    }),
  }),
});

const CheckoutSettingsInput = builder.inputType('CheckoutSettingsInput', {
  description: "Changes to the checkout settings. Omitted settings don't change.",
  fields: (t) => ({
    promoCodes: t.boolean({
      description: 'Whether the checkout has a promo code field. `true` for new organizations.',
    }),
    addressMode: t.field({
      type: CheckoutAddressMode,
      description: 'Condition for showing the address fields. New organizations start with `auto`.',
    }),
    phone: t.field({
      type: CheckoutFieldMode,
      description: 'Visibility of the phone number field at checkout. New organizations start with `hidden`.',
    }),
    consent: t.boolean({
      description:
        'Whether customers must accept the terms of service at checkout. `false` for new organizations.',
    }),
    bankDebits: t.boolean({
      description:
        "Whether checkouts offer bank debits that fit the payer's country, the currency, and the amount. Available only in the sandbox.",
    }),
    pushPayments: t.boolean({
      description:
        'Whether hosted pages offer payments that the customer starts: Pix, boleto, and bank transfer. They are offered if they fit the country, the currency, and the amount. Subscriptions also need `collectByPayer`. Available in the sandbox only.',
    }),
    savedCards: t.boolean({
      description:
        'Whether customers can pay with their stored card by entering its security code, at checkout and with payment links. `true` for new organizations.',
    }),
  }),
});

const inputField = new InputFieldBuilder(builder, 'InputObject');

/** Input fields for renewals without a chargeable payment method. */
const collectionSettings = {
  collectByPayer: inputField.boolean({
    description:
      'Whether customers are asked to pay a renewal or a usage invoice for which no stored payment method can be charged. If `false`, the payment fails immediately with `no_payment_method`.',
  }),
  collectionDueDays: inputField.int({
    rule: { minimum: 0, maximum: 60 },
    description:
      'Number of days from the issue date to the due date of an invoice that the customer is asked to pay, from 0 to 60. The payment fails with `not_paid` at 06:00 UTC on the day after the due date.',
  }),
};

/** Input fields for the retries of failed payments. */
const retrySettings = {
  retryDays: inputField.intList({
    rule: { minItems: 1, maxItems: 8, minimum: 1, maximum: 60 },
    description:
      "Numbers of days from the first failed payment of an invoice to each payment retry, ascending. 1 to 8 values from 1 to 60. Doesn't change the retries of subscriptions that are past due.",
  }),
  lastRetryAction: inputField.field({
    type: LastRetryAction,
    description:
      "Effect of the last declined payment retry. Doesn't affect subscriptions that are past due. One-time subscriptions always become active.",
  }),
};

/** Input fields for the settings of hosted pages. */
const pageSettings = {
  pageTheme: inputField.field({ type: PageThemeInput, description: 'Theme of the hosted pages.' }),
  portal: inputField.field({
    type: PortalSettingsInput,
    description: 'Actions that customers can take in the portal.',
  }),
  checkout: inputField.field({
    type: CheckoutSettingsInput,
    description: 'Checkout settings of the organization.',
  }),
  pageLanguages: inputField.field({
    type: [Language],
    description: "Languages of the hosted pages. The organization's language is always included.",
  }),
  supportEmail: inputField.string({
    rule: { nullable: true, format: 'email', maxLength: 320 },
    description: 'Email address where customers get help. `null` removes the address.',
  }),
  supportUrl: inputField.string({
    rule: link,
    description: 'HTTPS URL of a help page for customers. `null` removes the URL.',
  }),
  termsUrl: inputField.string({
    rule: link,
    description: 'HTTPS URL of the terms of service. `null` removes the URL.',
  }),
  privacyUrl: inputField.string({
    rule: link,
    description: 'HTTPS URL of the privacy policy. `null` removes the URL.',
  }),
  statementDescriptor: inputField.string({
    rule: { nullable: true, pattern: /^(?=.*[A-Za-z])[A-Za-z0-9 .,&#+/-]{5,22}$/ },
    description:
      "Text on customers' card statements: 5 to 22 characters of `A-Z a-z 0-9 .,&#+/-` and spaces, with at least one letter. `null` to use `name`.",
  }),
  embedOrigins: inputField.stringList({
    rule: { maxItems: 20 },
    description:
      'Origins of pages that may embed the checkout, such as `https://shop.example`. Up to 20 origins.',
  }),
  returnOrigins: inputField.stringList({
    rule: { maxItems: 20 },
    description: 'Origins to which pages may redirect. Up to 20 origins. An empty list allows every origin.',
  }),
} as const;

const OrganizationUpdateInput = builder.inputType('OrganizationUpdateInput', {
  description:
    "Parameters for updating an organization. Omitted settings don't change, and `null` clears an optional setting.",
  fields: (t) => ({
    name: t.string({
      rule: name,
      description: 'Name that customers see on pages and in emails, from 1 to 200 characters.',
    }),
    country: t.string({
      rule: { nullable: true, format: 'country' },
      description: 'Country of the organization, as an uppercase ISO 3166-1 alpha-2 code.',
    }),
    businessType: t.string({ rule: text(200), description: 'Type of business, up to 200 characters.' }),
    issuerName: t.string({
      rule: text(200),
      description:
        "Organization's legal name, as printed on invoices and credit notes, up to 200 characters. `null` to use `name`.",
    }),
    issuerAddress: t.string({
      rule: { ...text(1_000), multiline: true },
      description:
        "Organization's address, as printed on invoices and credit notes. Can contain line breaks. Up to 1,000 characters.",
    }),
    issuerTaxId: t.string({
      rule: text(100),
      description: "Organization's tax ID, as printed on invoices and credit notes, up to 100 characters.",
    }),
    accentColor: t.string({
      rule: { nullable: true, pattern: /^#[0-9A-Fa-f]{6}$/ },
      description: 'Color of documents and emails, as `#rrggbb`. `null` to use the default color.',
    }),
    customerEmails: t.boolean({
      description: "Whether customers receive emails. Alerts to the organization aren't affected.",
    }),
    mutedEmailKinds: t.field({
      type: [EmailKind],
      description: "Types of emails that customers don't receive. An empty list enables all types.",
    }),
    logoUrl: t.string({
      rule: { nullable: true, pattern: /^https:\/\/[^\s"'<>]+$/, format: 'uri', maxLength: 2_000 },
      description:
        'HTTPS URL of the logo at the top of emails, which is shown at a height of 40 pixels. `null` to remove the logo.',
    }),
    replyTo: t.string({
      rule: { nullable: true, format: 'email', maxLength: 320 },
      description: 'Reply-to address of emails. `null` to use the sender address of the installation.',
    }),
    notificationEmail: t.string({
      rule: { nullable: true, format: 'email', maxLength: 320 },
      description: 'Email address that receives alerts for the organization. `null` to stop alerts.',
    }),
    language: t.field({ type: Language, description: 'Language of customer emails and documents.' }),
    reportingCurrency: t.field({
      type: Currency,
      description: 'Currency in which the dashboard shows metrics.',
    }),
    slug: t.string({
      rule: { nullable: true, pattern: /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/ },
      description:
        'Name of the organization in page URLs: 3 to 63 lowercase letters, digits, and `-`. Unique within the installation. `null` removes the slug.',
    }),
    oneTrialPerCustomer: t.boolean({ description: 'Whether a customer gets only one free trial.' }),
    checkoutExpiryHours: t.int({
      rule: { nullable: true, minimum: 1, maximum: 8_760 },
      description:
        'Number of hours after which an unpaid checkout for a new subscription expires, from 1 to 8,760. `null` means that checkouts never expire.',
    }),
    creditOrder: t.field({ type: CreditOrder, description: 'Order in which invoices use customer credits.' }),
    accessWhileProcessing: t.field({
      type: ProcessingAccess,
      rule: { nullable: true },
      description:
        'Access while the first payment of a subscription is processing. `null` means that it depends on the payment method: bank debits give access.',
    }),
    ...collectionSettings,
    ...retrySettings,
    refundTakesBack: t.boolean({
      description: 'Whether a refund of credits or a top-up removes the unused amount.',
    }),
    ...pageSettings,
    pinnedVersion: t.string({
      rule: { nullable: true, pattern: /^\d{4}-\d{2}-\d{2}$/ },
      description:
        'API version for requests without a `Service-Version` header. The current version applies if the value is `null` or an unknown version.',
    }),
  }),
});

builder.mutationField('organizationUpdate', (t) =>
  t.field({
    type: Organization,
    description: 'Updates the settings of the organization, in its live and sandbox environments.',
    errors: [['duplicate', 'another organization already uses the slug']],
    access: settingsAccess,
    args: { input: t.arg({ type: OrganizationUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updateOrganization(ctx, readOrganizationChanges(input)),
  }),
);

const OrganizationLogoSetInput = builder.inputType('OrganizationLogoSetInput', {
  description: 'Parameters for setting the logo of the organization.',
  fields: (t) => ({
    image: t.string({
      rule: { nullable: true, maxLength: 280_000 },
      description:
        'PNG, JPEG, or WebP image in Base64. Up to 200 KiB, 4,096 pixels in width and height, and 4,194,304 pixels in total. `null` to remove the logo.',
    }),
  }),
});

builder.mutationField('organizationLogoSet', (t) =>
  t.field({
    type: Organization,
    description:
      "Sets or removes the organization's logo, which Quittance hosts. Sets `logoUrl`, `logoWidth`, and `logoHeight`.",
    access: settingsAccess,
    args: { input: t.arg({ type: OrganizationLogoSetInput, required: true }) },
    resolve: (_root, { input }, ctx) => setLogo(ctx, input.image ?? null),
  }),
);

const OrganizationArchiveInput = builder.inputType('OrganizationArchiveInput', {
  description: 'Parameters for archiving the organization.',
  fields: (t) => ({
    id: t.id({
      required: true,
      description: 'ID of the organization. Confirms which organization to archive.',
    }),
  }),
});

builder.mutationField('organizationArchive', (t) =>
  t.field({
    type: DeletedObject,
    description:
      "Permanently archives the organization with its live and sandbox environments. Members, API keys, webhooks, and customers' pages lose access immediately, and the slug becomes available. Charges, emails, and payouts stop. Records are kept but no longer accessible. Only the owner can archive an organization, and only in the live environment. Archiving can't be undone.",
    errors: [['not_found', "`id` isn't the ID of your organization"]],
    access: { member: 'owner', environment: 'live', proof: true },
    args: {
      input: t.arg({ type: OrganizationArchiveInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => archiveOrganization(ctx, input.id),
  }),
);
