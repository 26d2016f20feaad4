import { createWriteStream } from 'node:fs';
import { join, parse } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Quittance } from '../../sdk/index.ts';
import { counted, Rejected, UsageError } from '../output.ts';
import { command } from '../session.ts';

type ExportInput = Parameters<Quittance['exports']['create']>[0];

const formats = ['csv', 'ndjson', 'parquet'] as const;
const pollMs = 500;

/** Returns the name of a file of an export: `rows.csv`, `rows-2.csv`, `rows-3.csv`. */
function numbered(out: string, index: number): string {
  if (index === 0) return out;
  const { dir, name, ext } = parse(out);
  return join(dir, `${name}-${index + 1}${ext}`);
}

/** Downloads a file, and replaces an existing file. Writes to the standard output if no file is named. */
async function save(url: string, file: string | null): Promise<void> {
  const { body } = await fetch(url);
  if (body === null) throw new Rejected('The file is empty.');
  const target = file === null ? process.stdout : createWriteStream(file);
  await pipeline(Readable.fromWeb(body as never), target, { end: file !== null });
}

export const exportFile = command({
  description: 'Export rows to files, such as customers or invoices.',
  args: {
    kind: { type: 'positional', required: true, description: 'Type of the rows, such as customers.' },
    format: { type: 'string', default: 'csv', description: `Format: ${formats.join(', ')}.` },
    out: {
      type: 'string',
      valueHint: 'FILE',
      description:
        'File to write. Further files of the export get a number. Defaults to the standard output.',
    },
  },
  run: async ({ client, print }, { kind, format, out }) => {
    if (!formats.some((name) => name === format))
      throw new UsageError(`--format must be one of ${formats.join(', ')}.`);
    const input = { kind, format } as ExportInput;
    const { id } = await client.exports.create(input);
    for (;;) {
      const job = await client.exports.get(id);
      if (job.status === 'completed') {
        if (out === undefined && job.files.length > 1)
          throw new UsageError(`The export has ${job.files.length} files. Name the first file with --out.`);
        const written = job.files.map((_file, index) => (out === undefined ? null : numbered(out, index)));
        for (const [index, { url }] of job.files.entries()) await save(url, written[index] ?? null);
        if (out !== undefined)
          print(
            { id, rows: job.rows, out, files: written },
            `${counted(job.rows, { one: '# row', other: '# rows' })} in ${written.join(', ')}`,
          );
        return;
      }
      if (job.status === 'failed' || job.status === 'canceled')
        throw new Error(job.error ?? `The export is ${job.status}.`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  },
});
