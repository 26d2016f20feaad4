import type { CustomerCreateMutationVariables } from './list.graphql';
import type { CustomerProfileFragment } from './profile.graphql';

// What the form of a customer holds, and the input it makes.

/** The form of a customer: texts as they are typed. */
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

/** The form of a customer that exists. */
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

/** The metadata of the form; null where its text is not a JSON object. */
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

/** The input of the form; null while it cannot be sent. Texts that are left empty are not sent. */
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

/** What stands for a value that was taken out. An external ID stays: it cannot be removed. */
const cleared: { readonly [Name in keyof Input]?: unknown } = {
  taxDocument: null,
  address: null,
  fullName: '',
  timezone: 'UTC',
  metadata: {},
};

/** What has changed, as an update takes it: the fields that differ. Null while it cannot be sent. */
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
