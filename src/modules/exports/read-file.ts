import { type App, type Context, findSystemContext } from '../../context.ts';
import { fileName, filePage, isReadable } from './sign-link.ts';
import { type ExportRow, readBytes, readExport } from './store.ts';

/** Bytes read by one statement. */
const pieceBytes = 1_048_576;

/** A file of an export that is there. */
export type StoredFile = {
  readonly row: ExportRow;
  readonly name: string;
  readonly size: number;
  /** The bytes from a place up to another one, which is not included; read when they are asked for, a piece at a time. */
  readonly bytes: (from: number, to: number) => AsyncGenerator<Uint8Array, void>;
};

/** The bytes of a file from a place up to another one, which is not included, a piece at a time. */
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

/** The file an address leads to: `expired` once the address or the file is, null for an address that was not made here. */
export async function linkedFile(app: App, token: string): Promise<StoredFile | 'expired' | null> {
  const now = app.wall.now();
  const link = await app.secrets.readLink(token, filePage, now);
  if (link === null || link === 'expired') return link;
  const [id = '', number = ''] = link.subjectId.split('.');
  const ctx = await findSystemContext(app, link.environmentId, 'export file');
  if (ctx === null) return null;
  const row = await readExport(ctx.sql, id);
  const part = Number(number);
  const size = row?.parts[part - 1]?.bytes;
  if (row === null || size === undefined || !isReadable(row, now)) return 'expired';
  return {
    row,
    name: fileName(row, part),
    size,
    bytes: (from, to) => piecesOf(ctx, { exportId: id, part }, from, to),
  };
}
