import type { words as account } from './account/en.ts';
import type { Translation } from './en.ts';

/** Words that some pages have besides those of every page, by the folder they stand in. */
export type Areas = { readonly account: Translation<typeof account> };

export type AreaName = keyof Areas;

/** The words of one area. */
export type Area = { [Name in AreaName]: { readonly name: Name; readonly words: Areas[Name] } }[AreaName];
