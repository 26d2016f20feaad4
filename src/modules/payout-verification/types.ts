import type { RejectionReason } from '../../domain/verification.ts';
import { builder } from '../../graphql/builder.ts';
import type { Rule } from '../../graphql/rules.ts';
import { name } from '../../graphql/shapes.ts';
import { BankAccountType, bankTexts } from '../bank-accounts/enums.ts';
import { AddressInput } from '../customers/types.ts';
import { BusinessType, IdentityDocument, PayoutAccountStatus, PayoutVerificationStatus } from './enums.ts';
import type { PayoutAccountState, VerificationState } from './store.ts';

// What an organization submits to be paid, and what it is shown again (PAY-38).

const number = { minLength: 1, maxLength: 50 } as const satisfies Rule;
const day = { pattern: /^\d{4}-\d{2}-\d{2}$/ } as const satisfies Rule;
const country = { format: 'country' } as const satisfies Rule;

const PayoutBusinessInput = builder.inputType('PayoutBusinessInput', {
  description: 'The business that is to be paid.',
  fields: (t) => ({
    legalName: t.string({
      required: true,
      rule: name,
      description: 'Its registered name, 1 to 200 characters.',
    }),
    type: t.field({ type: BusinessType, required: true, description: 'Its kind.' }),
    taxId: t.string({
      required: true,
      rule: number,
      description: 'Its number with the tax office, 1 to 50 characters.',
    }),
    registrationNumber: t.string({
      rule: number,
      description: 'Its number in the register of businesses, 1 to 50 characters.',
    }),
    website: t.string({
      rule: { format: 'uri', maxLength: 500 },
      description: 'Where it sells; http or https.',
    }),
    address: t.field({ type: AddressInput, required: true, description: 'Its registered address.' }),
  }),
});

const PayoutPersonInput = builder.inputType('PayoutPersonInput', {
  description: 'The person who answers for the business.',
  fields: (t) => ({
    firstName: t.string({ required: true, rule: name, description: '1 to 200 characters.' }),
    lastName: t.string({ required: true, rule: name, description: '1 to 200 characters.' }),
    birthDate: t.string({ required: true, rule: day, description: 'A day such as 1990-02-28, in the past.' }),
    email: t.string({
      required: true,
      rule: { format: 'email', maxLength: 320 },
      description: 'Where the person can be reached.',
    }),
    phone: t.string({
      rule: { minLength: 5, maxLength: 30, pattern: /^\+?[0-9 ()-]+$/ },
      description: '5 to 30 digits, spaces and +()-.',
    }),
    nationalId: t.string({
      rule: number,
      description: 'Number of the person with the state, where it gives one; 1 to 50 characters.',
    }),
    address: t.field({ type: AddressInput, required: true, description: 'Where the person lives.' }),
  }),
});

const PayoutDocumentInput = builder.inputType('PayoutDocumentInput', {
  description: 'What the person proves their identity with.',
  fields: (t) => ({
    kind: t.field({ type: IdentityDocument, required: true, description: 'Its kind.' }),
    number: t.string({
      required: true,
      rule: { minLength: 4, maxLength: 50 },
      description: 'Its number, 4 to 50 characters.',
    }),
    country: t.string({
      required: true,
      rule: country,
      description: 'Who issued it: ISO 3166-1 alpha-2, upper case.',
    }),
    expiresOn: t.string({
      required: true,
      rule: day,
      description: 'The last day it is good on, such as 2030-02-28; not in the past.',
    }),
  }),
});

const PayoutBankInput = builder.inputType('PayoutBankInput', {
  description: 'Where the business is to be paid.',
  fields: (t) => ({
    accountNumber: t.string(bankTexts.accountNumber),
    accountHolderName: t.string(bankTexts.accountHolderName),
    routingNumber: t.string(bankTexts.routingNumber),
    accountType: t.field({ type: BankAccountType, description: bankTexts.accountType }),
  }),
});

export const PayoutVerificationSubmitInput = builder.inputType('PayoutVerificationSubmitInput', {
  description: 'What an organization is verified by.',
  fields: (t) => ({
    country: t.string({
      required: true,
      rule: country,
      description: 'Where it is paid: ISO 3166-1 alpha-2, upper case; locked once submitted.',
    }),
    business: t.field({ type: PayoutBusinessInput, required: true, description: 'The business.' }),
    person: t.field({ type: PayoutPersonInput, required: true, description: 'The person.' }),
    document: t.field({ type: PayoutDocumentInput, required: true, description: 'The document.' }),
    bankAccount: t.field({
      type: PayoutBankInput,
      required: true,
      description: 'The bank account; it becomes the one payouts go to.',
    }),
  }),
});

const PayoutVerificationReason = builder.objectRef<RejectionReason>('PayoutVerificationReason').implement({
  description: 'Something that was wrong with what was submitted.',
  fields: (t) => ({
    field: t.exposeString('field', {
      nullable: true,
      description: 'Its path in the input, such as `document.number`; null when it is about no single one.',
    }),
    code: t.exposeString('code', { description: 'A stable word for it, as the payout provider has it.' }),
    message: t.exposeString('message', { description: 'The same in a sentence.' }),
  }),
});

export const PayoutVerification = builder.objectRef<VerificationState>('PayoutVerification').implement({
  description:
    'Whether an organization may be paid, and by what it was last verified. Of what is sensitive only the end is shown.',
  fields: (t) => ({
    status: t.expose('status', { type: PayoutVerificationStatus, description: 'How far it is.' }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'Where it is paid; null until that was submitted.',
    }),
    reasons: t.field({
      type: [PayoutVerificationReason],
      description: 'Why it was rejected; empty unless it was.',
      resolve: ({ last }) => last?.reasons ?? [],
    }),
    businessName: t.string({
      nullable: true,
      description: 'The registered name that was submitted; null before.',
      resolve: ({ last }) => last?.businessName ?? null,
    }),
    businessType: t.field({
      type: BusinessType,
      nullable: true,
      description: 'The kind of the business; null before it was submitted.',
      resolve: ({ last }) => last?.businessType ?? null,
    }),
    personName: t.string({
      nullable: true,
      description: 'The person who answers for it; null before one was submitted.',
      resolve: ({ last }) => last?.personName ?? null,
    }),
    documentKind: t.field({
      type: IdentityDocument,
      nullable: true,
      description: 'The document that was submitted; null before.',
      resolve: ({ last }) => last?.documentKind ?? null,
    }),
    documentLast4: t.string({
      nullable: true,
      description: 'The end of its number; null before it was submitted.',
      resolve: ({ last }) => last?.documentLast4 ?? null,
    }),
    bankAccount: t.rowById('PayoutBankAccount', {
      id: ({ last }) => last?.bankAccountId ?? null,
      nullable: true,
      description: 'The bank account that was submitted; null before.',
    }),
    submittedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last submitted; null before.',
      resolve: ({ last }) => last?.createdAt ?? null,
    }),
    decidedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When that was decided; null while it is not.',
      resolve: ({ last }) => last?.decidedAt ?? null,
    }),
  }),
});

export const PayoutAccount = builder.objectRef<PayoutAccountState>('PayoutAccount').implement({
  description: 'Whether the organization may take money out.',
  fields: (t) => ({
    status: t.expose('status', { type: PayoutAccountStatus, description: 'How far the verification is.' }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'Where it is paid; null until that was submitted.',
    }),
  }),
});
