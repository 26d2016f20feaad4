/** Whether a statement failed only because one before it in its transaction had failed. */
const isConsequence = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25P02';

/**
 * Waits for work that goes on side by side, and answers what all of it answered. Where some fails, the failure that came first is thrown once all has ended:
 * nothing goes on asking the connection of a transaction that is over. A statement that fails because another one did may be answered sooner; the failure of the
 * other one is thrown.
 */
export async function together<T extends readonly unknown[]>(
  running: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const all = Promise.all(running);
  all.catch(() => undefined);
  const ended = await Promise.allSettled(running);
  try {
    // The answers are in the order of the work.
    return (await all) as unknown as T;
  } catch (error) {
    if (!isConsequence(error)) throw error;
    const failures = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    throw failures.find((failure) => !isConsequence(failure)) ?? error;
  }
}
