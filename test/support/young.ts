import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
// Whether a young object is still reached is seen by weak references, which have to count as weak then.
setFlagsFromString('--handle-weak-ref-weakly-in-minor-gc');
const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const runs = 20;

/** How many of 20 objects, one made by each run and used no longer, outlive two collections of young objects. */
async function outlasting(make: () => Promise<object>): Promise<number> {
  for (let run = 0; run < runs; run++) await make();
  const made: WeakRef<object>[] = [];
  for (let run = 0; run < runs; run++) made.push(new WeakRef(await make()));
  for (let time = 0; time < 2; time++) {
    await pause();
    collect({ type: 'minor' });
  }
  return made.filter((each) => each.deref() !== undefined).length;
}

/** The fewest of up to three tries: the process may collect by itself meanwhile, and what it met twice is old by then. */
export async function survivors(make: () => Promise<object>): Promise<number> {
  let fewest = runs;
  for (let tries = 0; tries < 3 && fewest > 0; tries++) fewest = Math.min(fewest, await outlasting(make));
  return fewest;
}

/** Bytes of the heap that are still reached, after a full collection. */
export function heldBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
