// Types of attention items that the user has hidden for a day. The browser stores these types.

const key = 'quittance-hidden-attention';
const dayMs = 86_400_000;

type Hidden = Readonly<Record<string, number>>;

function read(): Hidden {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as Hidden) : {};
  } catch {
    return {};
  }
}

/** Returns the types of attention items that are hidden at the given time. */
export const hiddenKinds = (now: Date): readonly string[] =>
  Object.entries(read()).flatMap(([kind, until]) => (until > now.getTime() ? [kind] : []));

/** Hides a type for a day. Returns all hidden types. */
export function hideKind(kind: string, now: Date): readonly string[] {
  localStorage.setItem(key, JSON.stringify({ ...read(), [kind]: now.getTime() + dayMs }));
  return hiddenKinds(now);
}

/** Shows all types of items again. Returns an empty list. */
export function showAll(): readonly string[] {
  localStorage.removeItem(key);
  return [];
}
