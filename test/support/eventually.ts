/**
 * Shortest and longest pause between two checks in milliseconds. Each check requires a query or a request, so a long wait checks less
 * often.
 */
const pauses = { firstMs: 20, mostMs: 100 } as const;

/**
 * Repeats a check until its result meets a condition. By default, the result must be `true`. Returns the result. The test's timeout limits
 * the wait.
 */
export async function eventually<Seen>(
  look: () => Promise<Seen> | Seen,
  isWanted: (seen: Seen) => boolean = (seen) => seen === true,
): Promise<Seen> {
  for (let pauseMs: number = pauses.firstMs; ; pauseMs = Math.min(pauseMs * 1.5, pauses.mostMs)) {
    const seen = await look();
    if (isWanted(seen)) return seen;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
