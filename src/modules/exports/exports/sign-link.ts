import type { Context } from '../../../request/context.ts';
import { mayRead } from './find-kind.ts';
import type { ExportRow } from './store.ts';
import { fileTypes } from './write-file.ts';

/** Page name in tokens for download links. */
export const filePage = 'export_file';

const linkMs = 3_600_000;

/** Export file with a download URL. */
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

/** Returns the name of an export file, such as `invoices-2026-11-23.csv.gz`. Contains a number if the export has several files. */
export function fileName({ kind, format, isGzip, parts, createdAt }: Linked, number: number): string {
  const part = parts.length > 1 ? `-${number}` : '';
  const day = createdAt.toISOString().slice(0, 10);
  return `${kind}-${day}${part}.${fileTypes[format].extension}${isGzip ? '.gz' : ''}`;
}

/** True if the export's files are available. Includes exports whose delivery failed. */
export const isReadable = (
  { status, expiresAt }: Pick<ExportRow, 'status' | 'expiresAt'>,
  now: Date,
): boolean => status !== 'canceled' && expiresAt !== null && expiresAt > now;

/** Returns the ID of the API key or member that requests a link. `null` if the system creates the link. */
const holderOf = ({ caller }: Pick<Context, 'caller'>): string | null => {
  if (caller.kind === 'key') return caller.apiKeyId;
  return caller.kind === 'member' ? caller.memberId : null;
};

/** Subject of a token for a download link: the export, the file number, and the API key or member that requested the link. */
export type FileLink = { readonly id: string; readonly number: number; readonly holderId: string | null };

const subjectOf = ({ id, number, holderId }: FileLink): string =>
  [id, number, ...(holderId === null ? [] : [holderId])].join('.');

export function readSubject(subject: string): FileLink {
  const [id = '', number = '', holderId = null] = subject.split('.');
  return { id, number: Number(number), holderId };
}

/**
 * Returns an export's files with download URLs. A URL is valid for one hour, as long as the caller's API key or member exists. Empty if the
 * caller can't read the export type.
 */
export async function linkTo(ctx: Context, row: Linked): Promise<ExportFile[]> {
  const { app, environment, wall } = ctx;
  const now = wall.now();
  if (!isReadable(row, now) || !mayRead(ctx, row.kind)) return [];
  const until = Math.min(now.getTime() + linkMs, row.expiresAt?.getTime() ?? 0);
  return Promise.all(
    row.parts.map(async ({ rows, bytes }, index) => {
      const number = index + 1;
      const token = await app.secrets.signLink(
        {
          page: filePage,
          environmentId: environment.id,
          subjectId: subjectOf({ id: row.id, number, holderId: holderOf(ctx) }),
        },
        new Date(Math.floor(until / 1_000) * 1_000),
      );
      const url = `${app.config.publicUrl}/documents/exports/${token}`;
      return { number, name: fileName(row, number), rows, bytes, url };
    }),
  );
}
