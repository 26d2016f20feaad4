import { lockDataDirectory } from '../../src/platform/db/data-directory.ts';

// Process that acquires and releases data directory locks on command, and reports the results.

/** Command to acquire the lock on the directory `take` at the time `at` (Unix time in milliseconds), or to release the lock. */
export type Order = { readonly take: string; readonly at: number } | 'release';

let release = async (): Promise<void> => undefined;

process.on('message', async (order: Order) => {
  if (order === 'release') {
    await release();
    release = async () => undefined;
    process.send?.('released');
    return;
  }
  // Busy-waits until the start time. Messages reach the processes at slightly different times, so they can't start the race.
  while (Date.now() < order.at);
  try {
    release = await lockDataDirectory(order.take);
    process.send?.('held');
  } catch (error) {
    process.send?.(error instanceof Error ? error.name : String(error));
  }
});
process.send?.('ready');
