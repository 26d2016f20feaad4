/** Replacements for characters that Unicode normalization doesn't decompose. */
const replacements: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ĸ: 'k',
  ς: 'σ',
};

const replaced = new RegExp(`[${Object.keys(replacements).join('')}]`, 'g');

/**
 * Normalizes an email address for case-insensitive comparisons. Keeps accents, because mail servers can
 * distinguish them. The database stores the result, so that comparisons don't depend on its locale.
 */
export const foldEmail = (email: string): string =>
  email.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

/**
 * Normalizes a string for searches by removing case, accents, and compatibility forms, so that `strasse` finds
 * `Straße` and `unal` finds `Ünal`. Keeps vowel signs of Asian scripts and voicing marks of Kana, because they
 * distinguish words. Idempotent.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(replaced, (letter) => replacements[letter] ?? letter)
    .normalize('NFKC');

/**
 * Joins strings into one normalized string for searches. Line breaks separate the strings, so that no search matches
 * across two of them.
 */
export const searchTextOf = (...parts: readonly (string | null)[]): string =>
  foldText(parts.filter((part) => part !== null).join('\n'));

/** Returns the customer columns used for lookups and searches. Set them whenever you write the columns they're derived from. */
export const customerKeys = ({
  email,
  fullName,
  externalId,
}: {
  readonly email: string;
  readonly fullName: string;
  readonly externalId: string | null;
}): { readonly emailKey: string; readonly searchText: string } => ({
  emailKey: foldEmail(email),
  searchText: searchTextOf(fullName, email, externalId),
});

/**
 * Returns the substrings that every match for a search must contain: all substrings with 3 characters, or the search
 * string itself if it has 2 characters. Empty for shorter strings. A database index contains the substrings of stored
 * strings (`quittance_pieces`).
 */
export function piecesOf(folded: string): string[] {
  const characters = [...folded];
  const size = Math.min(characters.length, 3);
  if (size < 2) return [];
  const pieces = characters
    .slice(size - 1)
    .map((_last, start) => characters.slice(start, start + size).join(''));
  return [...new Set(pieces)];
}
