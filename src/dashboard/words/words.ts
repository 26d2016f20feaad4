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
  const made = load().then((module) => module[area]);
  loaded.set(area, made);
  return made;
}

/**
 * The words of an area, the name of its files in `words/en` and `words/es`, each of which exports a constant of that name:
 * `useWords<typeof features>('features')`.
 */
export const useWords = <Words>(area: string): Words => use(loadWords(area) as Promise<Words>);
