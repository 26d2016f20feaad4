import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../context.ts';
import { specificError, validationError } from '../../domain/errors.ts';
import { type Column, columnsOfKind } from './derive-columns.ts';
import { type KindName, kindOf } from './list-kinds.ts';
import { rowListOfSet } from './read-rows.ts';
import { type Shape, shapeOf } from './shape-rows.ts';
import { type FileWriter, type Format, fileWriter } from './write-file.ts';

/** What a caller sends about a file, its shape checked. */
export type SentRequest = {
  readonly kind: KindName;
  readonly format: Format;
  readonly gzip?: boolean | null | undefined;
  readonly columns?: readonly string[] | null | undefined;
  readonly search?: string | null | undefined;
};

/** What is to be written, as it is stored. */
export type ExportRequest = {
  readonly kind: string;
  readonly format: Format;
  readonly isGzip: boolean;
  readonly request: Stored.ExportRequest;
};

/** Whether the caller may have rows of a kind. */
export const mayRead = ({ caller }: Context, kind: string): boolean =>
  caller.kind !== 'key' || caller.scopes.includes(kindOf(kind).scope);

/** Throws `forbidden` for a key without the scope of the kind. */
export function demandScope(ctx: Context, kind: string): void {
  if (!mayRead(ctx, kind))
    throw specificError('forbidden', 'scope', { values: { scope: kindOf(kind).scope } });
}

/** What a caller sends of filters: a member per kind. */
type SentFilters = { readonly [kind: string]: object | null | undefined };

/** The filter sent for the kind; null without one. Throws `validation_error` for the filter of another kind. */
export function filterOf({
  kind,
  filter,
}: {
  readonly kind: string;
  readonly filter?: SentFilters | null | undefined;
}): Readonly<Record<string, unknown>> | null {
  const sent = Object.entries(filter ?? {}).filter(([, value]) => value !== null && value !== undefined);
  const other = sent.find(([name]) => name !== kind);
  if (other !== undefined)
    throw validationError([{ field: `filter.${other[0]}`, message: `does not belong to ${kind}` }]);
  return { ...sent[0]?.[1] };
}

/** The columns by their names, each once. Throws `validation_error` for names the kind does not have. */
function chosenColumns(schema: GraphQLSchema, kind: string, names: readonly string[]): Column[] {
  const all = new Map(columnsOfKind(schema, kind).map((column) => [column.name, column]));
  const issues = names.flatMap((name, index) => {
    const field = `columns.${index}`;
    if (!all.has(name))
      return [{ field, message: `is no column of ${kind}; there are ${[...all.keys()].join(', ')}` }];
    return names.indexOf(name) < index ? [{ field, message: 'must be named once' }] : [];
  });
  if (issues.length > 0) throw validationError(issues);
  return names.flatMap((name) => all.get(name) ?? []);
}

/**
 * Checks what a caller asks for. Throws `forbidden` for a key without the scope of the kind, `validation_error` for unknown columns, for a filter
 * or a search the kind does not have, and for Parquet that is to be compressed.
 */
export function readRequest(
  ctx: Context,
  schema: GraphQLSchema,
  { kind, format, gzip, columns, search }: SentRequest,
  filter: Readonly<Record<string, unknown>> | null,
): ExportRequest {
  demandScope(ctx, kind);
  const { list } = kindOf(kind);
  if (format === 'parquet' && gzip === true)
    throw validationError([
      { field: 'gzip', message: 'must be false: Parquet is compressed inside the file' },
    ]);
  if (search && list?.search === undefined)
    throw validationError([{ field: 'search', message: `cannot be used: ${kind} are not searched` }]);
  if (columns) chosenColumns(schema, kind, columns);
  const request: ExportRequest = {
    kind,
    format,
    isGzip: gzip === true,
    // Instants become texts; what else a filter holds is JSON.
    request: JSON.parse(JSON.stringify({ columns: columns ?? [], filter, search: search || null })),
  };
  // Ranges that end before they begin are rejected now.
  const { request: stored } = request;
  rowListOfSet({ kind, ...stored, snapshot: 0n, asOf: ctx.clock.now() }).conditions?.map((condition) =>
    condition(() => '$2'),
  );
  return request;
}

/** How the rows of a request are made, and its files written. */
export function planOf(
  schema: GraphQLSchema,
  { kind, format, isGzip, request }: ExportRequest,
): { readonly shape: Shape; readonly writer: FileWriter } {
  const isChosen = request.columns.length > 0;
  const columns = isChosen ? chosenColumns(schema, kind, request.columns) : columnsOfKind(schema, kind);
  return {
    shape: shapeOf(schema, kindOf(kind), columns, isChosen),
    writer: fileWriter(format, columns, isGzip),
  };
}
