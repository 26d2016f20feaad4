import type { Messages } from '../../generated/messages/dashboard.ts';
import { tag } from './language.ts';

// Messages of the dashboard. Each area has one file per language.

export type Words = Messages;

export type Area = keyof Words;

const catalogs = new Map<Area, unknown>();

/** Registers the messages of an area. `src/web/words-plugin.ts` adds a call for each area. */
export const addWords = (area: Area, byLanguage: Readonly<Record<string, unknown>>): unknown =>
  catalogs.set(area, byLanguage[tag]);

/**
 * Returns the messages of an area, such as `wordsOf('features')`. The messages are part of the script that contains the call
 * (`src/web/words-plugin.ts`).
 */
export function wordsOf<Name extends Area>(area: Name): Words[Name] {
  const words = catalogs.get(area) as Words[Name] | undefined;
  if (words === undefined) throw new Error(`There are no words for ${area}.`);
  return words;
}

/** Returns the messages of an area to a component. */
export const useWords = wordsOf;
