import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
// Without this flag, a weak reference keeps a young object alive during a minor collection.
setFlagsFromString('--handle-weak-ref-weakly-in-minor-gc');
const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const runs = 20;

/** Creates 20 unreferenced objects, one per call. Returns how many are still reachable after two minor collections. */
async function countReachable(make: () => Promise<object>): Promise<number> {
  for (let run = 0; run < runs; run++) await make();
  const made: WeakRef<object>[] = [];
  for (let run = 0; run < runs; run++) made.push(new WeakRef(await make()));
  for (let time = 0; time < 2; time++) {
    await pause();
    collect({ type: 'minor' });
  }
  return made.filter((each) => each.deref() !== undefined).length;
}

/**
 * Returns the lowest number of reachable objects in up to three attempts. A single attempt isn't reliable, because an unrelated minor
 * collection can promote objects, which then survive later minor collections.
 */
export async function survivors(make: () => Promise<object>): Promise<number> {
  let fewest = runs;
  for (let tries = 0; tries < 3 && fewest > 0; tries++) fewest = Math.min(fewest, await countReachable(make));
  return fewest;
}

/** Returns the number of heap bytes still in use after a full collection. */
export function heldBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
