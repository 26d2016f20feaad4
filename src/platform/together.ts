/** True if an SQL statement failed only because an earlier statement in its transaction had failed. */
const isConsequence = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25P02';

/**
 * Waits for concurrent work and returns all results. If work fails, throws the first error after all work has ended, so that no work uses the
 * connection after the transaction has ended. Errors that are only consequences of another failure are ignored in favor of the original
 * error.
 */
export async function together<T extends readonly unknown[]>(
  running: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  try {
    // The cast is safe because the results are in the same order as the promises.
    return (await Promise.all(running)) as unknown as T;
  } catch (error) {
    const ended = await Promise.allSettled(running);
    if (!isConsequence(error)) throw error;
    const failures = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    throw failures.find((failure) => !isConsequence(failure)) ?? error;
  }
}
