// Totals of a usage window by dimension values (PRM-12).
import { cardOf, type DimensionValues, isCard } from '../rates/card.ts';
import { ratio } from '../rates/exact.ts';
import type { HeldRate } from '../rates/held.ts';
import { canPrice, type Use } from '../rates/use-price.ts';
import type { StoredCell } from '../rows/ended-usage.ts';
import type { UsageCellRow, UsageCounterRow } from '../rows/usage-rows.ts';

/** Total of a part of a window in counted units, with its values by dimension. */
export type CellTotal = Pick<UsageCellRow, 'values' | 'total'>;

/** Maximum number of combinations of a window with all values. Later combinations are folded. */
const mostCombinations = 10_000;

const keys = new WeakMap<DimensionValues, string>();

/** Returns a text that identifies the values of dimensions. Keeps the text, because the rows of a window keep their values. */
const keyOf = (values: DimensionValues): string =>
  keys.getOrInsertComputed(values, () =>
    JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );

/** Values that the cells of price lists name, by dimension. */
type NamedValues = ReadonlyMap<string, ReadonlySet<string>>;

const named = new WeakMap<HeldRate, NamedValues>();

function namedValues(rates: HeldRate | null): NamedValues {
  if (rates === null) return new Map();
  return named.getOrInsertComputed(rates, () => {
    const found = new Map<string, Set<string>>();
    for (const { when } of rates.flatMap((list) => (isCard(list) ? list.cells : [])))
      for (const [dimension, values] of Object.entries(when))
        for (const value of values) found.getOrInsertComputed(dimension, () => new Set()).add(value);
    return found;
  });
}

/** Returns true if price lists name only values that the cells of other price lists name too. */
export function namesOnly(rates: HeldRate, known: HeldRate | null): boolean {
  const names = namedValues(known);
  return namedValues(rates)
    .entries()
    .every(([dimension, values]) => values.isSubsetOf(names.get(dimension) ?? new Set()));
}

const foldedBy = new WeakMap<NamedValues, WeakMap<DimensionValues, DimensionValues>>();

/** Removes the values that no cell names. The price of the usage doesn't depend on them. */
const folded = (values: DimensionValues, names: NamedValues): DimensionValues =>
  foldedBy
    .getOrInsertComputed(names, () => new WeakMap())
    .getOrInsertComputed(values, () =>
      Object.fromEntries(
        Object.entries(values).filter(([dimension, value]) => names.get(dimension)?.has(value) === true),
      ),
    );

/** Returns totals as they are stored for an ended window. `null` if the meter has no dimensions. */
export const storedCells = (totals: readonly CellTotal[] | undefined): readonly StoredCell[] | null =>
  totals?.map(({ values, total }) => ({ values, total: String(total) })) ?? null;

/** Returns the totals with equal prices as one total each. */
export function pricedTotals(rates: HeldRate | null, totals: readonly CellTotal[]): CellTotal[] {
  const names = namedValues(rates);
  const groups = new Map<string, CellTotal>();
  for (const { values, total } of totals) addTo(groups, folded(values, names), total);
  return [...groups.values()];
}

function addTo(groups: Map<string, CellTotal>, values: DimensionValues, units: bigint): void {
  const key = keyOf(values);
  groups.set(key, { values, total: (groups.get(key)?.total ?? 0n) + units });
}

/**
 * Units that are added to a combination. `of` contains the values of the event, and `values` the values that determine its
 * price.
 */
export type CellChange = {
  readonly of: DimensionValues;
  readonly row: UsageCellRow;
  readonly values: DimensionValues;
  readonly units: bigint;
};

/** Returns true if the values of all dimensions are equal. */
export const hasSameValues = (a: DimensionValues, b: DimensionValues): boolean => keyOf(a) === keyOf(b);

type Of = Pick<UsageCounterRow, 'customerId' | 'subscriptionId' | 'featureId' | 'windowStart'>;

/** Totals of an open window by combination. Changes are collected in `changed`. */
export class WindowCells {
  readonly #of: Of & { readonly counterId: string };
  readonly #hash: (text: string) => string;
  readonly #names: NamedValues;
  readonly #dimensions: number;
  readonly #rows: Map<string, UsageCellRow>;
  readonly #groups = new Map<string, CellTotal>();
  #isFolded: boolean;
  /** Totals by priced values. `null` after a change. */
  #totals: readonly CellTotal[] | null = null;
  /** Totals after the change that was calculated last. */
  #next: { readonly change: CellChange; readonly totals: readonly CellTotal[] } | null = null;
  /** Changed rows by ID. */
  readonly changed = new Map<string, UsageCellRow>();

  /** `dimensions` is the number of dimensions, and `rows` are the rows of all windows of the counter. */
  constructor(
    of: Of & { readonly counterId: string },
    { rates, dimensions }: { readonly rates: HeldRate | null; readonly dimensions: number },
    rows: readonly UsageCellRow[],
    hash: (text: string) => string,
  ) {
    this.#of = of;
    this.#hash = hash;
    this.#names = namedValues(rates);
    this.#dimensions = dimensions;
    const open = rows.filter(({ windowStart }) => windowStart.getTime() === of.windowStart.getTime());
    this.#rows = new Map(open.map((row) => [keyOf(row.values), row]));
    for (const { values, total } of open) addTo(this.#groups, folded(values, this.#names), total);
    this.#isFolded = open.some((row) => this.#isPartial(row));
  }

  /** Returns the rows of all combinations. */
  rows(): UsageCellRow[] {
    return [...this.#rows.values()];
  }

  /** Returns the totals by priced values. */
  totals(): readonly CellTotal[] {
    this.#totals ??= [...this.#groups.values()];
    return this.#totals;
  }

  /** Returns the change that adds units to the combination of an event. A new combination is folded if the window is full. */
  adding(values: DimensionValues, units: bigint): CellChange {
    const priced = folded(values, this.#names);
    const isFull = this.#rows.size >= mostCombinations;
    const row = this.#rows.get(keyOf(values)) ?? this.#newRow(isFull ? priced : values);
    return { of: values, row, values: priced, units };
  }

  /** Returns the change that removes an event's units: from its combination, or from the folded combination with its values. */
  removing(values: DimensionValues, units: bigint): CellChange {
    const own = this.#rows.get(keyOf(values)) ?? this.#foldedRow(values, units);
    return {
      of: values,
      row: own ?? this.#newRow(values),
      values: folded(own?.values ?? values, this.#names),
      units: -units,
    };
  }

  /** Returns the totals after a change. */
  after(change: CellChange): readonly CellTotal[] {
    const { values, units } = change;
    const groups = new Map(this.#groups);
    addTo(groups, values, units);
    const totals = [...groups.values()];
    this.#next = { change, totals };
    return totals;
  }

  /** Applies a change. Returns true if the change is the window's first change with a folded combination. */
  apply(change: CellChange): boolean {
    const { row, values, units } = change;
    this.#totals = this.#next?.change === change ? this.#next.totals : null;
    this.#next = null;
    const key = keyOf(row.values);
    const next = { ...row, total: (this.#rows.get(key)?.total ?? 0n) + units };
    this.#rows.set(key, next);
    this.changed.set(next.id, next);
    addTo(this.#groups, values, units);
    const isFirst = !this.#isFolded && this.#isPartial(row);
    if (isFirst) this.#isFolded = true;
    return isFirst;
  }

  #isPartial({ values }: CellTotal): boolean {
    return Object.keys(values).length < this.#dimensions;
  }

  #newRow(values: DimensionValues): UsageCellRow {
    const key = keyOf(values);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const { counterId, ...of } = this.#of;
    return { ...of, id: `${counterId}:${this.#hash(key)}`, seq: null, values, total: 0n };
  }

  /** Returns the folded combination that contains an event, with the most values. */
  #foldedRow(values: DimensionValues, units: bigint): UsageCellRow | undefined {
    return [...this.#rows.values()]
      .filter(
        (row) =>
          row.total >= units && Object.entries(row.values).every(([name, value]) => values[name] === value),
      )
      .toSorted((a, b) => Object.keys(b.values).length - Object.keys(a.values).length)
      .at(0);
  }
}

/** Total usage of a window, also by dimension values if the meter has dimensions. */
export type TotalByCell = { readonly total: bigint; readonly cells?: readonly CellTotal[] | undefined };

/**
 * Returns the usage of a window in units, of which `free` counted units aren't charged. `scale` is the number of counted units
 * in one unit. Units that no cell contains have no values.
 */
export function usageOf({ total, cells = [] }: TotalByCell, free: bigint, scale: bigint): Use {
  const rest = cells.reduce((left, cell) => left - cell.total, total);
  const quantities = [...cells, { values: {}, total: rest }]
    .filter((cell) => cell.total > 0n)
    .map((cell) => ({ values: cell.values, units: ratio(cell.total, scale) }));
  return { quantities, free: ratio(free, scale) };
}

/** Returns true if a version of the price lists has a rate for all usage of a window (PRM-107). */
export const isPriced = (rates: HeldRate, totals: TotalByCell): boolean => {
  const { quantities } = usageOf(totals, 0n, 1n);
  return rates.some((list) => canPrice(list, quantities));
};

/**
 * Returns the totals after additional units whose values aren't known. For a card, the units have the rate from
 * `leadRate`.
 */
export function withUnits(rates: HeldRate, { total, cells = [] }: TotalByCell, units: bigint): TotalByCell {
  const [list] = rates;
  const { default: other, cells: priced } = list === undefined ? { default: null, cells: [] } : cardOf(list);
  const when = other === null ? (priced[0]?.when ?? {}) : {};
  const values = Object.fromEntries(Object.entries(when).map(([name, [value = '']]) => [name, value]));
  return { total: total + units, cells: [...cells, { values, total: units }] };
}
