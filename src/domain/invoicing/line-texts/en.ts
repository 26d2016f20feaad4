import type { StoredLine } from './line-text.ts';

/** What a line says in English, in which lines are stored. */
export const lineText = ({ description }: StoredLine): string => description;
