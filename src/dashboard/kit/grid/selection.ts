/** Adds a key to a selection, or removes it if it is selected. `null`, the key of a row that isn't loaded, changes nothing. */
export function toggled(selected: ReadonlySet<string>, key: string | null): ReadonlySet<string> {
  const next = new Set(selected);
  if (key !== null && !next.delete(key)) next.add(key);
  return next;
}

/** Adds all loaded rows between two indexes to a selection. Both indexes are inclusive. */
export function range(
  selected: ReadonlySet<string>,
  from: number,
  until: number,
  keyAt: (index: number) => string | null,
): ReadonlySet<string> {
  const next = new Set(selected);
  for (let index = Math.min(from, until); index <= Math.max(from, until); index += 1) {
    const key = keyAt(index);
    if (key !== null) next.add(key);
  }
  return next;
}
