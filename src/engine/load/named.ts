// Collects the rows that commands need in addition to the open billing state of their customers.
import { type Command, needsOf } from '../../domain/subscription/decision/command.ts';
import type { CustomerRow } from '../../domain/subscription/state/aggregate.ts';
import { type Needs, noNeeds } from '../../domain/subscription/state/command.ts';

export type Addressed = { readonly customerId: string; readonly command: Command };

/** Rows that several commands need. */
export type Named = { readonly [list in keyof Needs]: Needs[list][number][] };

const lists = Object.keys(noNeeds) as readonly (keyof Needs)[];

function append<List extends keyof Needs>(named: Named, needs: Partial<Needs>, list: List): void {
  const wanted: Partial<Needs>[List] = needs[list];
  if (wanted !== undefined) (named[list] as unknown[]).push(...wanted);
}

/** Merges the needs of several commands into one. */
export function namedBy(addressed: readonly Addressed[]): Named {
  const named = Object.fromEntries(lists.map((list) => [list, []])) as unknown as Named;
  for (const { command } of addressed) {
    const needs = needsOf(command);
    for (const list of lists) append(named, needs, list);
  }
  return named;
}

/**
 * Returns the countries whose markets can determine a price: the payers' countries, and countries entered
 * at checkouts (CAT-31).
 */
export function countriesFor(customers: readonly CustomerRow[], { countries }: Named): string[] {
  if (countries.length === 0) return [];
  const all = [...customers.map(({ country }) => country), ...countries];
  return [...new Set(all.filter((country) => country !== null))];
}
