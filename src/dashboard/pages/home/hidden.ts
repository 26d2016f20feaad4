// Kinds of what needs attention that the reader hid for a day, in the browser.

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

/** The kinds that are hidden at a time. */
export const hiddenKinds = (now: Date): readonly string[] =>
  Object.entries(read()).flatMap(([kind, until]) => (until > now.getTime() ? [kind] : []));

/** Hides a kind for a day, and answers all that are hidden. */
export function hideKind(kind: string, now: Date): readonly string[] {
  localStorage.setItem(key, JSON.stringify({ ...read(), [kind]: now.getTime() + dayMs }));
  return hiddenKinds(now);
}

/** Shows every kind again. */
export function showAll(): readonly string[] {
  localStorage.removeItem(key);
  return [];
}
