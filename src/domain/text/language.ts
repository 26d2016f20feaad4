/** Languages of customer emails, documents, hosted pages, and the dashboard, in display order. */
export const languages = ['en', 'es', 'pt_BR'] as const;

export type Language = (typeof languages)[number];

/** Names of the languages in the languages themselves. */
export const languageNames: { readonly [language in Language]: string } = {
  en: 'English',
  es: 'Español',
  pt_BR: 'Português (Brasil)',
};

/** Returns the BCP 47 tag of a language, such as `pt-BR`. Folders of messages have the same names. */
export const tagOf = (language: Language): string => language.replace('_', '-');

/** Returns the language with a BCP 47 tag. `null` if there's none. */
export const languageOfTag = (tag: string): Language | null =>
  languages.find((language) => tagOf(language) === tag) ?? null;
