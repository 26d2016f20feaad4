import { foldText, piecesOf } from '../../domain/text/folding.ts';
import type { Condition } from '../../platform/db/row-lists.ts';

// Search in the column `searchText`, which contains lowercase text without accents.

/** Returns a LIKE pattern that matches text containing the search text. */
export const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Returns an SQL condition that searches text in a small table. */
export const containsText =
  (table: string, text: string): Condition =>
  (bind) => {
    const folded = foldText(text);
    return folded === '' ? 'false' : `${table}."searchText" LIKE ${bind(pattern(folded))}::text`;
  };

/**
 * Returns an SQL condition that searches text in a large table. Uses an n-gram index, so a search text needs at least
 * two characters. A shorter search text matches nothing.
 */
export const containsIndexed =
  (table: string, text: string): Condition =>
  (bind) => {
    const pieces = piecesOf(foldText(text));
    if (pieces.length === 0) return 'false';
    const bound = bind(pieces);
    return `(quittance_pieces(${table}."searchText") @> ${bound}::text[] AND ${containsText(table, text)(bind)})`;
  };
