/** Sorts a text without regard to upper and lower case, by code points, so that every database sorts alike. */
export const ignoringCase = (text: string): string => `lower(${text}) COLLATE "C"`;

/** Sorts a text by code points. */
export const byCodePoint = (text: string): string => `${text} COLLATE "C"`;
