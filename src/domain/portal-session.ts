const minuteMs = 60_000;

/** How long a portal session lives without being used, and how long at most, from its creation on (PLT-30). */
export const portalSessionSpans = { idleMs: 30 * minuteMs, longestMs: 120 * minuteMs } as const;

/** When a portal session ends unless it is used again; from that instant on it is dead (PLT-30). */
export function portalSessionEnd({ createdAt, lastUsedAt }: { readonly createdAt: Date; readonly lastUsedAt: Date }): Date {
  const { idleMs, longestMs } = portalSessionSpans;
  return new Date(Math.min(lastUsedAt.getTime() + idleMs, createdAt.getTime() + longestMs));
}
