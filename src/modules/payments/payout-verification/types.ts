import type { RejectionReason } from '../../../domain/payments/verification.ts';
import type { Rule } from '../../../graphql/declare/rules.ts';
import { name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { AddressInput } from '../../customers/customers/types.ts';
import { BankAccountType, bankTexts } from '../bank-accounts/enums.ts';
import { BusinessType, IdentityDocument, PayoutAccountStatus, PayoutVerificationStatus } from './enums.ts';
import type { PayoutAccountState, VerificationState } from './store.ts';

// Types for the details that an organization submits to receive payouts, and for the returned verification (PAY-38).

const number = { minLength: 1, maxLength: 50 } as const satisfies Rule;
const day = { pattern: /^\d{4}-\d{2}-\d{2}$/ } as const satisfies Rule;
const country = { format: 'country' } as const satisfies Rule;

const PayoutBusinessInput = builder.inputType('PayoutBusinessInput', {
  description: 'Details of the business to verify.',
  fields: (t) => ({
    legalName: t.string({
      required: true,
      rule: name,
      description: 'Registered name of the business. From 1 to 200 characters.',
    }),
    type: t.field({ type: BusinessType, required: true, description: 'Type of the business.' }),
    taxId: t.string({
      required: true,
      rule: number,
      description: 'Tax ID of the business. From 1 to 50 characters.',
    }),
    registrationNumber: t.string({
      rule: number,
      description:
        'Number under which the business is listed in the commercial register. From 1 to 50 characters.',
    }),
    website: t.string({
      rule: { format: 'uri', maxLength: 500 },
      description: 'Website of the business, as an HTTP or HTTPS URL.',
    }),
    address: t.field({
      type: AddressInput,
      required: true,
      description: 'Registered address of the business.',
    }),
  }),
});

const PayoutPersonInput = builder.inputType('PayoutPersonInput', {
  description: 'Person who represents the business.',
  fields: (t) => ({
    firstName: t.string({
      required: true,
      rule: name,
      description: 'First name of the person. From 1 to 200 characters.',
    }),
    lastName: t.string({
      required: true,
      rule: name,
      description: 'Last name of the person. From 1 to 200 characters.',
    }),
    birthDate: t.string({
      required: true,
      rule: day,
      description: 'Date of birth of the person, such as 1990-02-28. Must be in the past.',
    }),
    email: t.string({
      required: true,
      rule: { format: 'email', maxLength: 320 },
      description: 'Email address of the person.',
    }),
    phone: t.string({
      rule: { minLength: 5, maxLength: 30, pattern: /^\+?[0-9 ()-]+$/ },
      description: 'Phone number of the person. From 5 to 30 characters: digits, spaces, and `+()-`.',
    }),
    nationalId: t.string({
      rule: number,
      description:
        'National identification number of the person, if the country issues such numbers. From 1 to 50 characters.',
    }),
    address: t.field({ type: AddressInput, required: true, description: 'Home address of the person.' }),
  }),
});

const PayoutDocumentInput = builder.inputType('PayoutDocumentInput', {
  description: 'Identity document of the person who represents the business.',
  fields: (t) => ({
    kind: t.field({ type: IdentityDocument, required: true, description: 'Type of the document.' }),
    number: t.string({
      required: true,
      rule: { minLength: 4, maxLength: 50 },
      description: 'Document number. From 4 to 50 characters.',
    }),
    country: t.string({
      required: true,
      rule: country,
      description: 'Country that issued the document, as an uppercase ISO 3166-1 alpha-2 code.',
    }),
    expiresOn: t.string({
      required: true,
      rule: day,
      description: "Expiration date of the document, such as 2030-02-28. Can't be in the past.",
    }),
  }),
});

const PayoutBankInput = builder.inputType('PayoutBankInput', {
  description: 'Bank account for payouts to the business.',
  fields: (t) => ({
    accountNumber: t.string(bankTexts.accountNumber),
    accountHolderName: t.string(bankTexts.accountHolderName),
    routingNumber: t.string(bankTexts.routingNumber),
    accountType: t.field({ type: BankAccountType, description: bankTexts.accountType }),
  }),
});

export const PayoutVerificationSubmitInput = builder.inputType('PayoutVerificationSubmitInput', {
  description: "Parameters for submitting an organization's details for verification.",
  fields: (t) => ({
    country: t.string({
      required: true,
      rule: country,
      description:
        "Country in which the organization is paid, as an uppercase ISO 3166-1 alpha-2 code. Can't be changed after submission.",
    }),
    business: t.field({ type: PayoutBusinessInput, required: true, description: 'Business to verify.' }),
    person: t.field({
      type: PayoutPersonInput,
      required: true,
      description: 'Person who represents the business.',
    }),
    document: t.field({
      type: PayoutDocumentInput,
      required: true,
      description: 'Identity document of the person who represents the business.',
    }),
    bankAccount: t.field({
      type: PayoutBankInput,
      required: true,
      description: 'Bank account for payouts. Becomes the default bank account.',
    }),
  }),
});

const PayoutVerificationReason = builder.objectRef<RejectionReason>('PayoutVerificationReason').implement({
  description: 'Reason for rejecting a verification.',
  fields: (t) => ({
    field: t
      .maybe('field', 'String')
      .describe(
        "Path of the field in the input, such as `document.number`. `null` if the reason isn't related to a single field.",
      ),
    code: t.member('code', 'String').describe('Stable reason code, set by the payout provider.'),
    message: t.member('message', 'String').describe("Payout provider's explanation of the rejection."),
  }),
});

export const PayoutVerification = builder.objectRef<VerificationState>('PayoutVerification').implement({
  description:
    "An organization's verification, with the latest submission. Only the last digits of sensitive details are returned.",
  fields: (t) => ({
    status: t
      .member('status', PayoutVerificationStatus)
      .describe("Status of the organization's verification."),
    country: t
      .maybe('country', 'String')
      .describe('Country in which the organization is paid. `null` if no details have been submitted.'),
    reasons: t.field({
      type: [PayoutVerificationReason],
      description: 'Reasons for the rejection. Empty unless the verification was rejected.',
      resolve: ({ last }) => last?.reasons ?? [],
    }),
    businessName: t.string({
      nullable: true,
      description: 'Submitted name of the business. `null` if no details have been submitted.',
      resolve: ({ last }) => last?.businessName ?? null,
    }),
    businessType: t.field({
      type: BusinessType,
      nullable: true,
      description: 'Submitted type of the business. `null` if no details have been submitted.',
      resolve: ({ last }) => last?.businessType ?? null,
    }),
    personName: t.string({
      nullable: true,
      description: 'Person who represents the business. `null` if no details have been submitted.',
      resolve: ({ last }) => last?.personName ?? null,
    }),
    documentKind: t.field({
      type: IdentityDocument,
      nullable: true,
      description: 'Type of the submitted document. `null` if no details have been submitted.',
      resolve: ({ last }) => last?.documentKind ?? null,
    }),
    documentLast4: t.string({
      nullable: true,
      description: 'Last four characters of the document number. `null` if no details have been submitted.',
      resolve: ({ last }) => last?.documentLast4 ?? null,
    }),
    bankAccount: t.rowById('PayoutBankAccount', {
      id: ({ last }) => last?.bankAccountId ?? null,
      nullable: true,
      description: 'Submitted bank account. `null` if no details have been submitted.',
    }),
    submittedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the latest submission. `null` if no details have been submitted.',
      resolve: ({ last }) => last?.createdAt ?? null,
    }),
    decidedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the decision about the latest submission. `null` until the provider decides.',
      resolve: ({ last }) => last?.decidedAt ?? null,
    }),
  }),
});

export const PayoutAccount = builder.objectRef<PayoutAccountState>('PayoutAccount').implement({
  description: 'Payout account of the organization.',
  fields: (t) => ({
    status: t.member('status', PayoutAccountStatus).describe("Status of the organization's verification."),
    country: t
      .maybe('country', 'String')
      .describe('Country in which the organization is paid. `null` if no details have been submitted.'),
  }),
});
