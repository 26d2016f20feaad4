// Promo codes made many at once.

/** Letters and digits that are not mistaken for each other when read aloud or typed. */
export const codeCharacters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Characters behind the prefix. */
const tailLength = 8;

/** Codes that can be made at once. */
export const mostCodes = 500;

/** A prefix as codes are stored: upper case, with nothing but letters, digits and hyphens. */
export const cleanPrefix = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 40);

/** Random numbers below a bound, without bias. */
export type RandomBelow = (bound: number) => number;

/** Different codes of a prefix and eight random characters each. */
export function codeBatch(prefix: string, count: number, below: RandomBelow): string[] {
  const codes = new Set<string>();
  const start = cleanPrefix(prefix);
  const joint = start === '' || start.endsWith('-') ? start : `${start}-`;
  while (codes.size < Math.min(count, mostCodes)) {
    const tail = Array.from(
      { length: tailLength },
      () => codeCharacters[below(codeCharacters.length)] ?? '',
    ).join('');
    codes.add(`${joint}${tail}`);
  }
  return [...codes];
}

/** Random numbers of the browser's cryptography. The bound divides 2³², so none is more likely. */
export const randomBelow: RandomBelow = (bound) =>
  (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % bound;

/** First digits of cards as they were typed or pasted: groups of 6 or 8 digits, each once, and what is none. */
export function binsOf(text: string): { readonly bins: string[]; readonly wrong: string[] } {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const isBin = (word: string) => /^(\d{6}|\d{8})$/.test(word);
  return { bins: [...new Set(words.filter(isBin))].sort(), wrong: words.filter((word) => !isBin(word)) };
}

/** A code for machines made of a name: lower-case letters, digits and underscores. */
export const codeOfName = (name: string, separator = '_'): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, separator)
    .replace(new RegExp(`^\\${separator}+|\\${separator}+$`, 'g'), '')
    .slice(0, 50);
