/** How long to wait before the next look; each costs a query or a request. */
const pauseMs = 20;

/** Looks until what is seen is as wanted, which is to say true by default otherwise, and answers it; the test's own time limit ends the wait. */
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
