import type { Log } from './log.ts';

/** Maximum time in milliseconds within which the process must stop after an uncaught exception. */
const stopMs = 15_000;

/**
 * Handles uncaught exceptions and unhandled rejections. After an exception, the state may be inconsistent, so the process calls `stop` and
 * exits with code 1. A supervisor should restart the process. After a rejection, the error is logged and the process continues. See
 * `essential` for work that must not fail.
 */
export function catchTheRest(log: Log, stop: () => Promise<void>): void {
  let isStopping = false;
  const end = (): never => process.exit(1);
  process.on('unhandledRejection', (reason) =>
    log.error({ err: reason }, 'A promise was rejected and no one waited for it.'),
  );
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'An exception was not caught. The process stops.');
    if (isStopping) return;
    isStopping = true;
    setTimeout(end, stopMs);
    stop().then(end, (failure: unknown) => {
      log.fatal({ err: failure }, 'The process could not stop in order.');
      end();
    });
  });
}

/** Marks work that must run as long as the process. If the work fails, its error becomes an uncaught exception. */
export function essential(work: Promise<void>): Promise<void> {
  work.catch((error: unknown) => {
    setImmediate(() => {
      throw error;
    });
  });
  return work;
}
