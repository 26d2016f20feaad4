import { createStore } from '../../data/store.ts';
import { type Draft, readDraft } from '../../shell/explorer-draft.ts';

// What was run, kept in this browser. Headers are not: they may hold a key.

export type HistoryEntry = Draft & {
  /** When it was last run, as an ISO text. */
  readonly at: string;
};

const key = 'quittance-explorer-history';
const most = 50;

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

/** What was run, the latest first. */
export const history = createStore<readonly HistoryEntry[]>(stored());

history.subscribe(() => localStorage.setItem(key, JSON.stringify(history.get())));

/** A history with an entry on top; the same document with the same variables stands in it once. */
export const withEntry = (before: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] =>
  [
    entry,
    ...before.filter(
      ({ document, variables }) => document !== entry.document || variables !== entry.variables,
    ),
  ].slice(0, most);
