// An event in one plain sentence, made of the event's own data, so that it reads the same whenever it is read.
import type { Language } from './amount-text.ts';
import type { Data } from './event-readers.ts';
import { english } from './event-summary-en.ts';
import { spanish } from './event-summary-es.ts';

/** A sentence: its first letter large, a full stop at its end. */
const sentence = (content: string): string => `${content.charAt(0).toUpperCase()}${content.slice(1)}.`;

/** Kinds are read from storage, as texts. */
const byKind: { readonly [In in Language]: ReadonlyMap<string, (data: Data) => string> } = {
  en: new Map(Object.entries(english)),
  es: new Map(Object.entries(spanish)),
};

/** One plain sentence about an event, with names and amounts as they were. Throws for what is no kind of event. */
export function eventSummary(kind: string, data: Data, language: Language = 'en'): string {
  const summarize = byKind[language].get(kind);
  if (summarize === undefined) throw new Error(`There is no event ${kind}.`);
  return sentence(summarize(data));
}
