// Collects the rows that commands need in addition to the open billing state of their customers.
import { type Command, needsOf } from '../../domain/subscription/decision/command.ts';
import type { CustomerRow } from '../../domain/subscription/state/aggregate.ts';
import { type Needs, noNeeds } from '../../domain/subscription/state/command.ts';

export type Addressed = { readonly customerId: string; readonly command: Command };

/** References to the rows that several commands need. */
export type Named = { readonly [list in keyof Needs]: Needs[list][number][] };

const lists = Object.keys(noNeeds) as readonly (keyof Needs)[];

/** Merges the needs of several commands into one. */
export function namedBy(addressed: readonly Addressed[]): Named {
  const named: { [list: string]: unknown[] } = {};
  for (const list of lists) named[list] = [];
  for (const { command } of addressed) {
    const needs: Partial<Needs> = needsOf(command);
    for (const list of lists) if (needs[list] !== undefined) named[list]?.push(...needs[list]);
  }
  // Each list contains only values with the list's type, but the compiler can't infer this from the loop.
  return named as Named;
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
