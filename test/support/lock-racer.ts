import { lockDataDirectory } from '../../src/platform/db/data-directory.ts';

// A process that takes the locks of data directories when it is told to, and says the outcome.

/** What the racer is told: to take the lock of a directory at an instant of the machine's clock, or to give it back. */
export type Order = { readonly take: string; readonly at: number } | 'release';

let release = async (): Promise<void> => undefined;

process.on('message', async (order: Order) => {
  if (order === 'release') {
    await release();
    release = async () => undefined;
    process.send?.('released');
    return;
  }
  // All begin at the same instant, which no message could bring about.
  while (Date.now() < order.at);
  try {
    release = await lockDataDirectory(order.take);
    process.send?.('held');
  } catch (error) {
    process.send?.(error instanceof Error ? error.name : String(error));
  }
});
process.send?.('ready');
