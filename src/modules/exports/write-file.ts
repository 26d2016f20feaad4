import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Column } from './derive-columns.ts';
import type { Cells } from './read-cells.ts';
import type { Shaped } from './shape-rows.ts';
import { headerOf, lineWriter, textLineWriter } from './write-cells.ts';
import { parquetEnd, parquetGroup } from './write-parquet.ts';

// Files are written in chunks of a fixed number of rows. A chunk depends on its rows and its place alone, so that one that is written again has
// the same bytes.

/** The formats of files. */
export type Format = 'ndjson' | 'csv' | 'parquet';

/** A piece of a file, and what its end has to know about it. */
export type Chunk = { readonly bytes: Uint8Array; readonly details: Uint8Array | null };

/** Writes files of one format with the same columns, of rows that were read as `Read`. */
export type FileWriter<Read> = {
  /** Rows of a chunk; the last one of a file has fewer. */
  readonly chunkRows: number;
  /** The chunk at a place of a file; the one at 0 is the beginning. */
  readonly chunk: (read: Read, offset: number) => Promise<Chunk>;
  /** What follows the last chunk, made from the details of all chunks; often nothing. */
  readonly end: (details: readonly Uint8Array[], offset: number) => Promise<Uint8Array>;
};

/** What a file of a format is called and served as. */
export const fileTypes: Readonly<Record<Format, { readonly extension: string; readonly mediaType: string }>> =
  {
    ndjson: { extension: 'ndjson', mediaType: 'application/x-ndjson' },
    csv: { extension: 'csv', mediaType: 'text/csv; charset=utf-8; header=present' },
    parquet: { extension: 'parquet', mediaType: 'application/vnd.apache.parquet' },
  };

/** What a file says it is. */
export const contentTypeOf = ({
  format,
  isGzip,
}: {
  readonly format: Format;
  readonly isGzip: boolean;
}): string => (isGzip ? 'application/gzip' : fileTypes[format].mediaType);

const nothing = new Uint8Array();
const noEnd = async (): Promise<Uint8Array> => nothing;

/** One object per line. */
const ndjson = ({ rows }: Shaped): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const textWriter = <Read>(write: (read: Read, offset: number) => string): FileWriter<Read> => ({
  chunkRows: 2_000,
  chunk: async (read, offset) => ({ bytes: Buffer.from(write(read, offset)), details: null }),
  end: noEnd,
});

/** Writes tables as text. */
export function csvWriter(columns: readonly Column[]): FileWriter<Cells | Shaped> {
  const [lines, textLines] = [lineWriter(columns), textLineWriter(columns)];
  return textWriter(
    (read, offset) =>
      (offset === 0 ? headerOf(columns) : '') + ('texts' in read ? textLines(read) : lines(read)),
  );
}

/** Writes files of formats that need rows. */
export const rowWriter = (format: 'ndjson' | 'parquet', columns: readonly Column[]): FileWriter<Shaped> =>
  format === 'ndjson'
    ? textWriter(ndjson)
    : {
        chunkRows: 5_000,
        chunk: (shaped, offset) => parquetGroup(columns, shaped, offset),
        end: (details, offset) => parquetEnd(columns, details, offset),
      };

const compress = promisify(gzip);

/** Writes the same compressed: each chunk is a member of its own, which a file of gzip may have several of (RFC 1952, 2.2). */
export const gzipped = <Read>({ chunkRows, chunk, end }: FileWriter<Read>): FileWriter<Read> => ({
  chunkRows,
  chunk: async (read, offset) => {
    const { bytes, details } = await chunk(read, offset);
    return { bytes: await compress(bytes), details };
  },
  end,
});
