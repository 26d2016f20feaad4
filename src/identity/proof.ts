/** How long a proved password counts. */
const proofMs = 15 * 60_000;

/** Until when a password that was proved then counts; null where it does not count at `now`. */
export function proofEnd(provenAt: Date | null, now: Date): Date | null {
  if (provenAt === null) return null;
  const end = new Date(provenAt.getTime() + proofMs);
  return end > now ? end : null;
}

/** Whether a password that was proved then counts at `now`. */
export const isProofFresh = (provenAt: Date | null, now: Date): boolean => proofEnd(provenAt, now) !== null;
