import type { Log } from './log.ts';

/** Reports a failure that no caller waits for. */
export type Reporter = Pick<Log, 'error'>;

/**
 * Makes a listener or timer callback that never throws. What `listener` throws, and what a promise it returns rejects with, is logged at `error`
 * under `what` ("A socket was not upgraded."), and `failed` is called with the same arguments, to end a connection for instance. An exception
 * out of a listener ends the process, so every event that someone outside can cause enters through here (`test/architecture.test.ts`).
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
      // Nothing is left to report with.
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
