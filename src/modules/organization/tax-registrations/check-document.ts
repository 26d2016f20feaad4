import { isAustralian, isChilean } from '../../../domain/tax/check-digits.ts';
import { bareDocument, documentTypeOf, hasKnownForms } from '../../../domain/tax/document-type.ts';
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
  AU: /^\d{11}$/,
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
  US: /^\d{9}$/,
};

const digits: Readonly<Record<string, (text: string) => boolean>> = { AU: isAustralian, CL: isChilean };

/** Returns the type of a tax ID and whether the tax ID is plausible. Ignores separators. The tax ID isn't verified online. */
export function checkDocument(country: string, value: string): CheckedDocument {
  const kind = documentTypeOf(value, country) ?? 'TAX_ID';
  if (unionMembers.has(country)) return { kind, isPlausible: taxTables.isBusinessId(country, value) };
  if (hasKnownForms(country)) return { kind, isPlausible: kind !== 'TAX_ID' };
  const text = bareDocument(value);
  const form = forms[country];
  if (form === undefined) return { kind, isPlausible: null };
  return { kind, isPlausible: form.test(text) && (digits[country]?.(text) ?? true) };
}
