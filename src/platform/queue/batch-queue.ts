// Work that is done many at once: what gathers while the last lot is under way is the next lot. Groups are served in turn.

/** How much is taken at once. */
export type TurnLimits<T> = {
  /** Lots under way at once. */
  readonly slots: number;
  /**
   * Lots of one group under way at once; a further one begins when as much waits as is under way, so that lots do not become small, and none
   * takes more than its share of what waits and is under way: a large one beside small ones would leave their servers idle in turn.
   */
  readonly lanes: number;
  /** What must wait at least before a lot begins beside another one of its group; 0 by default. */
  readonly besideWeight?: number;
  /** What one lot may weigh; an item that weighs more goes alone. */
  readonly batchWeight: number;
  /** What may wait in one group before more is turned away. */
  readonly queueWeight: number;
  readonly weightOf: (item: T) => number;
  /** Items of one such name never go in one lot; null for those that fit any. */
  readonly nameOf: (item: T) => string | null;
};

type Group<T> = { waiting: T[]; weight: number; running: number; runningWeight: number };

/** What the next lot may weigh. */
function shareOf<T>(
  { weight, runningWeight }: Group<T>,
  { lanes, besideWeight = 0, batchWeight }: TurnLimits<T>,
): number {
  return Math.min(batchWeight, Math.max(besideWeight, Math.ceil((weight + runningWeight) / lanes)));
}

/** The next lot of a queue in its order, which it leaves: as much as fits, and no name twice. */
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
 * Queues items by group and gives `run` one batch of a group after another, immediately while a slot of the process and one of the group are free. Groups that
 * have items waiting are served in turn, so that a long queue of one delays another by one batch at most. `put`
 * answers false, and queues nothing, when the group's queue is full. `run` never rejects.
 */
export function openTurns<T>(
  limits: TurnLimits<T>,
  run: (group: string, batch: readonly T[]) => Promise<void>,
): { readonly put: (group: string, item: T) => boolean } {
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
    // Its next turn comes after that of every other group.
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
    put: (name, item) => {
      const group = groups.get(name) ?? { waiting: [], weight: 0, running: 0, runningWeight: 0 };
      const weight = limits.weightOf(item);
      if (group.waiting.length > 0 && group.weight + weight > limits.queueWeight) return false;
      groups.set(name, group);
      group.waiting.push(item);
      group.weight += weight;
      if (!isScheduled && free > 0 && isReady(group)) {
        isScheduled = true;
        // What else has arrived by then comes along.
        setImmediate(serve);
      }
      return true;
    },
  };
}
