import type { Language } from '../domain/text/language.ts';
import type { Messages } from '../generated/messages/documents.ts';
import { messagesByLanguage } from '../messages/compile.ts';
import document from './words/en/document.json' with { type: 'json' };
import events from './words/en/events.json' with { type: 'json' };
import explanations from './words/en/explanations.json' with { type: 'json' };
import lines from './words/en/lines.json' with { type: 'json' };
import rates from './words/en/rates.json' with { type: 'json' };
import documentEs from './words/es/document.json' with { type: 'json' };
import eventsEs from './words/es/events.json' with { type: 'json' };
import explanationsEs from './words/es/explanations.json' with { type: 'json' };
import linesEs from './words/es/lines.json' with { type: 'json' };
import ratesEs from './words/es/rates.json' with { type: 'json' };
import documentPt from './words/pt-BR/document.json' with { type: 'json' };
import eventsPt from './words/pt-BR/events.json' with { type: 'json' };
import explanationsPt from './words/pt-BR/explanations.json' with { type: 'json' };
import linesPt from './words/pt-BR/lines.json' with { type: 'json' };
import ratesPt from './words/pt-BR/rates.json' with { type: 'json' };

type ByLanguage<Words> = { readonly [language in Language]: Words };

export type DocumentWords = Messages['document'];

/** Static text on invoices and credit notes, by language. */
export const documentWords: ByLanguage<DocumentWords> = messagesByLanguage({
  en: document,
  es: documentEs,
  pt_BR: documentPt,
});

/** Text of line items, by language. */
export const lineWords: ByLanguage<Messages['lines']> = messagesByLanguage({
  en: lines,
  es: linesEs,
  pt_BR: linesPt,
});

/** Explanations of line item amounts, by language and formula. */
export const explanationWords: ByLanguage<Messages['explanations']> = messagesByLanguage({
  en: explanations,
  es: explanationsEs,
  pt_BR: explanationsPt,
});

/** Descriptions of rates, by language. */
export const rateWords: ByLanguage<Messages['rates']> = messagesByLanguage({
  en: rates,
  es: ratesEs,
  pt_BR: ratesPt,
});

/** Event summaries by language and event type. */
export const eventWords: ByLanguage<Messages['events']> = messagesByLanguage({
  en: events,
  es: eventsEs,
  pt_BR: eventsPt,
});
