import { together } from '../together.ts';
import type { Query } from './pool.ts';

// How long statements wait for locks is bounded for some of a transaction. The bound is set by statements of their own, which a distributed database
// passes on to where rows are, and which are sent together with what they are about.

/** The statement that bounds how long those after it in the transaction wait for locks. Throws for what is no number of milliseconds. */
export function boundingLocks(milliseconds: number): string {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0)
    throw new RangeError(`${milliseconds} is no number of milliseconds.`);
  return `SET LOCAL lock_timeout = ${milliseconds}`;
}

/** The statement that ends the bound: the connection's own is in force again. */
export const unboundedLocks = 'SET LOCAL lock_timeout TO DEFAULT';

/** Sends statements, which `send` asks for at once, with a bound on how long they wait for locks. */
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
