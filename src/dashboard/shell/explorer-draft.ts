import { createStore } from '../data/store.ts';

// What stands in the explorer. It lasts as long as the tab, so that a reload loses nothing. Headers are not stored: they may hold a key.

export type Draft = { readonly document: string; readonly variables: string };

const key = 'quittance-explorer-draft';

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && 'document' in value && 'variables' in value;

/** A stored draft; null where none is, or it cannot be read. */
export function readDraft(text: string | null): Draft | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isDraft(value) ? { document: String(value.document), variables: String(value.variables) } : null;
  } catch {
    return null;
  }
}

const example: Draft = {
  document: `query Customers($first: Int) {
  customers(first: $first) {
    nodes {
      id
      email
      fullName
    }
  }
}
`,
  variables: '{ "first": 10 }',
};

export const draft = createStore<Draft>(readDraft(sessionStorage.getItem(key)) ?? example);

draft.subscribe(() => sessionStorage.setItem(key, JSON.stringify(draft.get())));
