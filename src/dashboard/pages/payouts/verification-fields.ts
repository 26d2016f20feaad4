import type { SubmitVerificationMutationVariables } from './page.graphql';

// Verification form fields by step. Converts typed values to API input.

export const steps = ['business', 'person', 'document', 'bank'] as const;
export type Step = (typeof steps)[number];

export type Field = {
  readonly name: string;
  /** Key of the label in `payouts.json`. */
  readonly label: string;
  readonly isOptional?: boolean;
  readonly kind?: 'text' | 'country' | 'date' | 'email' | 'type' | 'document' | 'account';
};

const address = (of: string): Field[] => [
  { name: `${of}.address.line1`, label: 'line1' },
  { name: `${of}.address.line2`, label: 'line2', isOptional: true },
  { name: `${of}.address.postalCode`, label: 'postalCode' },
  { name: `${of}.address.city`, label: 'city' },
  { name: `${of}.address.state`, label: 'state', isOptional: true },
  { name: `${of}.address.country`, label: 'country', kind: 'country' },
];

export const fieldsOf: Readonly<Record<Step, readonly Field[]>> = {
  business: [
    { name: 'country', label: 'country', kind: 'country' },
    { name: 'business.type', label: 'type', kind: 'type' },
    { name: 'business.legalName', label: 'legalName' },
    { name: 'business.taxId', label: 'taxId' },
    { name: 'business.registrationNumber', label: 'registrationNumber', isOptional: true },
    { name: 'business.website', label: 'website', isOptional: true },
    ...address('business'),
  ],
  person: [
    { name: 'person.firstName', label: 'firstName' },
    { name: 'person.lastName', label: 'lastName' },
    { name: 'person.birthDate', label: 'birthDate', kind: 'date' },
    { name: 'person.email', label: 'email', kind: 'email' },
    { name: 'person.phone', label: 'phone', isOptional: true },
    { name: 'person.nationalId', label: 'nationalId', isOptional: true },
    ...address('person'),
  ],
  document: [
    { name: 'document.kind', label: 'kind', kind: 'document' },
    { name: 'document.number', label: 'number' },
    { name: 'document.country', label: 'documentCountry', kind: 'country' },
    { name: 'document.expiresOn', label: 'expiresOn', kind: 'date' },
  ],
  bank: [
    { name: 'bankAccount.accountHolderName', label: 'accountHolder' },
    { name: 'bankAccount.accountNumber', label: 'accountNumber' },
    { name: 'bankAccount.routingNumber', label: 'accountRouting', isOptional: true },
    { name: 'bankAccount.accountType', label: 'accountType', kind: 'account', isOptional: true },
  ],
};

/** Typed values by the API path of the field. */
export type Typed = Readonly<Record<string, string>>;

/** True if all required fields of a step are filled in. */
export const isComplete = (step: Step, typed: Typed): boolean =>
  fieldsOf[step].every(({ name, isOptional = false }) => isOptional || (typed[name] ?? '').trim() !== '');

/** Returns the first step that contains one of the fields. `null` if no step does. */
export const stepWith = (paths: readonly string[]): Step | null =>
  steps.find((step) => fieldsOf[step].some(({ name }) => paths.some((path) => path.endsWith(name)))) ?? null;

type Input = SubmitVerificationMutationVariables['input'];
type Branch = { [key: string]: string | Branch };

/** Returns the input for the API, without empty fields. */
export function inputOf(typed: Typed): Input {
  const input: Branch = {};
  for (const [path, value] of Object.entries(typed)) {
    if (value.trim() === '') continue;
    const names = path.split('.');
    const last = names.pop() ?? path;
    let branch = input;
    for (const name of names) {
      const next = branch[name];
      const inner = typeof next === 'object' ? next : {};
      branch[name] = inner;
      branch = inner;
    }
    branch[last] = value.trim();
  }
  // The steps of the form include all required fields of the API input.
  return input as unknown as Input;
}
