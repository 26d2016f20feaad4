/**
 * Validity period of an identity check, in milliseconds. A user passes an identity check by entering the password or by
 * using a passkey with user verification.
 */
const proofMs = 15 * 60_000;

/** Returns the time at which an identity check expires. `null` if it has already expired. */
export function proofEnd(provenAt: Date | null, now: Date): Date | null {
  if (provenAt === null) return null;
  const end = new Date(provenAt.getTime() + proofMs);
  return end > now ? end : null;
}

/** True if the user's last identity check is still valid. */
export const isProofFresh = (provenAt: Date | null, now: Date): boolean => proofEnd(provenAt, now) !== null;
