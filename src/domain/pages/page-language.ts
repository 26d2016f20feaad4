// Determines the language of customer-facing pages.

import { type Language, languages } from '../text/language.ts';

/** Returns the language of a locale such as `es`, `es-MX`, `en_GB`, or `pt`. `null` if the language isn't supported. */
function languageIn(text: unknown): Language | null {
  const [, code] = typeof text === 'string' ? (/^([a-z]{2})(?:[-_].*)?$/i.exec(text.trim()) ?? []) : [];
  return code === undefined ? null : (languages.find((one) => one.startsWith(code.toLowerCase())) ?? null);
}

/** Countries where most customers speak a language. Countries with Portuguese as the official language use Brazilian Portuguese. */
const countriesOf: { readonly [language in Language]: string } = {
  en: 'AG AU BB BS BZ CA DM GB GD GH GY IE JM KE KN LC LR MT NG NZ SG TT US VC ZA ZM ZW',
  es: 'AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE',
  pt_BR: 'AO BR MZ PT',
};

const languageByCountry: ReadonlyMap<string, Language> = new Map(
  languages.flatMap((language) => countriesOf[language].split(' ').map((country) => [country, language])),
);

/**
 * Returns the language of a customer: `language` or `locale` in the metadata, otherwise the language of the country.
 * `null` if neither the metadata nor the country determines a supported language.
 */
export function customerLanguage({
  metadata,
  country,
}: {
  readonly metadata: unknown;
  readonly country: string | null;
}): Language | null {
  const stored =
    typeof metadata === 'object' && metadata !== null
      ? (metadata as { readonly [key: string]: unknown })
      : {};
  const named = languageIn(stored['language']) ?? languageIn(stored['locale']);
  if (named !== null || country === null) return named;
  return languageByCountry.get(country) ?? null;
}

/** Returns the supported languages in an `Accept-Language` header by preference, without duplicates. */
export function acceptedLanguages(header: string | null): Language[] {
  const ranked = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const weight = parameters.map((each) => each.trim()).find((each) => /^q=/i.test(each));
      return {
        language: languageIn(tag),
        weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0,
      };
    })
    .sort((a, b) => b.weight - a.weight);
  return [
    ...new Set(
      ranked.flatMap(({ language, weight }) => (language === null || weight === 0 ? [] : [language])),
    ),
  ];
}

/**
 * Returns the region of the first language in an `Accept-Language` header, such as `MX` for `es-MX`. `null`
 * if the language has no region.
 */
export const acceptedCountry = (header: string | null): string | null =>
  /^\s*[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\s*(?:[,;]|$)/i.exec(header ?? '')?.[1]?.toUpperCase() ?? null;

/** Sources for a page's language, in order of precedence. Absent and `null` are equivalent. */
export type LanguageSources = {
  /** Raw `?locale=` parameter of the link. */
  readonly link?: string | null | undefined;
  /** Language requested with the portal session or checkout, or chosen by the payer. */
  readonly session?: Language | null | undefined;
  readonly customer?: Language | null | undefined;
  readonly organization?: Language | null | undefined;
  /** `Accept-Language` header of the browser's request. */
  readonly browser?: string | null | undefined;
};

/**
 * Returns the language of a page. Checks the languages of the link, session, customer, organization, and browser, in
 * this order, and returns the first language that the page offers. If the page offers none of these languages, returns
 * the page's first language, or English.
 */
export function pageLanguage(
  { link, session, customer, organization, browser }: LanguageSources,
  offered: readonly Language[],
): Language {
  const named = [languageIn(link), session, customer, organization, ...acceptedLanguages(browser ?? null)];
  return named.find((one) => one != null && offered.includes(one)) ?? offered[0] ?? 'en';
}
