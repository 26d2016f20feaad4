import type { Log } from './log.ts';

/** How long a process may take to stop after an exception nobody expected. */
const stopMs = 15_000;

/**
 * Decides what becomes of failures nobody caught. An exception may have left anything half done, so the process finishes what is under way with
 * `stop`, for 15 seconds at most, and ends with exit code 1; its supervisor starts it again. A rejected promise that nobody waits for
 * left nothing half done that anybody relies on: it is logged, and the process goes on. What the process cannot do without is `essential`.
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

/** Watches work that goes on for as long as the process does, and without which it is of no use: its failure is an exception of the process. */
export function essential(work: Promise<void>): Promise<void> {
  work.catch((error: unknown) => {
    setImmediate(() => {
      throw error;
    });
  });
  return work;
}
