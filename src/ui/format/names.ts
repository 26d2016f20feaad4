// Names of countries, currencies and languages, and ids in short.

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

/** A country by its two-letter code: Germany. */
export const countryText = (code: string, locale: string): string => nameOf(code, 'region', locale);

/** A currency by its code: US Dollar. */
export const currencyText = (code: string, locale: string): string => nameOf(code, 'currency', locale);

/** A language by its code: Spanish. */
export const languageText = (code: string, locale: string): string => nameOf(code, 'language', locale);

/** Countries by their codes, sorted by name as the locale sorts. */
export function sortedCountries(codes: readonly string[], locale: string): { code: string; name: string }[] {
  const collator = new Intl.Collator(locale);
  return codes
    .map((code) => ({ code, name: countryText(code, locale) }))
    .sort((a, b) => collator.compare(a.name, b.name));
}

/** An id with its prefix and its last characters: cus_…x7Kd. Ids that are short anyway stay whole. */
export function shortId(id: string, tail = 6): string {
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? '';
  return id.length <= prefix.length + tail + 2 ? id : `${prefix}…${id.slice(-tail)}`;
}

/** The first characters of at most two words of a name, for an avatar. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s@._-]+/)
    .filter(Boolean);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return chosen.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('');
}

/** A machine's value as a sentence starts: `past_due` becomes Past due. For values that no catalog names. */
export function plainText(value: string): string {
  const text = value.replaceAll(/[_.]+/g, ' ').toLowerCase();
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
