import { type MrrSums, sumNames } from '../../../domain/metrics/movements.ts';
import type { Day } from '../../../domain/metrics/range.ts';
import { dayAt, numbersOf } from '../day-sums/rules.ts';
import type { GroupedRow } from './rules.ts';

/** Row of MRR sums: the grouping values, the first day of the month, and the lists in the text format for arrays. */
export type RollupRow = Omit<GroupedRow, keyof MrrSums> & Readonly<Record<'days' | keyof MrrSums, string>>;

/** Lists of a month's row. A list is parsed when one of its amounts is read for the first time. */
class MonthLists {
  readonly row: RollupRow;
  readonly #lists: (readonly string[] | undefined)[] = [];

  constructor(row: RollupRow) {
    this.row = row;
  }

  at(place: number, index: number): bigint {
    const name = sumNames[place];
    if (name === undefined) throw new Error(`There is no sum at ${place}.`);
    this.#lists[place] ??= numbersOf(this.row[name]);
    const amount = this.#lists[place][index];
    return amount === undefined || amount === '0' ? 0n : BigInt(amount);
  }
}

const places = Object.fromEntries(sumNames.map((name, place) => [name, place])) as Readonly<
  Record<keyof MrrSums, number>
>;

/**
 * Sums of one day in a month's row. An amount is converted when it's read, because a year of series has tens of thousands of days and most
 * series read few of their amounts.
 */
class StoredDay implements GroupedRow {
  readonly day: Day;
  readonly group: string;
  readonly #month: MonthLists;
  readonly #index: number;

  constructor(month: MonthLists, day: Day, index: number) {
    this.day = day;
    this.group = month.row.group;
    this.#month = month;
    this.#index = index;
  }

  get currency(): string {
    return this.#month.row.currency;
  }
  get kind(): GroupedRow['kind'] {
    return this.#month.row.kind;
  }
  get reason(): string {
    return this.#month.row.reason;
  }
  get amount(): bigint {
    return this.#month.at(places.amount, this.#index);
  }
  get customers(): bigint {
    return this.#month.at(places.customers, this.#index);
  }
  get base(): bigint {
    return this.#month.at(places.base, this.#index);
  }
  get discount(): bigint {
    return this.#month.at(places.discount, this.#index);
  }
  get seats(): bigint {
    return this.#month.at(places.seats, this.#index);
  }
  get quota(): bigint {
    return this.#month.at(places.quota, this.#index);
  }
  get addons(): bigint {
    return this.#month.at(places.addons, this.#index);
  }
  get atRisk(): bigint {
    return this.#month.at(places.atRisk, this.#index);
  }
  get paying(): bigint {
    return this.#month.at(places.paying, this.#index);
  }
}

/** Returns the daily sums of a month's row that are within a date range. */
export function daysOfRow(row: RollupRow, from: Day, to: Day): GroupedRow[] {
  const month = new MonthLists(row);
  const found: GroupedRow[] = [];
  const numbers = numbersOf(row.days);
  for (let index = 0; index < numbers.length; index++) {
    // The row for the MRR levels of all earlier days has no day.
    const day = row.day === '' ? '' : dayAt(row.day, Number(numbers[index]));
    if (day === '' || (day >= from && day <= to)) found.push(new StoredDay(month, day, index));
  }
  return found;
}
