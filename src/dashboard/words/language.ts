import { type Language, languageOfTag } from '../../domain/text/language.ts';

export type { Language };

/** BCP 47 tag of the page's language, selected by the server. */
export const tag = document.documentElement.lang;

/** Language of the page. Changing the language reloads the page. */
export const language: Language = languageOfTag(tag) ?? 'en';

/** Locale for numbers, dates and plural forms in this language. */
export const locale = { en: 'en-US', es: 'es-ES', pt_BR: 'pt-BR' }[language];
