import { documentTypeOf } from '../../domain/document-type.ts';
import { unionMembers } from '../../domain/european-union.ts';
import { taxTables } from './compute-tax.ts';

/** What can be said of a tax number without asking an office. */
export type CheckedDocument = {
  /** What it is called in its country. */
  readonly kind: string;
  /** Whether it can be one by its form and, where there are some, its check digits; null where the form is not known. */
  readonly isPlausible: boolean | null;
};

/** Forms of tax numbers without separators, by country. */
const forms: Readonly<Record<string, RegExp>> = {
  AR: /^\d{11}$/,
  AU: /^\d{11}$/,
  BR: /^(?:\d{11}|\d{14})$/,
  CA: /^\d{9}(?:R[A-Z]\d{4})?$/,
  CH: /^CHE\d{9}(?:MWST|TVA|IVA)?$/,
  CL: /^\d{7,8}[0-9K]$/,
  CO: /^\d{9,10}$/,
  GB: /^(?:GB)?(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/,
  IN: /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/,
  JP: /^T?\d{13}$/,
  MX: /^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/,
  NO: /^\d{9}(?:MVA)?$/,
  NZ: /^\d{8,9}$/,
  PE: /^(?:10|15|17|20)\d{9}$/,
  US: /^\d{9}$/,
  UY: /^\d{12}$/,
};

/** The remainder of the weighted digits of a text. */
const weighed = (text: string, weights: readonly number[], modulus: number): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(text[index]), 0) % modulus;

/** The last digit of an Argentine number follows from those before it. */
function isArgentine(text: string): boolean {
  const rest = weighed(text, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2], 11);
  return (11 - rest) % 11 === Number(text[10]);
}

/** The last digit of a Chilean number follows from those before it, from the right; `K` is ten. */
function isChilean(text: string): boolean {
  const digits = [...text.slice(0, -1)].reverse();
  const sum = digits.reduce((total, digit, index) => total + Number(digit) * (2 + (index % 6)), 0);
  const check = (11 - (sum % 11)) % 11;
  return text.endsWith(check === 10 ? 'K' : String(check));
}

/** Both check digits of a Brazilian number of a company; those of people are shorter and not checked. */
function isBrazilian(text: string): boolean {
  if (text.length !== 14) return true;
  const weights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  const digit = (rest: number): number => (rest < 2 ? 0 : 11 - rest);
  const first = digit(weighed(text, weights.slice(1), 11));
  return first === Number(text[12]) && digit(weighed(text, weights, 11)) === Number(text[13]);
}

/** The first digit of an Australian number is lowered by one before it is weighed. */
function isAustralian(text: string): boolean {
  const lowered = `${Number(text[0]) - 1}${text.slice(1)}`;
  return text[0] !== '0' && weighed(lowered, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19], 89) === 0;
}

const digits: Readonly<Record<string, (text: string) => boolean>> = {
  AR: isArgentine,
  AU: isAustralian,
  BR: isBrazilian,
  CL: isChilean,
};

/** What a tax number of a country is called, and whether it can be one. Separators do not count; nobody is asked. */
export function checkDocument(country: string, value: string): CheckedDocument {
  const kind = documentTypeOf(value, country) ?? 'TAX_ID';
  if (unionMembers.has(country)) return { kind, isPlausible: taxTables.isBusinessId(country, value) };
  const text = value.toUpperCase().replaceAll(/[\s./-]/g, '');
  const form = forms[country];
  if (form === undefined) return { kind, isPlausible: null };
  return { kind, isPlausible: form.test(text) && (digits[country]?.(text) ?? true) };
}
