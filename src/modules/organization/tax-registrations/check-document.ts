import { documentTypeOf } from '../../../domain/tax/document-type.ts';
import { unionMembers } from '../../../domain/tax/european-union.ts';
import { taxTables } from './compute-tax.ts';

/** Result of a tax ID check that doesn't contact a tax authority. */
export type CheckedDocument = {
  /** Name of the tax ID type in its country. */
  readonly kind: string;
  /** True if the format and any check digits are valid. `null` if the country's format is unknown. */
  readonly isPlausible: boolean | null;
};

/** Formats of tax IDs without separators, by country. */
const forms: Readonly<Record<string, RegExp>> = {
  AR: /^(?:\d{11}|\d{7,8})$/,
  AU: /^\d{11}$/,
  BR: /^(?:\d{11}|\d{14})$/,
  CA: /^\d{9}(?:R[A-Z]\d{4})?$/,
  CH: /^CHE\d{9}(?:MWST|TVA|IVA)?$/,
  CL: /^\d{7,8}[0-9K]$/,
  CO: /^\d{9,10}$/,
  GB: /^(?:GB)?(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/,
  IN: /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/,
  JP: /^T?\d{13}$/,
  MX: /^(?:[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}|[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d)$/,
  NO: /^\d{9}(?:MVA)?$/,
  NZ: /^\d{8,9}$/,
  PE: /^(?:(?:10|15|17|20)\d{9}|\d{8})$/,
  US: /^\d{9}$/,
  UY: /^(?:\d{12}|\d{7,8})$/,
};

/** Returns the weighted sum of a string's digits, modulo `modulus`. */
const weighed = (text: string, weights: readonly number[], modulus: number): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(text[index]), 0) % modulus;

/** Verifies the check digit of an Argentine CUIT. A DNI has no check digit. */
function isArgentine(text: string): boolean {
  if (text.length !== 11) return true;
  const rest = weighed(text, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2], 11);
  return (11 - rest) % 11 === Number(text[10]);
}

/** Verifies the check digit of a Chilean tax ID, calculated from the other digits from right to left. `K` means 10. */
function isChilean(text: string): boolean {
  const digits = [...text.slice(0, -1)].reverse();
  const sum = digits.reduce((total, digit, index) => total + Number(digit) * (2 + (index % 6)), 0);
  const check = (11 - (sum % 11)) % 11;
  return text.endsWith(check === 10 ? 'K' : String(check));
}

/**
 * Verifies both check digits of a Brazilian tax ID: a company's CNPJ with 14 digits, or an individual's CPF
 * with 11 digits that aren't all identical.
 */
function isBrazilian(text: string): boolean {
  const isPerson = text.length === 11;
  if (isPerson && new Set(text).size === 1) return false;
  const weights = isPerson ? [11, 10, 9, 8, 7, 6, 5, 4, 3, 2] : [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  const digit = (rest: number): number => (rest < 2 ? 0 : 11 - rest);
  const first = digit(weighed(text, weights.slice(1), 11));
  const place = text.length - 2;
  return first === Number(text[place]) && digit(weighed(text, weights, 11)) === Number(text[place + 1]);
}

/** Verifies the check digits of an Australian tax ID. The first digit is reduced by 1 before weighting. */
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

/** Returns the type of a tax ID and whether the tax ID is plausible. Ignores separators. The tax ID isn't verified online. */
export function checkDocument(country: string, value: string): CheckedDocument {
  const kind = documentTypeOf(value, country) ?? 'TAX_ID';
  if (unionMembers.has(country)) return { kind, isPlausible: taxTables.isBusinessId(country, value) };
  const text = value.toUpperCase().replaceAll(/[\s./-]/g, '');
  const form = forms[country];
  if (form === undefined) return { kind, isPlausible: null };
  return { kind, isPlausible: form.test(text) && (digits[country]?.(text) ?? true) };
}
