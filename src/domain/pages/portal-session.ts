const minuteMs = 60_000;

/** Idle timeout and maximum duration of a portal session (PLT-30). */
export const portalSessionSpans = { idleMs: 30 * minuteMs, longestMs: 120 * minuteMs } as const;

/** Returns the time at which a portal session expires if it isn't used again (PLT-30). */
export function portalSessionEnd({
  createdAt,
  lastUsedAt,
}: {
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}): Date {
  const { idleMs, longestMs } = portalSessionSpans;
  return new Date(Math.min(lastUsedAt.getTime() + idleMs, createdAt.getTime() + longestMs));
}
