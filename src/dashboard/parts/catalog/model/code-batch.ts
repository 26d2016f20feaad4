// Generates promo codes.

/** Letters and digits that are hard to confuse when read aloud or typed. */
export const codeCharacters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const tailLength = 8;

export const maxCodes = 500;

/** Converts a typed prefix to uppercase letters, digits and hyphens. */
export const cleanPrefix = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 40);

/** Returns an example code with this prefix. */
export const exampleCode = (prefix: string): string => {
  const start = cleanPrefix(prefix);
  return start === '' ? '7KQ2MNXB' : `${start}-7KQ2MNXB`;
};

/** Returns a uniformly distributed random number below a bound. */
export type RandomBelow = (bound: number) => number;

/** Generates distinct codes, each with the prefix and 8 random characters. */
export function codeBatch(prefix: string, count: number, below: RandomBelow): string[] {
  const codes = new Set<string>();
  const start = cleanPrefix(prefix);
  const joint = start === '' || start.endsWith('-') ? start : `${start}-`;
  while (codes.size < Math.min(count, maxCodes)) {
    const tail = Array.from(
      { length: tailLength },
      () => codeCharacters[below(codeCharacters.length)] ?? '',
    ).join('');
    codes.add(`${joint}${tail}`);
  }
  return [...codes];
}

/** Returns cryptographically secure random numbers. The bound must divide 2³², so that all numbers are equally likely. */
export const randomBelow: RandomBelow = (bound) =>
  (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % bound;

/** Splits typed or pasted text into BINs: groups of 6 or 8 digits, without duplicates. `wrong` contains the invalid words. */
export function binsOf(text: string): { readonly bins: string[]; readonly wrong: string[] } {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const isBin = (word: string) => /^(\d{6}|\d{8})$/.test(word);
  return { bins: [...new Set(words.filter(isBin))].sort(), wrong: words.filter((word) => !isBin(word)) };
}

/** Creates a code from a name: lowercase letters, digits and underscores. */
export const codeOfName = (name: string, separator = '_'): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, separator)
    .replace(new RegExp(`^\\${separator}+|\\${separator}+$`, 'g'), '')
    .slice(0, 50);
