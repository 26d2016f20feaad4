import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Column } from './derive-columns.ts';
import type { Shaped } from './shape-rows.ts';
import { headerOf, lineWriter } from './write-cells.ts';
import { parquetEnd, parquetGroup } from './write-parquet.ts';

// Files are written in chunks of a fixed number of rows. A chunk depends on its rows and its place alone, so that one that is written again has
// the same bytes.

/** The formats of files. */
export type Format = 'ndjson' | 'csv' | 'parquet';

/** A piece of a file, and what its end has to know about it. */
type Chunk = { readonly bytes: Uint8Array; readonly details: Uint8Array | null };

/** Writes files of one format with the same columns. */
export type FileWriter = {
  /** Rows of a chunk; the last one of a file has fewer. */
  readonly chunkRows: number;
  /** The chunk at a place of a file; the one at 0 is the beginning. */
  readonly chunk: (shaped: Shaped, offset: number) => Promise<Chunk>;
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

const textWriter = (write: (shaped: Shaped, offset: number) => string): FileWriter => ({
  chunkRows: 2_000,
  chunk: async (shaped, offset) => ({ bytes: Buffer.from(write(shaped, offset)), details: null }),
  end: noEnd,
});

const writers: Readonly<Record<Format, (columns: readonly Column[]) => FileWriter>> = {
  ndjson: () => textWriter(ndjson),
  csv: (columns) => {
    const lines = lineWriter(columns);
    return textWriter((shaped, offset) => (offset === 0 ? headerOf(columns) : '') + lines(shaped));
  },
  parquet: (columns) => ({
    chunkRows: 5_000,
    chunk: (shaped, offset) => parquetGroup(columns, shaped, offset),
    end: (details, offset) => parquetEnd(columns, details, offset),
  }),
};

const compress = promisify(gzip);

/** Writes the same compressed: each chunk is a member of its own, which a file of gzip may have several of (RFC 1952, 2.2). */
const gzipped = ({ chunkRows, chunk, end }: FileWriter): FileWriter => ({
  chunkRows,
  chunk: async (shaped, offset) => {
    const { bytes, details } = await chunk(shaped, offset);
    return { bytes: await compress(bytes), details };
  },
  end,
});

/** How files of a format with these columns are written. */
export function fileWriter(format: Format, columns: readonly Column[], isGzip: boolean): FileWriter {
  const writer = writers[format](columns);
  return isGzip ? gzipped(writer) : writer;
}
