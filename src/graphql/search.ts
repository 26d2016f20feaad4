import type { Condition } from '../platform/db/row-lists.ts';

/** A text as a pattern of LIKE that matches it anywhere, each of its characters as itself. */
const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The condition that an expression in lower case holds a text. An index of trigrams of the expression serves it from three characters on. */
export const contains =
  (expression: string, text: string): Condition =>
  (bind) =>
    `${expression} LIKE lower(${bind(pattern(text))}::text)`;
