export type Language = 'en' | 'es';

/** The language of the page, as the server chose it. Another one is a reload away. */
export const language: Language = document.documentElement.lang === 'es' ? 'es' : 'en';

/** The language with its conventions for numbers and dates. */
export const locale = { en: 'en-US', es: 'es-ES' }[language];

const plurals = new Intl.PluralRules(locale);

/** One of two texts, by a number. */
export const plural = (count: number, one: string, other: string): string =>
  plurals.select(count) === 'one' ? one : other;
