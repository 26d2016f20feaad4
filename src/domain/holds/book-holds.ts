import type { HoldRow } from './hold.ts';

/** Holds of a batch. Steps change holds in memory, so that each step is decided on the effects of all earlier steps. */
export class BookHolds {
  readonly #byId = new Map<string, HoldRow>();
  readonly #byName = new Map<string, HoldRow['id']>();
  /** Changed holds by ID. */
  readonly changed = new Map<string, HoldRow>();

  #changes = 0;

  constructor(rows: readonly HoldRow[]) {
    for (const row of rows) this.#add(row);
  }

  #add(row: HoldRow): void {
    this.#byId.set(row.id, row);
    if (row.holdId !== null) this.#byName.set(row.holdId, row.id);
  }

  /** Returns a hold by its ID, or by the identifier that the API client assigned. `null` if it doesn't exist. */
  find(reference: string): HoldRow | null {
    return this.#byId.get(reference) ?? this.#byId.get(this.#byName.get(reference) ?? '') ?? null;
  }

  store(row: HoldRow): void {
    this.#add(row);
    this.changed.set(row.id, row);
    this.#changes += 1;
  }

  /** Number of changes to holds. */
  get changes(): number {
    return this.#changes;
  }
}
