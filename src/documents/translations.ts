import type { Language } from '../domain/money/amount-text.ts';
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

type ByLanguage<Words> = { readonly [language in Language]: Words };

export type DocumentWords = Messages['document'];

/** Static text on invoices and credit notes, by language. */
export const documentWords: ByLanguage<DocumentWords> = messagesByLanguage({ en: document, es: documentEs });

/** Text of line items, by language. */
export const lineWords: ByLanguage<Messages['lines']> = messagesByLanguage({ en: lines, es: linesEs });

/** Explanations of line item amounts, by language and formula. */
export const explanationWords: ByLanguage<Messages['explanations']> = messagesByLanguage({
  en: explanations,
  es: explanationsEs,
});

/** Descriptions of rates, by language. */
export const rateWords: ByLanguage<Messages['rates']> = messagesByLanguage({ en: rates, es: ratesEs });

/** Event summaries by language and event type. */
export const eventWords: ByLanguage<Messages['events']> = messagesByLanguage({ en: events, es: eventsEs });
