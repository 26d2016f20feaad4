import { createStore } from '../../data/store.ts';
import { type Draft, readDraft } from '../../shell/explorer-draft.ts';

// Documents that were run, stored in this browser. Headers aren't stored, because they can contain an API key.

export type HistoryEntry = Draft & {
  /** Time when the document was last run, in ISO 8601 format. */
  readonly at: string;
};

const key = 'quittance-explorer-history';
const maxEntries = 50;

function stored(): HistoryEntry[] {
  try {
    const values: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    if (!Array.isArray(values)) return [];
    return values.flatMap((value: unknown) => {
      const found = readDraft(JSON.stringify(value));
      return found === null ? [] : [{ ...found, at: String((value as { at?: unknown }).at) }];
    });
  } catch {
    return [];
  }
}

export const history = createStore<readonly HistoryEntry[]>(stored());

history.subscribe(() => localStorage.setItem(key, JSON.stringify(history.get())));

/** Adds an entry at the top of a history. Replaces an entry with the same document and variables. */
export const withEntry = (before: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] =>
  [
    entry,
    ...before.filter(
      ({ document, variables }) => document !== entry.document || variables !== entry.variables,
    ),
  ].slice(0, maxEntries);
