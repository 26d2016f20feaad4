// Figures of a span against the one before.

/** The change against before as a share; null where there was nothing before. */
export const changeOf = (now: number, before: number): number | null =>
  before === 0 ? null : (now - before) / before;

const dayMs = 86_400_000;

/** The last 30 days and the 30 days before them, from a time on. */
export function spansOf(now: Date): { readonly now: Range; readonly before: Range } {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs).toISOString();
  return { now: { from: ago(30), to: now.toISOString() }, before: { from: ago(60), to: ago(30) } };
}

type Range = { readonly from: string; readonly to: string };
