import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { authorize } from '../../graphql/access.ts';
import { type Column, columnsOfKind } from './derive-columns.ts';
import { isSeries, type KindName, kindOf } from './find-kind.ts';
import { type Cells, cellSource } from './read-cells.ts';
import { checkArguments } from './read-root-field.ts';
import { listSource, type ReadFrom, type RowChunk, type RowSet, type RowSource } from './read-rows.ts';
import { seriesSource } from './read-series.ts';
import { type Shaped, shapeOf } from './shape-rows.ts';
import { type Chunk, csvWriter, type FileWriter, type Format, gzipped, rowWriter } from './write-file.ts';

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

/** Throws `validation_error` for what the kind does not have, or cannot do without. */
function checkRequest(
  schema: GraphQLSchema,
  { kind: name, format, gzip, columns, search }: SentRequest,
  filter: Readonly<Record<string, unknown>> | null,
): void {
  const kind = kindOf(name);
  if (format === 'parquet' && gzip === true)
    throw validationError([
      { field: 'gzip', message: 'must be false: Parquet is compressed inside the file' },
    ]);
  if (search && (isSeries(kind) || kind.list?.search === undefined))
    throw validationError([{ field: 'search', message: `cannot be used: ${name} are not searched` }]);
  if (columns) chosenColumns(schema, name, columns);
  if (isSeries(kind)) checkArguments(schema, name, kind, filter ?? {});
}

/**
 * Checks what a caller asks for. Throws `forbidden` for a caller who may not have the kind, `validation_error` for unknown columns, for a filter
 * or a search the kind does not have, for what its list or series rejects, and for Parquet that is to be compressed.
 */
export async function readRequest(
  ctx: Context,
  schema: GraphQLSchema,
  sent: SentRequest,
  filter: Readonly<Record<string, unknown>> | null,
): Promise<ExportRequest> {
  const { kind, format, gzip, columns, search } = sent;
  await authorize(kindOf(kind).access, {}, ctx);
  checkRequest(schema, sent, filter);
  const exported: ExportRequest = {
    kind,
    format,
    isGzip: gzip === true,
    // Instants become texts; what else a filter holds is JSON.
    request: JSON.parse(JSON.stringify({ columns: columns ?? [], filter, search: search || null })),
  };
  await planOf(schema, exported).check(ctx, { ...exported.request, snapshot: 0n, asOf: ctx.clock.now() });
  return exported;
}

/** Rows that were read, and how they are written into a file at a place; the chunk at 0 is the beginning. */
export type PlannedChunk = Omit<RowChunk<unknown>, 'read'> & {
  readonly write: (offset: number) => Promise<Chunk>;
};

/** How the rows of a request are read, and its files written. */
export type Plan = Omit<RowSource<unknown>, 'read'> &
  Pick<FileWriter<unknown>, 'chunkRows' | 'end'> & {
    readonly read: (ctx: Context, set: RowSet, from: ReadFrom) => Promise<PlannedChunk>;
  };

/** Rows of a source in the files of a writer. */
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

/** How a request is carried out. */
export function planOf(schema: GraphQLSchema, { kind: name, format, isGzip, request }: ExportRequest): Plan {
  const kind = kindOf(name);
  const isChosen = request.columns.length > 0;
  const columns = isChosen ? chosenColumns(schema, name, request.columns) : columnsOfKind(schema, name);
  if (isSeries(kind)) {
    const source = seriesSource(schema, kind, columns, isChosen);
    if (format === 'csv') return planWith<Cells | Shaped>(source, csvWriter(columns), isGzip);
    return planWith(source, rowWriter(format, columns), isGzip);
  }
  if (format === 'csv') return planWith(cellSource(schema, kind, columns), csvWriter(columns), isGzip);
  return planWith(listSource(kind, shapeOf(schema, kind, columns)), rowWriter(format, columns), isGzip);
}

/** The number of the last row that belongs to what is settled now. */
export const snapshotOf = (
  name: string,
  numbers: { readonly seq: bigint; readonly position: bigint },
): bigint => {
  const kind = kindOf(name);
  return isSeries(kind) ? numbers.seq : numbers[kind.numberedBy];
};
