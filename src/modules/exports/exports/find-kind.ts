import { accessIn, isCovered } from '../../../graphql/declare/access.ts';
import { findArea } from '../../../graphql/declare/areas.ts';
import type { Context } from '../../../request/context.ts';
import { type ListKind, listKinds } from './list-kinds.ts';
import { type SeriesKind, seriesKinds } from './list-series.ts';

export type Kind = ListKind | SeriesKind;

export const kinds = { ...listKinds, ...seriesKinds } as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as readonly KindName[];

/** Returns an export type by name. Throws if the name is unknown, because names come only from the schema and from stored rows. */
export function kindOf(name: string): Kind {
  const kind = (kinds as Readonly<Record<string, Kind>>)[name];
  if (kind === undefined) throw new Error(`There is no kind of exports named ${name}.`);
  return kind;
}

/** True if an export type is a series, whose rows are computed instead of stored. */
export const isSeries = (kind: Kind): kind is SeriesKind => 'field' in kind;

/** Returns the access to the rows of an export type, which belong to the area of their list. */
export const readAccess = (name: string) => accessIn(findArea(name), kindOf(name).access);

/** True if the caller can read the rows of an export type. */
export const mayRead = (ctx: Context, name: string): boolean => isCovered(readAccess(name), ctx);
