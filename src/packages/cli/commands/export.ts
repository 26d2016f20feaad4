import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Quittance } from '../../sdk/index.ts';
import { Rejected, UsageError } from '../output.ts';
import { command } from '../session.ts';

type ExportInput = Parameters<Quittance['exports']['create']>[0];

const formats = ['csv', 'ndjson', 'parquet'] as const;
const pollMs = 500;

export const exportFile = command({
  description: 'Export rows to files, such as customers or invoices.',
  args: {
    kind: { type: 'positional', required: true, description: 'Type of the rows, such as customers.' },
    format: { type: 'string', default: 'csv', description: `Format: ${formats.join(', ')}.` },
    out: {
      type: 'string',
      valueHint: 'FILE',
      description: 'File to write. Defaults to the standard output.',
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
        for (const { url } of job.files) {
          const { body } = await fetch(url);
          if (body === null) throw new Rejected('The file is empty.');
          // Several files of one export are written one after the other.
          const target = out === undefined ? process.stdout : createWriteStream(out, { flags: 'a' });
          await pipeline(Readable.fromWeb(body as never), target, { end: out !== undefined });
        }
        if (out !== undefined) print({ id, rows: job.rows, out }, `${job.rows} rows in ${out}`);
        return;
      }
      if (job.status === 'failed' || job.status === 'canceled')
        throw new Error(job.error ?? `The export is ${job.status}.`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  },
});
