/**
 * Waits for work that goes on side by side, and answers what all of it answered. Where some fails, the failure that came first is thrown once all has ended:
 * nothing goes on asking the connection of a transaction that is over.
 */
export async function together<T extends readonly unknown[]>(
  running: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const all = Promise.all(running);
  all.catch(() => undefined);
  await Promise.allSettled(running);
  // The answers are in the order of the work.
  return (await all) as unknown as T;
}
