/** A selection with one key more, or less where it was in it. Null, a row that is not loaded, changes nothing. */
export function toggled(selected: ReadonlySet<string>, key: string | null): ReadonlySet<string> {
  const next = new Set(selected);
  if (key !== null && !next.delete(key)) next.add(key);
  return next;
}

/** A selection with all loaded rows between two places, both included. */
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
