import { use } from 'react';
import { language } from './language.ts';

// What pages say: one file per area and language, loaded when a part first needs it.

/** The same words in another language: each text is a text, each function takes what the English one takes. */
export type Translation<Words> = {
  readonly [Key in keyof Words]: Words[Key] extends string
    ? string
    : Words[Key] extends (...input: infer Input) => string
      ? (...input: Input) => string
      : Translation<Words[Key]>;
};

/** Named values a text is made of. */
export type Values<Names extends string> = Readonly<Record<Names, string>>;

type Module = Readonly<Record<string, unknown>>;

const files = import.meta.glob<Module>('./{en,es}/*.ts');

const loaded = new Map<string, Promise<unknown>>();

/** Loads the words of an area in the language of the page. Throws for an area without a file. */
export function loadWords(area: string): Promise<unknown> {
  const known = loaded.get(area);
  if (known !== undefined) return known;
  const load = files[`./${language}/${area}.ts`];
  if (load === undefined) throw new Error(`There are no words for ${area}.`);
  const made = load().then((module) => {
    // React reads these, and goes on at once with words that are there.
    Object.assign(made, { status: 'fulfilled', value: module[area] });
    return module[area];
  });
  loaded.set(area, made);
  return made;
}

/** Waits for all words that modules have asked for so far. */
export const wordsLoaded = async (): Promise<void> => {
  await Promise.all(loaded.values());
};

/**
 * The words of an area, the name of its files in `words/en` and `words/es`, each of which exports a constant of that name:
 * `useWords<typeof features>('features')`. They are on their way since the module was read (`src/web/words-plugin.ts`).
 */
export const useWords = <Words>(area: string): Words => use(loadWords(area) as Promise<Words>);
