import { createStore } from '../data/store.ts';

const columnsKey = 'quittance-hidden-columns';

/** Hidden columns of each list, by the name of its page. Applied if the URL doesn't specify hidden columns. */
export const hiddenColumns = createStore<Readonly<Record<string, readonly string[]>>>(
  JSON.parse(localStorage.getItem(columnsKey) ?? '{}'),
);

export function chooseHiddenColumns(value: Readonly<Record<string, readonly string[]>>): void {
  localStorage.setItem(columnsKey, JSON.stringify(value));
  hiddenColumns.set(value);
}
