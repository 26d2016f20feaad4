import type { Query } from '../platform/db/pool.ts';

/**
 * Log of an operation's unfinished work. If an operation is interrupted during a provider call, a retry of the same request resumes this work instead
 * of starting over.
 */
export type ResumeLog = {
  /**
   * Work recorded by an earlier execution, for completed commands and the interrupted command. `null` if the earlier execution didn't reach the
   * command.
   */
  readonly left: readonly string[] | null;
  /** Records the unfinished work of the current command. `query` belongs to the open transaction. */
  readonly note: (query: Query, ids: readonly string[]) => Promise<void>;
  /** Advances to the next command of the operation. */
  readonly next: () => void;
};
