export type Language = 'en' | 'es';

/** Language of the page, selected by the server. Changing the language reloads the page. */
export const language: Language = document.documentElement.lang === 'es' ? 'es' : 'en';

/** Locale for numbers, dates and plural forms in this language. */
export const locale = { en: 'en-US', es: 'es-ES' }[language];
