import { together } from '../together.ts';
import type { Query } from './pool.ts';

// Lock timeouts for some statements in a transaction. The timeout is set with a separate SQL statement, so that a
// distributed database forwards it to its nodes. All statements are sent together.

/** Returns the statement that sets the lock timeout for the subsequent statements in a transaction. Throws if the number is invalid. */
function boundingLocks(milliseconds: number): string {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0)
    throw new RangeError(`${milliseconds} is no number of milliseconds.`);
  return `SET LOCAL lock_timeout = ${milliseconds}`;
}

/** Statement that restores the connection's default lock timeout. */
const unboundedLocks = 'SET LOCAL lock_timeout TO DEFAULT';

/** Runs the statements of `send` with a lock timeout. `send` must request them synchronously. */
export async function withBoundedLocks<T>(
  query: Query,
  milliseconds: number,
  send: () => Promise<T>,
): Promise<T> {
  const [, answer] = await together<[unknown, T, unknown]>([
    query(boundingLocks(milliseconds)),
    send(),
    query(unboundedLocks),
  ]);
  return answer;
}
