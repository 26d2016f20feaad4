import { documentHolderOf } from '../../../domain/tax/document-type.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';

const DocumentHolderEnum = builder.enumType('DocumentHolder', {
  description: 'Holder of a tax ID.',
  values: {
    person: { description: 'The tax ID belongs to an individual, such as a `CPF`.' },
    company: { description: 'The tax ID belongs to a company, such as a `CNPJ`.' },
    either: { description: 'The tax ID can belong to an individual or a company.' },
  },
});

export const Customer = builder.prismaObject('Customer', {
  ...node({ prefix: 'cus' }),
  description: 'Business or person that you bill.',
  fields: (t) => ({
    ...t.columns('id', 'externalId', 'fullName', 'email'),
    ...t.columns('taxDocument', 'documentType'),
    documentHolder: t.computed({
      type: DocumentHolderEnum,
      nullable: true,
      description:
        'Holder that the type of the tax ID implies. Depends on the country, the format, and the check digits. `null` if the customer has no tax ID.',
      columns: ['taxDocument', 'country'],
      resolve: ({ taxDocument, country }) => documentHolderOf(taxDocument, country),
    }),
    ...t.columns('timezone', 'metadata'),
    address: t.computed({
      type: CustomerAddress,
      nullable: true,
      description: 'Billing address. `null` if the customer has no address.',
      columns: ['address'],
      resolve: (customer) => customer.address as AddressShape | null,
    }),
    ...t.columns('requireBudget', 'createdAt', 'updatedAt', 'deletedAt'),
    ...t.resource('customer'),
  }),
});

export type AddressShape = {
  readonly line1: string;
  readonly line2?: string | null;
  readonly city: string;
  readonly state?: string | null;
  readonly postalCode: string;
  readonly country: string;
  readonly region?: string | null;
  readonly phone?: string | null;
};

export const CustomerAddress = builder.objectRef<AddressShape>('CustomerAddress').implement({
  description: 'Billing address of a customer.',
  fields: (t) => ({
    line1: t.member('line1', 'String').describe('Street and number.'),
    line2: t.maybe('line2', 'String').describe('Apartment, suite, or floor. `null` if not provided.'),
    city: t.member('city', 'String').describe('City.'),
    state: t.maybe('state', 'String').describe('State or province. `null` if not provided.'),
    postalCode: t.member('postalCode', 'String').describe('Postal code.'),
    country: t
      .member('country', 'String')
      .describe('Country of the address, as an uppercase ISO 3166-1 alpha-2 code.'),
    region: t
      .maybe('region', 'String')
      .describe('Tax region, if it differs from the state. `null` if not provided.'),
    phone: t.string({
      nullable: true,
      description: 'Phone number. `null` if not provided.',
      resolve: ({ phone }) => phone ?? null,
    }),
  }),
});

export const CustomerConnection = connectionOf('Customer', Customer, 'customers');

const addressTexts = {
  line1: {
    required: true,
    rule: { minLength: 1, maxLength: 300 },
    description: 'Street and number. From 1 to 300 characters.',
  },
  line2: {
    required: false,
    rule: { maxLength: 300 },
    description: 'Apartment, suite, or floor. Up to 300 characters.',
  },
  city: {
    required: true,
    rule: { minLength: 1, maxLength: 200 },
    description: 'City. From 1 to 200 characters.',
  },
  state: {
    required: false,
    rule: { maxLength: 200 },
    description: 'State or province. Up to 200 characters.',
  },
  postalCode: {
    required: true,
    rule: { minLength: 1, maxLength: 40 },
    description: 'Postal code. From 1 to 40 characters.',
  },
  country: {
    required: true,
    rule: { format: 'country' },
    description: 'Country of the address, as an uppercase ISO 3166-1 alpha-2 code.',
  },
  region: {
    required: false,
    rule: { maxLength: 200 },
    description: 'Tax region, if it differs from the state. Up to 200 characters.',
  },
  phone: {
    required: false,
    rule: { pattern: /^\+?[0-9 ().-]{5,30}$/ },
    description:
      'Phone number. Include the country calling code if the number is from a different country than the address.',
  },
} as const;

export const AddressInput = builder.inputType('AddressInput', {
  description: 'Parameters for a billing address.',
  fields: (t) => ({
    line1: t.string(addressTexts.line1),
    line2: t.string(addressTexts.line2),
    city: t.string(addressTexts.city),
    state: t.string(addressTexts.state),
    postalCode: t.string(addressTexts.postalCode),
    country: t.string(addressTexts.country),
    region: t.string(addressTexts.region),
    phone: t.string(addressTexts.phone),
  }),
});

export const PayerAddressInput = builder.inputType('PayerAddressInput', {
  description:
    'Parameters for a billing address that a payer enters on a hosted page. The country is always required. Tax calculation and invoicing can require further fields.',
  fields: (t) => ({
    line1: t.string({ rule: { maxLength: 300 }, description: 'Street and number. Up to 300 characters.' }),
    line2: t.string(addressTexts.line2),
    city: t.string({ rule: { maxLength: 200 }, description: 'City. Up to 200 characters.' }),
    state: t.string(addressTexts.state),
    postalCode: t.string({ rule: { maxLength: 40 }, description: 'Postal code. Up to 40 characters.' }),
    country: t.string(addressTexts.country),
    region: t.string(addressTexts.region),
    phone: t.string(addressTexts.phone),
  }),
});

/** Fields of `AddressInput` without validation rules. In a batch, an invalid address causes only its item to fail, not the request. */
export const BatchAddressInput = builder.inputType('BatchAddressInput', {
  description:
    'Parameters for a billing address in a batch. The limits of `AddressInput` apply. An address that exceeds a limit causes only its item to fail.',
  fields: (t) => ({
    line1: t.string({ required: true, description: addressTexts.line1.description }),
    line2: t.string({ description: addressTexts.line2.description }),
    city: t.string({ required: true, description: addressTexts.city.description }),
    state: t.string({ description: addressTexts.state.description }),
    postalCode: t.string({ required: true, description: addressTexts.postalCode.description }),
    country: t.string({ required: true, description: addressTexts.country.description }),
    region: t.string({ description: addressTexts.region.description }),
  }),
});

const customerFields =
  'id externalId fullName email taxDocument documentType timezone requireBudget metadata createdAt updatedAt object livemode';

restView('Customer', 'Customer', customerFields, { absentWhenUnset: ['requireBudget'] });

/** Batch item that failed, with its validation error. */
export type FailedCustomer = {
  readonly index: number;
  readonly error: string;
  readonly data: Record<string, unknown>;
};

export type CustomerBatchShape = {
  readonly successful: readonly {
    readonly id: string;
    readonly externalId: string | null;
    readonly email: string;
  }[];
  readonly failed: readonly FailedCustomer[];
};

const CustomerBatchSuccess = builder
  .objectRef<CustomerBatchShape['successful'][number]>('CustomerBatchSuccess')
  .implement({
    description: 'Customer that was created, or that already existed with the same external ID.',
    fields: (t) => ({
      customerId: t.member('id', 'ID').describe('ID of the customer.'),
      externalId: t
        .maybe('externalId', 'String')
        .describe("Identifier that you assigned to the customer. `null` if you didn't assign an identifier."),
      email: t.member('email', 'String').describe('Email address of the customer.'),
    }),
  });

const CustomerBatchFailure = builder.objectRef<FailedCustomer>('CustomerBatchFailure').implement({
  description: 'Rejected item in a batch of customers to create.',
  fields: (t) => ({
    index: t.member('index', 'Int').describe('Position of the item in the request, starting at 0.'),
    error: t.member('error', 'String').describe('Error message that describes the problem.'),
    data: t.member('data', 'Json').describe('Item as sent in the request.'),
  }),
});

export const CustomerBatch = builder.objectRef<CustomerBatchShape>('CustomerBatch').implement({
  description: 'Result of creating several customers. Items succeed or fail independently.',
  fields: (t) => ({
    successful: t
      .member('successful', [CustomerBatchSuccess])
      .describe('Customers that were created or already existed, in the order of the request.'),
    failed: t
      .member('failed', [CustomerBatchFailure])
      .describe('Items that were rejected, in the order of the request.'),
    ...t.resource('customer_batch'),
  }),
});

restView(
  'CustomerBatch',
  'CustomerBatch',
  'successful { id: customerId externalId email } failed { index error data } object livemode',
);
