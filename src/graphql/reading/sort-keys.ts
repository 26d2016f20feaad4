/** Returns an SQL expression for case-insensitive sorting by code point, so that the order doesn't depend on the database's locale. */
export const ignoringCase = (text: string): string => `lower(${text}) COLLATE "C"`;

/** Returns an SQL expression for sorting by code point. */
export const byCodePoint = (text: string): string => `${text} COLLATE "C"`;

/** Returns an SQL expression for sorting by code point. Sorts a missing value as an empty text. */
export const emptyIfNull = (text: string): string => byCodePoint(`coalesce(${text}, '')`);

/** Returns an SQL expression for sorting times. Sorts a missing time after all others. */
export const lastIfNull = (time: string): string => `coalesce(${time}, 'infinity'::timestamptz)`;
