import type { UsageCounterRow } from '../rows/usage-rows.ts';

/** Changed counters of a batch by ID, with an index of all counters by subscription. */
export class BookCounters extends Map<string, UsageCounterRow> {
  readonly #loaded: ReadonlyMap<string, UsageCounterRow>;
  /** IDs of loaded and changed counters by the ID of their subscription. `null` if no search has needed them. */
  #ids: Map<string, Set<string>> | null = null;

  constructor(loaded: ReadonlyMap<string, UsageCounterRow>) {
    super();
    this.#loaded = loaded;
  }

  override set(id: string, counter: UsageCounterRow): this {
    if (this.#ids !== null) addId(this.#ids, counter);
    return super.set(id, counter);
  }

  /** Returns the counters of a subscription, which can belong to earlier windows. */
  of(subscriptionId: string): UsageCounterRow[] {
    this.#ids ??= this.#index();
    const ids = this.#ids.get(subscriptionId) ?? [];
    return [...ids].flatMap((id) => this.get(id) ?? this.#loaded.get(id) ?? []);
  }

  #index(): Map<string, Set<string>> {
    const ids = new Map<string, Set<string>>();
    for (const counter of this.#loaded.values()) addId(ids, counter);
    for (const counter of this.values()) addId(ids, counter);
    return ids;
  }
}

const addId = (ids: Map<string, Set<string>>, { id, subscriptionId }: UsageCounterRow): void => {
  ids.getOrInsertComputed(subscriptionId, () => new Set()).add(id);
};
