// The language of a page for customers: who names one, in which order.

export type Language = 'en' | 'es';

/** The language a text such as `es`, `es-MX` or `en_GB` names; null when it is neither. */
export function languageIn(text: unknown): Language | null {
  const [, code] = typeof text === 'string' ? (/^(en|es)(?:[-_].*)?$/i.exec(text.trim()) ?? []) : [];
  if (code === undefined) return null;
  return code.toLowerCase() === 'es' ? 'es' : 'en';
}

/** Countries that mostly read Spanish. */
const spanish = new Set('AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE'.split(' '));
/** Countries that mostly read English. */
const english = new Set(
  'AG AU BB BS BZ CA DM GB GD GH GY IE JM KE KN LC LR MT NG NZ SG TT US VC ZA ZM ZW'.split(' '),
);

/** The language of a customer: `language` or `locale` of its metadata, else that of its country; null for neither. */
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
  if (spanish.has(country)) return 'es';
  return english.has(country) ? 'en' : null;
}

/** The languages of an `Accept-Language` header that pages have, the most wanted first, each once. */
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

/** The region of the language an `Accept-Language` header names first, such as `MX` of `es-MX`; null where it names none. */
export const acceptedCountry = (header: string | null): string | null =>
  /^\s*[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\s*(?:[,;]|$)/i.exec(header ?? '')?.[1]?.toUpperCase() ?? null;

/** Who can name the language of a page; absent and null mean the same. */
export type LanguageSources = {
  /** The link itself: `?locale=`, as it stands there. */
  readonly link?: string | null | undefined;
  /** The call that made the portal session or the checkout, or the payer there. */
  readonly session?: Language | null | undefined;
  readonly customer?: Language | null | undefined;
  readonly organization?: Language | null | undefined;
  /** The `Accept-Language` header. */
  readonly browser?: string | null | undefined;
};

/**
 * The language of a page: that of the link, else of the session, the customer, the organization, the browser, the first that is
 * offered; else the first that is offered, or English.
 */
export function pageLanguage(
  { link, session, customer, organization, browser }: LanguageSources,
  offered: readonly Language[],
): Language {
  const named = [languageIn(link), session, customer, organization, ...acceptedLanguages(browser ?? null)];
  return named.find((one) => one != null && offered.includes(one)) ?? offered[0] ?? 'en';
}
