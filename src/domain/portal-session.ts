const minuteMs = 60_000;

/** How long a portal session lasts unused, and at most (PLT-30). */
export const portalSessionSpans = { idleMs: 30 * minuteMs, longestMs: 120 * minuteMs } as const;

/** When an unused portal session ends (PLT-30). */
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
