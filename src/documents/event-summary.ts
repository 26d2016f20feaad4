import { type Data, type Values, valuesIn } from '../domain/events/event-readers.ts';
import { summaryValues } from '../domain/events/event-summary-values.ts';
import type { EventKind } from '../domain/events/events.ts';
import type { Language } from '../domain/text/language.ts';
import { eventWords } from './translations.ts';

const valuesByLanguage = new Map<Language, Values>();

const isEventKind = (kind: string): kind is EventKind => Object.hasOwn(summaryValues, kind);

/** Summarizes an event in one sentence, with names and amounts at the time of the event. Throws for an unknown event type. */
export function eventSummary(kind: string, data: Data, language: Language = 'en'): string {
  if (!isEventKind(kind)) throw new Error(`There is no event ${kind}.`);
  const values = valuesByLanguage.getOrInsertComputed(language, valuesIn);
  const message = eventWords[language][kind] as string | ((values: object) => string);
  return typeof message === 'string' ? message : message(summaryValues[kind](data, values));
}
