import { createStore } from '../data/store.ts';

const columnsKey = 'quittance-hidden-columns';

/** The columns that each list hides where its address does not say it, by the name of its page. */
export const hiddenColumns = createStore<Readonly<Record<string, readonly string[]>>>(
  JSON.parse(localStorage.getItem(columnsKey) ?? '{}'),
);

export function chooseHiddenColumns(value: Readonly<Record<string, readonly string[]>>): void {
  localStorage.setItem(columnsKey, JSON.stringify(value));
  hiddenColumns.set(value);
}
