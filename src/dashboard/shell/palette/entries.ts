/** Something the palette leads to or does. */
export type PaletteEntry = {
  readonly id: string;
  readonly label: string;
  /** What else finds it: older words, the group it stands in. */
  readonly words?: string;
  readonly keys?: string;
  readonly detail?: string;
  readonly run: () => void;
};

/** A text without accents and upper case, so that `facturacion` finds `Facturación`. */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** How well a text fits what was typed: 3 where it begins so, 2 where a word does, 1 where it contains it, 0 where it does not. */
export function rankOf(text: string, typed: string): number {
  const [at, wanted] = [plain(text), plain(typed).trim()];
  if (wanted === '' || at.startsWith(wanted)) return 3;
  if (at.split(/[\s/·-]+/).some((word) => word.startsWith(wanted))) return 2;
  return at.includes(wanted) ? 1 : 0;
}

/** The entries that fit what was typed, the best first; among equals those used more often. */
export function ranked(
  entries: readonly PaletteEntry[],
  typed: string,
  uses: Readonly<Record<string, number>>,
): readonly PaletteEntry[] {
  return entries
    .map((entry, index) => ({
      entry,
      index,
      // What finds an entry beside its label counts less than any label.
      rank: rankOf(entry.label, typed) * 2 || (rankOf(entry.words ?? '', typed) > 1 ? 1 : 0),
    }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || (uses[b.entry.id] ?? 0) - (uses[a.entry.id] ?? 0) || a.index - b.index)
    .map(({ entry }) => entry);
}

/** The part of the palette a prefix asks for, and what follows it. */
export function prefixOf(typed: string): {
  readonly part: 'all' | 'actions' | 'things';
  readonly text: string;
} {
  const [first = ''] = typed;
  if (first === '>') return { part: 'actions', text: typed.slice(1).trim() };
  if (first === '#' || first === '@') return { part: 'things', text: typed.slice(1).trim() };
  return { part: 'all', text: typed };
}
