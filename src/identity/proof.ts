/** How long a proof of a person counts. A password proves one, and a passkey whose authenticator verified its user. */
const proofMs = 15 * 60_000;

/** Until when a proof of then counts; null where it does not count at `now`. */
export function proofEnd(provenAt: Date | null, now: Date): Date | null {
  if (provenAt === null) return null;
  const end = new Date(provenAt.getTime() + proofMs);
  return end > now ? end : null;
}

/** Whether a proof of then counts at `now`. */
export const isProofFresh = (provenAt: Date | null, now: Date): boolean => proofEnd(provenAt, now) !== null;
