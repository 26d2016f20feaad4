/** Pause between two checks in milliseconds. Each check requires a query or a request. */
const pauseMs = 20;

/**
 * Repeats a check until its result meets a condition. By default, the result must be `true`. Returns the result. The test's timeout limits
 * the wait.
 */
export async function eventually<Seen>(
  look: () => Promise<Seen> | Seen,
  isWanted: (seen: Seen) => boolean = (seen) => seen === true,
): Promise<Seen> {
  for (;;) {
    const seen = await look();
    if (isWanted(seen)) return seen;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
