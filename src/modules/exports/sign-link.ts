import type { Context } from '../../context.ts';
import { mayRead } from './find-kind.ts';
import type { ExportRow } from './store.ts';
import { fileTypes } from './write-file.ts';

/** The page name in tokens of files. */
export const filePage = 'export_file';

const linkMs = 3_600_000;

/** A file of an export, and an address of it. */
export type ExportFile = {
  readonly number: number;
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly url: string;
};

type Linked = Pick<
  ExportRow,
  'id' | 'kind' | 'format' | 'isGzip' | 'status' | 'parts' | 'expiresAt' | 'createdAt'
>;

/** What a file is called: `invoices-2026-11-23.csv.gz`, with its number where there are several. */
export function fileName({ kind, format, isGzip, parts, createdAt }: Linked, number: number): string {
  const part = parts.length > 1 ? `-${number}` : '';
  const day = createdAt.toISOString().slice(0, 10);
  return `${kind}-${day}${part}.${fileTypes[format].extension}${isGzip ? '.gz' : ''}`;
}

/** Whether the bytes of an export are there: all are written, also where they could not be delivered. */
export const isReadable = (
  { status, expiresAt }: Pick<ExportRow, 'status' | 'expiresAt'>,
  now: Date,
): boolean => status !== 'canceled' && expiresAt !== null && expiresAt > now;

/** The files of an export with addresses that are good for an hour; none for a caller that may not have the kind. */
export async function linkTo(ctx: Context, row: Linked): Promise<ExportFile[]> {
  const { app, environment, wall } = ctx;
  const now = wall.now();
  if (!isReadable(row, now) || !mayRead(ctx, row.kind)) return [];
  const until = Math.min(now.getTime() + linkMs, row.expiresAt?.getTime() ?? 0);
  return Promise.all(
    row.parts.map(async ({ rows, bytes }, index) => {
      const number = index + 1;
      const token = await app.secrets.signLink(
        { page: filePage, environmentId: environment.id, subjectId: `${row.id}.${number}` },
        new Date(Math.floor(until / 1_000) * 1_000),
      );
      const url = `${app.config.publicUrl}/documents/exports/${token}`;
      return { number, name: fileName(row, number), rows, bytes, url };
    }),
  );
}
