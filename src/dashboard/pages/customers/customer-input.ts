import type { CustomerCreateMutationVariables } from './list.graphql';
import type { CustomerProfileFragment } from './profile.graphql';

// Converts between a customer, the values of its form, and mutation inputs.

/** Values of the customer form, as entered. */
export type CustomerForm = {
  readonly fullName: string;
  readonly email: string;
  readonly externalId: string;
  readonly taxDocument: string;
  readonly timezone: string;
  readonly metadata: string;
  readonly hasAddress: boolean;
  readonly line1: string;
  readonly line2: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
  readonly country: string;
};

export const emptyForm: CustomerForm = {
  fullName: '',
  email: '',
  externalId: '',
  taxDocument: '',
  timezone: '',
  metadata: '{}',
  hasAddress: false,
  line1: '',
  line2: '',
  city: '',
  state: '',
  postalCode: '',
  country: '',
};

/** Returns the form values of an existing customer. */
export const formOf = (customer: CustomerProfileFragment): CustomerForm => ({
  fullName: customer.fullName,
  email: customer.email,
  externalId: customer.externalId ?? '',
  taxDocument: customer.taxDocument ?? '',
  timezone: customer.timezone,
  metadata: JSON.stringify(customer.metadata, null, 2),
  hasAddress: customer.address !== null,
  line1: customer.address?.line1 ?? '',
  line2: customer.address?.line2 ?? '',
  city: customer.address?.city ?? '',
  state: customer.address?.state ?? customer.address?.region ?? '',
  postalCode: customer.address?.postalCode ?? '',
  country: customer.address?.country ?? '',
});

/** Parses the metadata of the form. `null` if the text isn't a JSON object. */
export function metadataOf(text: string): object | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

type Input = CustomerCreateMutationVariables['input'];

/** Returns the mutation input, without empty strings. `null` if the form is incomplete. */
export function inputOf(form: CustomerForm): Input | null {
  const metadata = metadataOf(form.metadata);
  if (form.email.trim() === '' || metadata === null) return null;
  const { line1, line2, city, state, postalCode, country } = form;
  const texts = { fullName: form.fullName, externalId: form.externalId, taxDocument: form.taxDocument };
  const given = Object.entries({ ...texts, timezone: form.timezone }).filter(
    ([, text]) => text.trim() !== '',
  );
  return {
    email: form.email.trim(),
    ...Object.fromEntries(given.map(([name, text]) => [name, text.trim()])),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(form.hasAddress && {
      address: {
        line1,
        city,
        postalCode,
        country,
        ...(line2 !== '' && { line2 }),
        ...(state !== '' && { state }),
      },
    }),
  };
}

/** Input values that clear stored fields. */
const cleared: { readonly [Name in keyof Input]?: unknown } = {
  externalId: null,
  taxDocument: null,
  address: null,
  fullName: '',
  timezone: 'UTC',
  metadata: {},
};

/** Returns the changed fields as input for an update. `null` if the form is incomplete. */
export function changesOf(before: CustomerForm, form: CustomerForm): Partial<Input> | null {
  const [old, next] = [inputOf(before), inputOf(form)];
  if (next === null) return null;
  const names = Object.keys({ ...old, ...next }) as (keyof Input)[];
  const changed = names.filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(next[name]));
  return Object.fromEntries(
    changed.flatMap((name) => {
      const value = next[name] ?? cleared[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
