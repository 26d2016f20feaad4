// What commands name beyond the open state of their customers, which is to be read with it.
import { type Command, needsOf } from '../domain/subscription/decision/command.ts';
import type { CustomerRow } from '../domain/subscription/state/aggregate.ts';
import { type Needs, noNeeds } from '../domain/subscription/state/command.ts';

/** One customer and its command. */
export type Addressed = { readonly customerId: string; readonly command: Command };

/** What several commands need, list by list. */
export type Named = { readonly [list in keyof Needs]: Needs[list][number][] };

const lists = Object.keys(noNeeds) as readonly (keyof Needs)[];

function append<List extends keyof Needs>(named: Named, needs: Partial<Needs>, list: List): void {
  const wanted: Partial<Needs>[List] = needs[list];
  if (wanted !== undefined) (named[list] as unknown[]).push(...wanted);
}

/** What commands name beyond the open state of their customers: the needs of all of them, list by list. */
export function namedBy(addressed: readonly Addressed[]): Named {
  const named = Object.fromEntries(lists.map((list) => [list, []])) as unknown as Named;
  for (const { command } of addressed) {
    const needs = needsOf(command);
    for (const list of lists) append(named, needs, list);
  }
  return named;
}

/** The countries prices can be needed for: while nothing is fixed yet, those of the payers and those typed in at a checkout (CAT-31). */
export function countriesFor(customers: readonly CustomerRow[], { countries }: Named): string[] {
  if (countries.length === 0) return [];
  const all = [...customers.map(({ country }) => country), ...countries];
  return [...new Set(all.filter((country) => country !== null))];
}
