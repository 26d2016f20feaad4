import { createStore } from '../data/store.ts';

// Content of the API explorer. It is stored until the tab is closed, so that a reload restores it. Headers aren't stored, because they can contain an
// API key.

export type Draft = { readonly document: string; readonly variables: string };

const key = 'quittance-explorer-draft';

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && 'document' in value && 'variables' in value;

/** Parses the stored draft. `null` if the draft is missing or invalid. */
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
