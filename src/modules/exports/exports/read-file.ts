import { type App, type Context, findSystemContext } from '../../../request/context.ts';
import { fileName, filePage, isReadable, readSubject } from './sign-link.ts';
import { type ExportRow, holderExists, readBytes, readExport } from './store.ts';

/** Maximum number of bytes that one SQL statement reads. */
const pieceBytes = 1_048_576;

export type StoredFile = {
  readonly row: ExportRow;
  readonly name: string;
  readonly size: number;
  /** Yields the bytes between two offsets (end exclusive), in pieces that are read on demand. */
  readonly bytes: (from: number, to: number) => AsyncGenerator<Uint8Array, void>;
};

/** Yields the bytes of a file between two offsets (end exclusive), in pieces. */
export async function* piecesOf(
  ctx: Context,
  file: { readonly exportId: string; readonly part: number },
  from: number,
  to: number,
): AsyncGenerator<Uint8Array, void> {
  for (let at = from; at < to; ) {
    const piece = await readBytes(ctx.sql, file, at, Math.min(pieceBytes, to - at));
    if (piece === null) throw new Error(`The file of ${file.exportId} ends at ${at}.`);
    yield piece;
    at += piece.length;
  }
}

/**
 * Returns the file for a download link. `expired` if the link or the file has expired, or if the API key or member that requested the link
 * no longer exists (PLT-117). `null` if this installation didn't issue the link.
 */
export async function linkedFile(app: App, token: string): Promise<StoredFile | 'expired' | null> {
  const now = app.wall.now();
  const link = await app.secrets.readLink(token, filePage, now);
  if (link === null || link === 'expired') return link;
  const { id, number: part, holderId } = readSubject(link.subjectId);
  const ctx = await findSystemContext(app, link.environmentId, 'export file');
  if (ctx === null) return null;
  const row = await readExport(ctx.sql, id);
  const size = row?.parts[part - 1]?.bytes;
  if (row === null || size === undefined || !isReadable(row, now)) return 'expired';
  if (holderId !== null && !(await holderExists(ctx, holderId))) return 'expired';
  return {
    row,
    name: fileName(row, part),
    size,
    bytes: (from, to) => piecesOf(ctx, { exportId: id, part }, from, to),
  };
}
