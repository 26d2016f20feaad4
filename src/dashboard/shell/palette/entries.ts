/** Entry in the command palette: a page, an object or an action. */
export type PaletteEntry = {
  readonly id: string;
  readonly label: string;
  /** Additional search terms, such as former names and the entry's group. */
  readonly words?: string;
  readonly keys?: string;
  readonly detail?: string;
  readonly run: () => void;
};

/** Removes accents and converts to lowercase, so that `facturacion` matches `Facturación`. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Ranks how well a label matches the typed text: 3 if the label starts with the typed text, 2 if a word of the label starts with it, 1 if
 * the label contains it, or 0 if there's no match.
 */
export function rankOf(text: string, typed: string): number {
  const [at, wanted] = [plain(text), plain(typed).trim()];
  if (wanted === '' || at.startsWith(wanted)) return 3;
  if (at.split(/[\s/·-]+/).some((word) => word.startsWith(wanted))) return 2;
  return at.includes(wanted) ? 1 : 0;
}

/** Returns the entries that match the typed text. The best match comes first; among equal matches, the most frequently used entry. */
export function ranked(
  entries: readonly PaletteEntry[],
  typed: string,
  uses: Readonly<Record<string, number>>,
): readonly PaletteEntry[] {
  return entries
    .map((entry, index) => ({
      entry,
      index,
      // A match in the label always ranks above a match in the additional search terms.
      rank: rankOf(entry.label, typed) * 2 || (rankOf(entry.words ?? '', typed) > 1 ? 1 : 0),
    }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || (uses[b.entry.id] ?? 0) - (uses[a.entry.id] ?? 0) || a.index - b.index)
    .map(({ entry }) => entry);
}

/** Splits the typed text into a prefix, which selects a type of entry, and the search text. */
export function prefixOf(typed: string): {
  readonly part: 'all' | 'actions' | 'things';
  readonly text: string;
} {
  const [first = ''] = typed;
  if (first === '>') return { part: 'actions', text: typed.slice(1).trim() };
  if (first === '#' || first === '@') return { part: 'things', text: typed.slice(1).trim() };
  return { part: 'all', text: typed };
}
