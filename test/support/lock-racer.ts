import { lockDataDirectory } from '../../src/platform/db/data-directory.ts';

// Process that acquires and releases locks of data directories on command and reports the results.

/** Acquires the lock of a directory at an instant in milliseconds, or releases it. */
export type Order = { readonly take: string; readonly at: number } | 'release';

let release = async (): Promise<void> => undefined;

process.on('message', async (order: Order) => {
  if (order === 'release') {
    await release();
    release = async () => undefined;
    process.send?.('released');
    return;
  }
  // Busy-waits, because messages don't arrive precisely enough for all processes to start at the same time.
  while (Date.now() < order.at);
  try {
    release = await lockDataDirectory(order.take);
    process.send?.('held');
  } catch (error) {
    process.send?.(error instanceof Error ? error.name : String(error));
  }
});
process.send?.('ready');
