import { deserialize, serialize } from 'node:v8';
import type { ColumnSource, ParquetWriter } from 'hyparquet-writer';
import type { CellType, Column } from './derive-columns.ts';
import type { Shaped } from './shape-rows.ts';
import { valueAt } from './write-cells.ts';

// Parquet files with one row group per chunk. The end of a file lists all row groups, so each row group's metadata is stored with its
// bytes.

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];
type Physical = Pick<SchemaElement, 'type' | 'converted_type'>;

const physical: Readonly<Record<CellType, Physical>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  decimal: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  amount: { type: 'INT64' },
  rate: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

const schemaOf = (columns: readonly Column[]): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...physical[type] })),
];

/** Converts a cell value to the type that the library expects. */
function parquetValue(type: CellType, value: unknown): unknown {
  if (value === null) return null;
  if (type === 'timestamp') return new Date(String(value));
  if (type === 'json') return JSON.stringify(value);
  if (type === 'integer' || type === 'amount' || type === 'rate') return BigInt(value as number);
  return type === 'text' ? String(value) : value;
}

const sourceOf = ({ name, type, path }: Column, { rows }: Shaped): ColumnSource => ({
  name,
  data: rows.map((row) => parquetValue(type, valueAt(row, path))),
  // Row groups with a few thousand rows need no page index.
  offsetIndex: false,
});

/** Loads the library on first use, so that it doesn't slow down startup. */
const library = async () => {
  const [writer, { ByteWriter }] = await Promise.all([
    import('hyparquet-writer'),
    import('hyparquet-writer/src/bytewriter.js'),
  ]);
  return { Writer: writer.ParquetWriter, ByteWriter };
};

/** Creates a writer that continues a file at an offset. */
async function writerAt(columns: readonly Column[], offset: number) {
  const { Writer, ByteWriter } = await library();
  const bytes = new ByteWriter();
  const writer = new Writer({ writer: bytes, schema: schemaOf(columns), createdBy: 'quittance' });
  // A new `Writer` writes the four bytes that start a file. Later chunks discard these bytes.
  if (offset > 0) Object.assign(bytes, { index: 0, offset });
  return { writer, bytes };
}

const copyOf = (bytes: { getBytes: () => Uint8Array }): Uint8Array => bytes.getBytes().slice();

/** Returns the bytes of a row group, with its metadata for the end of the file. An empty row group has bytes only at the start of a file. */
export async function parquetGroup(
  columns: readonly Column[],
  shaped: Shaped,
  offset: number,
): Promise<{ readonly bytes: Uint8Array; readonly details: Uint8Array | null }> {
  const { writer, bytes } = await writerAt(columns, offset);
  if (shaped.rows.length === 0) return { bytes: copyOf(bytes), details: null };
  await writer.write({
    columnData: columns.map((column) => sourceOf(column, shaped)),
    rowGroupSize: shaped.rows.length,
  });
  return { bytes: copyOf(bytes), details: serialize(writer.row_groups) };
}

/** Returns the final bytes of a Parquet file with the given row groups. */
export async function parquetEnd(
  columns: readonly Column[],
  details: readonly Uint8Array[],
  offset: number,
): Promise<Uint8Array> {
  const { writer, bytes } = await writerAt(columns, offset);
  for (const group of details) writer.row_groups.push(...(deserialize(group) as typeof writer.row_groups));
  writer.num_rows = writer.row_groups.reduce((sum, { num_rows }) => sum + num_rows, 0n);
  await writer.finish();
  return copyOf(bytes);
}
