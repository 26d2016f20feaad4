import type { Log } from './log.ts';

/** Logger that reports failures that no caller handles. */
export type Reporter = Pick<Log, 'error'>;

/**
 * Wraps a listener or timer callback so that it never throws. Logs an exception or rejection with the message `what`, then calls `failed` with the
 * same arguments, for example to close a connection. An exception in a listener would end the process, so all listeners for events that clients can
 * cause must be wrapped (`test/architecture.test.ts`).
 */
export function guarded<Args extends readonly unknown[]>(
  log: Reporter,
  what: string,
  listener: (...args: Args) => unknown,
  failed?: (...args: Args) => void,
): (...args: Args) => void {
  const failedWith = (error: unknown, args: Args): void => {
    try {
      log.error({ err: error }, what);
      failed?.(...args);
    } catch {
      // Ignores the error, because even logging the failure failed.
    }
  };
  return (...args) => {
    try {
      const result = listener(...args);
      if (result instanceof Promise) result.catch((error: unknown) => failedWith(error, args));
    } catch (error) {
      failedWith(error, args);
    }
  };
}
