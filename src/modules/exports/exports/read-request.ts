import type { GraphQLSchema } from 'graphql';
import { validationError } from '../../../domain/errors/errors.ts';
import { authorize } from '../../../graphql/declare/access.ts';
import type { Context } from '../../../request/context.ts';
import { type Column, columnsOfKind } from './derive-columns.ts';
import { isSeries, type KindName, kindOf, readAccess } from './find-kind.ts';
import { areCells, cellSource } from './read-cells.ts';
import { checkArguments } from './read-root-field.ts';
import { listSource, type ReadFrom, type RowChunk, type RowSet, type RowSource } from './read-rows.ts';
import { seriesSource } from './read-series.ts';
import { shapeOf } from './shape-rows.ts';
import { type Chunk, cellWriter, type FileWriter, type Format, gzipped, rowWriter } from './write-file.ts';

/** Export parameters of a request, already validated against the schema. */
export type SentRequest = {
  readonly kind: KindName;
  readonly format: Format;
  readonly gzip?: boolean | null | undefined;
  readonly columns?: readonly string[] | null | undefined;
  readonly search?: string | null | undefined;
};

/** Export parameters as stored with an export or a schedule. */
export type ExportRequest = {
  readonly kind: string;
  readonly format: Format;
  readonly isGzip: boolean;
  readonly request: Stored.ExportRequest;
};

/** Filters of a request, with one field per export type. */
type SentFilters = { readonly [kind: string]: object | null | undefined };

/**
 * Returns the filter for the requested export type. Empty if the request has no filter. Throws `validation_error` if the request contains a
 * filter for another type.
 */
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
    throw validationError([
      { field: `filter.${other[0]}`, message: `can't be used to export ${kind}. Use filter.${kind} instead` },
    ]);
  return { ...sent[0]?.[1] };
}

/** Returns the columns with the given names. Throws `validation_error` if a name is unknown or repeated. */
function chosenColumns(schema: GraphQLSchema, kind: string, names: readonly string[]): Column[] {
  const all = new Map(columnsOfKind(schema, kind).map((column) => [column.name, column]));
  const issues = names.flatMap((name, index) => {
    const field = `columns.${index}`;
    if (!all.has(name))
      return [
        { field, message: `isn't a column of ${kind}. Available columns: ${[...all.keys()].join(', ')}` },
      ];
    return names.indexOf(name) < index ? [{ field, message: 'is listed more than once' }] : [];
  });
  if (issues.length > 0) throw validationError(issues);
  return names.flatMap((name) => all.get(name) ?? []);
}

/** Throws `validation_error` if a required argument is missing or the export type doesn't support an option. */
function checkRequest(
  schema: GraphQLSchema,
  { kind: name, format, gzip, columns, search }: SentRequest,
  filter: Readonly<Record<string, unknown>> | null,
): void {
  const kind = kindOf(name);
  if (format === 'parquet' && gzip === true)
    throw validationError([
      { field: 'gzip', message: 'must be false because Parquet files are compressed internally' },
    ]);
  if (search && (isSeries(kind) || kind.list?.search === undefined))
    throw validationError([
      { field: 'search', message: `isn't supported for exports of ${name}. Remove the search text` },
    ]);
  if (columns) chosenColumns(schema, name, columns);
  if (isSeries(kind)) checkArguments(schema, name, kind, filter ?? {});
}

/**
 * Validates an export request. Throws `forbidden` if the caller can't read the export type. Throws `validation_error` for unknown columns,
 * an unsupported filter or search, invalid arguments for the list or series, and Parquet combined with gzip.
 */
export async function readRequest(
  ctx: Context,
  schema: GraphQLSchema,
  sent: SentRequest,
  filter: Readonly<Record<string, unknown>> | null,
): Promise<ExportRequest> {
  const { kind, format, gzip, columns, search } = sent;
  await authorize(readAccess(kind), {}, ctx);
  checkRequest(schema, sent, filter);
  const exported: ExportRequest = {
    kind,
    format,
    isGzip: gzip === true,
    // Convert dates to text. All other filter values are already JSON values.
    request: JSON.parse(JSON.stringify({ columns: columns ?? [], filter, search: search || null })),
  };
  await planOf(schema, exported).check(ctx, { ...exported.request, snapshot: 0n, asOf: ctx.clock.now() });
  return exported;
}

/** Chunk of rows, with a function that formats the rows for a position in the file. The chunk at offset 0 starts the file. */
export type PlannedChunk = Omit<RowChunk<unknown>, 'read'> & {
  readonly write: (offset: number) => Promise<Chunk>;
};

/** Execution plan for an export request: a source of rows and a file writer. */
export type Plan = Omit<RowSource<unknown>, 'read'> &
  Pick<FileWriter<unknown>, 'chunkRows' | 'end'> & {
    readonly read: (ctx: Context, set: RowSet, from: ReadFrom) => Promise<PlannedChunk>;
  };

/** Combines a source of rows with a file writer. */
const planWith = <Read>(
  { check, count, cursorAfter, read }: RowSource<Read>,
  writer: FileWriter<Read>,
  isGzip: boolean,
): Plan => {
  const { chunkRows, chunk, end } = isGzip ? gzipped(writer) : writer;
  return {
    check,
    count,
    cursorAfter,
    chunkRows,
    end,
    read: async (ctx, set, from) => {
      const { read: made, ...rest } = await read(ctx, set, from);
      return { ...rest, write: (offset) => chunk(made, offset) };
    },
  };
};

/** Returns the execution plan for an export request. */
export function planOf(schema: GraphQLSchema, { kind: name, format, isGzip, request }: ExportRequest): Plan {
  const kind = kindOf(name);
  const isChosen = request.columns.length > 0;
  const columns = isChosen ? chosenColumns(schema, name, request.columns) : columnsOfKind(schema, name);
  if (!isSeries(kind) && format === 'csv' && areCells(schema, kind, columns))
    return planWith(cellSource(schema, kind, columns), cellWriter(columns), isGzip);
  const source = isSeries(kind)
    ? seriesSource(schema, kind, columns, isChosen)
    : listSource(kind, shapeOf(schema, kind, columns));
  return planWith(source, rowWriter(format, columns), isGzip);
}

/**
 * Returns the number of the newest row that an export can contain. This is the latest event position if rows are
 * numbered by position, otherwise the latest sequence number.
 */
export const snapshotOf = (
  name: string,
  numbers: { readonly seq: bigint; readonly position: bigint },
): bigint => {
  const kind = kindOf(name);
  return isSeries(kind) ? numbers.seq : numbers[kind.numberedBy];
};
