// Batch processing. Items that arrive while a batch runs form the next batch. Groups take turns.

/** Limits of the batches and of the queue. `weightOf` defines the weight of an item. */
export type TurnLimits<T> = {
  /** Maximum number of concurrent batches. */
  readonly slots: number;
  /**
   * Maximum number of concurrent batches per group. Another batch starts only if the waiting items weigh at least as much as the running
   * items. The batch takes only its share of the total weight, so that batches have similar sizes. Otherwise, a large batch next to small
   * ones would leave workers idle.
   */
  readonly lanes: number;
  /** Minimum weight of the waiting items for starting a batch while another batch of the group runs. Defaults to 0. */
  readonly besideWeight?: number;
  /** Maximum weight of a batch. A heavier item gets its own batch. */
  readonly batchWeight: number;
  /** Maximum weight of the waiting items per group. Further items are rejected. */
  readonly queueWeight: number;
  readonly weightOf: (item: T) => number;
  /** Name of an item. Items with the same name are never in the same batch. `null` if the item can be in any batch. */
  readonly nameOf: (item: T) => string | null;
};

type Group<T> = { waiting: T[]; weight: number; running: number; runningWeight: number };

/** Returns the maximum weight of the group's next batch. */
function shareOf<T>(
  { weight, runningWeight }: Group<T>,
  { lanes, besideWeight = 0, batchWeight }: TurnLimits<T>,
): number {
  return Math.min(batchWeight, Math.max(besideWeight, Math.ceil((weight + runningWeight) / lanes)));
}

/** Removes the next batch from a queue: as many items as fit, in order, without duplicate names. */
function takeBatch<T>(group: Group<T>, limits: TurnLimits<T>): { batch: T[]; weight: number } {
  const { weightOf, nameOf } = limits;
  const most = shareOf(group, limits);
  const batch: T[] = [];
  const later: T[] = [];
  const names = new Set<string>();
  let weight = 0;
  for (const [index, item] of group.waiting.entries()) {
    const own = weightOf(item);
    if (batch.length > 0 && weight + own > most) {
      later.push(...group.waiting.slice(index));
      break;
    }
    const name = nameOf(item);
    if (name !== null && names.has(name)) later.push(item);
    else {
      if (name !== null) names.add(name);
      batch.push(item);
      weight += own;
    }
  }
  group.waiting = later;
  group.weight -= weight;
  return { batch, weight };
}

/**
 * Creates a batch queue. Batches are passed to `run` as soon as the process and the group have a free slot. Groups take turns, so a long queue delays
 * another group by at most one batch. `put` returns false if the group's queue is full. `waiting` counts the items that wait. `run` must not reject.
 */
export function openTurns<T>(
  limits: TurnLimits<T>,
  run: (group: string, batch: readonly T[]) => Promise<void>,
): { readonly put: (group: string, item: T) => boolean; readonly waiting: () => number } {
  const groups = new Map<string, Group<T>>();
  let free = limits.slots;
  let isScheduled = false;

  const { lanes, besideWeight = 0 } = limits;

  const isReady = ({ waiting, weight, running, runningWeight }: Group<T>): boolean =>
    waiting.length > 0 &&
    (running === 0 || (running < lanes && weight >= Math.max(runningWeight, besideWeight)));

  const serve = (): void => {
    isScheduled = false;
    for (const [name, group] of groups) {
      if (free === 0) return;
      if (isReady(group)) void runBatch(name, group);
    }
  };

  async function runBatch(name: string, group: Group<T>): Promise<void> {
    free--;
    group.running++;
    // Moves the group to the end of the queue.
    groups.delete(name);
    groups.set(name, group);
    const { batch, weight } = takeBatch(group, limits);
    group.runningWeight += weight;
    await run(name, batch);
    free++;
    group.running--;
    group.runningWeight -= weight;
    if (group.waiting.length === 0 && group.running === 0) groups.delete(name);
    serve();
  }

  return {
    waiting: () => groups.values().reduce((count, { waiting }) => count + waiting.length, 0),
    put: (name, item) => {
      const group = groups.get(name) ?? { waiting: [], weight: 0, running: 0, runningWeight: 0 };
      const weight = limits.weightOf(item);
      if (group.waiting.length > 0 && group.weight + weight > limits.queueWeight) return false;
      groups.set(name, group);
      group.waiting.push(item);
      group.weight += weight;
      if (!isScheduled && free > 0 && isReady(group)) {
        isScheduled = true;
        // Waits, so that items that arrive in the same turn of the event loop join the batch.
        setImmediate(serve);
      }
      return true;
    },
  };
}
