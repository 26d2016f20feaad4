import type { Context } from '../../context.ts';
import { isCovered } from '../../graphql/access.ts';
import { type ListKind, listKinds } from './list-kinds.ts';
import { type SeriesKind, seriesKinds } from './list-series.ts';

/** What can be exported: a list, or a series that is worked out. */
export type Kind = ListKind | SeriesKind;

/** Every kind, by name. */
export const kinds = { ...listKinds, ...seriesKinds } as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

/** The names of all kinds. */
export const kindNames = Object.keys(kinds) as readonly KindName[];

/** A kind by its name. Throws for a name that is none: names come from the schema and from rows. */
export function kindOf(name: string): Kind {
  const kind = (kinds as Readonly<Record<string, Kind>>)[name];
  if (kind === undefined) throw new Error(`There is no kind of exports named ${name}.`);
  return kind;
}

/** Whether the rows of a kind are worked out. */
export const isSeries = (kind: Kind): kind is SeriesKind => 'field' in kind;

/** Whether the caller may have rows of a kind. */
export const mayRead = (ctx: Context, name: string): boolean => isCovered(kindOf(name).access, ctx);
