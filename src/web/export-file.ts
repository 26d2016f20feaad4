import { streamOf } from '../http/byte-stream.ts';
import type { Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { linkedFile, type StoredFile } from '../modules/exports/exports/read-file.ts';
import { contentTypeOf } from '../modules/exports/exports/write-file.ts';
import type { App } from '../request/context.ts';
import { noticePage } from './notice-page.ts';

/** Byte range of a file. The end is exclusive. */
type Range = { readonly from: number; readonly to: number };

/**
 * Parses a `Range` header with a single range (RFC 9110, section 14). `null` selects the whole file. Returns `unsatisfiable` if the range starts
 * after the end of the file.
 */
function rangeIn(header: string | null, size: number): Range | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '')
    return last === '0' || size === 0
      ? 'unsatisfiable'
      : { from: Math.max(0, size - Number(last)), to: size };
  const range = { from: Number(first), to: last === '' ? size : Math.min(size, Number(last) + 1) };
  if (last !== '' && Number(last) < range.from) return null;
  return range.from >= size ? 'unsatisfiable' : range;
}

/** Returns the entity tag of a file. A completed export never changes, so its ID and file name are sufficient. */
const tagOf = ({ row, name }: StoredFile): string => `"${row.id}/${name}"`;

function fileReply(file: StoredFile, { headers, method }: HttpRequest): Reply {
  const { row, name, size } = file;
  const tag = tagOf(file);
  const condition = headers.get('if-range');
  const isSame = condition === null || condition === tag;
  const range = isSame ? rangeIn(headers.get('range'), size) : null;
  const common = {
    'Accept-Ranges': 'bytes',
    ETag: tag,
    'Cache-Control': 'private, no-cache, no-transform',
    'X-Robots-Tag': 'noindex',
  };
  if (range === 'unsatisfiable')
    return { status: 416, headers: { ...common, 'Content-Range': `bytes */${size}` }, body: null };
  const { from, to } = range ?? { from: 0, to: size };
  return {
    status: range === null ? 200 : 206,
    headers: {
      ...common,
      'Content-Type': contentTypeOf(row),
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Length': String(to - from),
      ...(range === null ? {} : { 'Content-Range': `bytes ${from}-${to - 1}/${size}` }),
    },
    body: method === 'HEAD' ? null : streamOf(file.bytes(from, to)),
  };
}

/** Serves an export file or a byte range of it. Status 410 if the link has expired, and 404 if the link is invalid. */
export async function exportFilePage(app: App, request: HttpRequest, token: string): Promise<Reply> {
  const file = await linkedFile(app, token);
  if (file === 'expired')
    return noticePage(410, 'This file is no longer available', 'Open the export again to get a new link.');
  if (file === null) return noticePage(404, 'File not found', 'Check that the link is complete.');
  return fileReply(file, request);
}
