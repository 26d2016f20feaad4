const key = 'quittance-palette';

/** Returns the number of times that each palette entry has been chosen in this browser. */
export function readUses(): Readonly<Record<string, number>> {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof read === 'object' && read !== null ? (read as Record<string, number>) : {};
  } catch {
    return {};
  }
}

export function countUse(id: string): void {
  const uses = readUses();
  localStorage.setItem(key, JSON.stringify({ ...uses, [id]: (uses[id] ?? 0) + 1 }));
}
