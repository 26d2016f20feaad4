import { use } from 'react';
import type { Messages } from '../../generated/messages/dashboard.ts';
import { language } from './language.ts';

// Strings of the dashboard. Each area has one file per language, which is loaded when a component first uses it.

export type Words = Messages;

export type Area = keyof Words;

type Module = { readonly default: unknown };

const files = import.meta.glob<Module>('./*/*.json');

const loaded = new Map<Area, Promise<unknown>>();

/** Loads the messages of an area in the language of the page. Throws if the file doesn't exist. */
export function loadWords<Name extends Area>(area: Name): Promise<Words[Name]> {
  const known = loaded.get(area) as Promise<Words[Name]> | undefined;
  if (known !== undefined) return known;
  const load = files[`./${language}/${area}.json`];
  if (load === undefined) throw new Error(`There are no words for ${area}.`);
  const words = load().then((module) => {
    // The module is compiled from JSON by `src/web/messages-plugin.ts`.
    const value = module.default as Words[Name];
    // React reads `status` and `value`, and doesn't suspend if the promise is already fulfilled.
    Object.assign(words, { status: 'fulfilled', value });
    return value;
  });
  loaded.set(area, words);
  return words;
}

/** Waits for all messages that have been requested so far. */
export const wordsLoaded = async (): Promise<void> => {
  await Promise.all(loaded.values());
};

/**
 * Returns the messages of an area, such as `useWords('features')`. The messages are loaded together with the module that contains the call
 * (`src/web/words-plugin.ts`).
 */
export const useWords = <Name extends Area>(area: Name): Words[Name] => use(loadWords(area));
