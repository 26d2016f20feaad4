// Names of countries, currencies and languages, and shortened IDs.

const names = new Map<string, Intl.DisplayNames>();

function nameOf(code: string, type: Intl.DisplayNamesType, locale: string): string {
  const key = `${locale} ${type}`;
  const known = names.get(key) ?? new Intl.DisplayNames(locale, { type });
  names.set(key, known);
  try {
    return known.of(type === 'language' ? code : code.toUpperCase()) ?? code;
  } catch {
    return code;
  }
}

/** Returns a country's name by its two-letter code: Germany. */
export const countryText = (code: string, locale: string): string => nameOf(code, 'region', locale);

/** Returns a currency's name by its code: US Dollar. */
export const currencyText = (code: string, locale: string): string => nameOf(code, 'currency', locale);

/** Returns a language's name by its code: Spanish. */
export const languageText = (code: string, locale: string): string => nameOf(code, 'language', locale);

/** Returns countries with their names, sorted by the locale's rules. */
export function sortedCountries(codes: readonly string[], locale: string): { code: string; name: string }[] {
  const collator = new Intl.Collator(locale);
  return codes
    .map((code) => ({ code, name: countryText(code, locale) }))
    .sort((a, b) => collator.compare(a.name, b.name));
}

/** Shortens an ID to its prefix and last characters: cus_…x7Kd. Short IDs don't change. */
export function shortId(id: string, tail = 6): string {
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? '';
  return id.length <= prefix.length + tail + 2 ? id : `${prefix}…${id.slice(-tail)}`;
}

/** Returns the initials of up to two words in a name, for an avatar. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s@._-]+/)
    .filter(Boolean);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return chosen.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('');
}

/** Formats an API value in sentence case: `past_due` becomes Past due. For values without a translation. */
export function plainText(value: string): string {
  const text = value.replaceAll(/[_.]+/g, ' ').toLowerCase();
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
