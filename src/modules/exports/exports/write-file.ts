import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Column } from './derive-columns.ts';
import type { Cells } from './read-cells.ts';
import type { Shaped } from './shape-rows.ts';
import { headerOf, lineWriter, textLineWriter } from './write-cells.ts';
import { parquetEnd, parquetGroup } from './write-parquet.ts';

// Files are written in chunks with a fixed number of rows. A chunk depends only on its rows and offset, so writing it again produces the
// same bytes.

export type Format = 'ndjson' | 'csv' | 'parquet';

/** Part of a file, with the metadata required to write the file's final bytes. */
export type Chunk = { readonly bytes: Uint8Array; readonly details: Uint8Array | null };

/** Writes files in one format with fixed columns. The rows have the type `Read`. */
export type FileWriter<Read> = {
  /** Number of rows per chunk. The last chunk in a file can have fewer rows. */
  readonly chunkRows: number;
  /** Writes the chunk at an offset in a file. The chunk at offset 0 starts the file. */
  readonly chunk: (read: Read, offset: number) => Promise<Chunk>;
  /** Returns the final bytes of a file, based on the metadata of all its chunks. Empty if the format needs no final bytes. */
  readonly end: (details: readonly Uint8Array[], offset: number) => Promise<Uint8Array>;
};

export const fileTypes: Readonly<Record<Format, { readonly extension: string; readonly mediaType: string }>> =
  {
    ndjson: { extension: 'ndjson', mediaType: 'application/x-ndjson' },
    csv: { extension: 'csv', mediaType: 'text/csv; charset=utf-8; header=present' },
    parquet: { extension: 'parquet', mediaType: 'application/vnd.apache.parquet' },
  };

export const contentTypeOf = ({
  format,
  isGzip,
}: {
  readonly format: Format;
  readonly isGzip: boolean;
}): string => (isGzip ? 'application/gzip' : fileTypes[format].mediaType);

const nothing = new Uint8Array();
const noEnd = async (): Promise<Uint8Array> => nothing;

/** Formats rows as NDJSON: one JSON object per line. */
const ndjson = ({ rows }: Shaped): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Returns the number of rows per chunk. Lower for rows with free-form objects of up to 64 KiB, because a whole chunk is kept in memory. */
const rowsOf = (columns: readonly Column[], most: number): number =>
  columns.some(({ type }) => type === 'json') ? most / 10 : most;

const textWriter = <Read>(
  columns: readonly Column[],
  write: (read: Read, offset: number) => string,
): FileWriter<Read> => ({
  chunkRows: rowsOf(columns, 2_000),
  chunk: async (read, offset) => ({ bytes: Buffer.from(write(read, offset)), details: null }),
  end: noEnd,
});

/** Creates a CSV writer. `lines` formats rows as lines. */
const csvWriter = <Read>(columns: readonly Column[], lines: (read: Read) => string): FileWriter<Read> =>
  textWriter(columns, (read, offset) => (offset === 0 ? headerOf(columns) : '') + lines(read));

/** Creates a CSV writer for rows that the database formatted as text. */
export const cellWriter = (columns: readonly Column[]): FileWriter<Cells> =>
  csvWriter(columns, textLineWriter(columns));

/** Creates a writer for rows as objects, in any format. */
export function rowWriter(format: Format, columns: readonly Column[]): FileWriter<Shaped> {
  if (format === 'csv') return csvWriter(columns, lineWriter(columns));
  if (format === 'ndjson') return textWriter(columns, ndjson);
  return {
    chunkRows: rowsOf(columns, 5_000),
    chunk: (shaped, offset) => parquetGroup(columns, shaped, offset),
    end: (details, offset) => parquetEnd(columns, details, offset),
  };
}

const compress = promisify(gzip);

/** Compresses a writer's chunks. Each chunk becomes a member of the gzip file, which can have several members (RFC 1952, 2.2). */
export const gzipped = <Read>({ chunkRows, chunk, end }: FileWriter<Read>): FileWriter<Read> => ({
  chunkRows,
  chunk: async (read, offset) => {
    const { bytes, details } = await chunk(read, offset);
    return { bytes: await compress(bytes), details };
  },
  end,
});
