import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';

export const Customer = builder.prismaObject('Customer', {
  ...node({ prefix: 'cus' }),
  description: 'The business or person billed. Emails and documents are personal data of that person.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `cus_…`.' }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: "The caller's own identifier, unique in the environment; null when none was given.",
    }),
    fullName: t.exposeString('fullName', { description: 'Empty when none was given.' }),
    email: t.exposeString('email', { description: 'Where invoices and receipts go.' }),
    taxDocument: t.exposeString('taxDocument', {
      nullable: true,
      description: 'Tax number as it stands on invoices; null when none was given.',
    }),
    documentType: t.exposeString('documentType', {
      nullable: true,
      description:
        'What the tax document is called in the country of the address (CUIT, RFC, VAT …); null without a document.',
    }),
    timezone: t.expose('timezone', {
      type: 'Timezone',
      description: 'Display data only: billing counts in UTC.',
    }),
    metadata: t.expose('metadata', {
      type: 'Json',
      description: 'Free-form; an empty object when none was given.',
    }),
    address: t.computed({
      type: CustomerAddress,
      nullable: true,
      description: 'Billing address; null while none is known.',
      columns: ['address'],
      resolve: (customer) => customer.address as AddressShape | null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    deletedAt: t.expose('deletedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Business time of its deletion, after which it is reached from its invoices and payments only; null while it exists.',
    }),
    object: t.string({ description: 'Always `customer`.', resolve: () => 'customer' }),
    livemode: t.livemode(),
  }),
});

/** The address of a customer as it is stored. */
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
  description: 'A billing address.',
  fields: (t) => ({
    line1: t.exposeString('line1', { description: 'Street and number.' }),
    line2: t.exposeString('line2', { nullable: true, description: 'Null when not given.' }),
    city: t.exposeString('city', { description: 'City.' }),
    state: t.exposeString('state', {
      nullable: true,
      description: 'State or province; null when not given.',
    }),
    postalCode: t.exposeString('postalCode', { description: 'Postal code.' }),
    country: t.exposeString('country', { description: 'ISO 3166-1 alpha-2, upper case.' }),
    region: t.exposeString('region', {
      nullable: true,
      description: 'Tax region where it differs from the state; null when not given.',
    }),
    phone: t.string({
      nullable: true,
      description: 'Telephone number; null when not given.',
      resolve: ({ phone }) => phone ?? null,
    }),
  }),
});

export const CustomerConnection = connectionOf('Customer', Customer, 'customers');

const addressTexts = {
  line1: {
    required: true,
    rule: { minLength: 1, maxLength: 300 },
    description: 'Street and number, 1 to 300 characters.',
  },
  line2: { required: false, rule: { maxLength: 300 }, description: 'Up to 300 characters.' },
  city: { required: true, rule: { minLength: 1, maxLength: 200 }, description: 'City, 1 to 200 characters.' },
  state: {
    required: false,
    rule: { maxLength: 200 },
    description: 'State or province, up to 200 characters.',
  },
  postalCode: {
    required: true,
    rule: { minLength: 1, maxLength: 40 },
    description: 'Postal code, 1 to 40 characters.',
  },
  country: { required: true, rule: { format: 'country' }, description: 'ISO 3166-1 alpha-2, upper case.' },
  region: {
    required: false,
    rule: { maxLength: 200 },
    description: 'Tax region where it differs from the state, up to 200 characters.',
  },
  phone: {
    required: false,
    rule: { pattern: /^\+?[0-9 ().-]{5,30}$/ },
    description: 'Telephone number, with the country code first where it is of another country.',
  },
} as const;

export const AddressInput = builder.inputType('AddressInput', {
  description: 'A billing address.',
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
    'A billing address as a payer gives it at a page: the country, and more where the tax or the invoice needs it.',
  fields: (t) => ({
    line1: t.string({ rule: { maxLength: 300 }, description: 'Street and number, up to 300 characters.' }),
    line2: t.string(addressTexts.line2),
    city: t.string({ rule: { maxLength: 200 }, description: 'City, up to 200 characters.' }),
    state: t.string(addressTexts.state),
    postalCode: t.string({ rule: { maxLength: 40 }, description: 'Postal code, up to 40 characters.' }),
    country: t.string(addressTexts.country),
    region: t.string(addressTexts.region),
    phone: t.string(addressTexts.phone),
  }),
});

/** The same without its rules, which in a batch fail the item instead of the call. */
export const BatchAddressInput = builder.inputType('BatchAddressInput', {
  description: 'A billing address in a batch; the bounds of `AddressInput` are checked per item.',
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
  'id externalId fullName email taxDocument documentType timezone metadata createdAt updatedAt object livemode';

restView('Customer', 'Customer', customerFields);

/** One item of a batch as it went in, with what was wrong with it. */
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
    description: 'A customer that was created, or existed already under the given identifier.',
    fields: (t) => ({
      customerId: t.exposeID('id', { description: 'Our id of the customer.' }),
      externalId: t.exposeString('externalId', {
        nullable: true,
        description: "The caller's own identifier; null when none was given.",
      }),
      email: t.exposeString('email', { description: 'Its email address.' }),
    }),
  });

const CustomerBatchFailure = builder.objectRef<FailedCustomer>('CustomerBatchFailure').implement({
  description: 'An item that could not be created.',
  fields: (t) => ({
    index: t.expose('index', { type: 'Int', description: 'Position in the request, from 0 on.' }),
    error: t.exposeString('error', { description: 'What was wrong, as a sentence.' }),
    data: t.expose('data', { type: 'Json', description: 'The item as it was sent.' }),
  }),
});

export const CustomerBatch = builder.objectRef<CustomerBatchShape>('CustomerBatch').implement({
  description: 'Outcome of a batch creation: each item succeeds or fails alone.',
  fields: (t) => ({
    successful: t.field({
      type: [CustomerBatchSuccess],
      description: 'In the order of the request.',
      resolve: (batch) => [...batch.successful],
    }),
    failed: t.field({
      type: [CustomerBatchFailure],
      description: 'In the order of the request.',
      resolve: (batch) => [...batch.failed],
    }),
    object: t.string({ description: 'Always `customer_batch`.', resolve: () => 'customer_batch' }),
    livemode: t.livemode(),
  }),
});

restView(
  'CustomerBatch',
  'CustomerBatch',
  'successful { id: customerId externalId email } failed { index error data } object livemode',
);
