import type { App } from '../context.ts';
import { streamOf } from '../http/byte-stream.ts';
import type { Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { linkedFile, type StoredFile } from '../modules/exports/read-file.ts';
import { contentTypeOf } from '../modules/exports/write-file.ts';
import { noticePage } from './notice-page.ts';

/** A part of a file: from a byte up to another one, which is not included. */
type Range = { readonly from: number; readonly to: number };

/** The one range a header asks for (RFC 9110, 14); null for the whole file, `unsatisfiable` where it lies beyond its end. */
export function rangeIn(header: string | null, size: number): Range | 'unsatisfiable' | null {
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

/** Names the bytes: an export never changes once it is complete. */
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

/** Answers the address of a file of an export, whole or a range of it; 410 once it has expired, 404 for one that was not made here. */
export async function exportFilePage(app: App, request: HttpRequest, token: string): Promise<Reply> {
  const file = await linkedFile(app, token);
  if (file === 'expired')
    return noticePage(410, 'This file is not available any more', 'Open the export again for another link.');
  if (file === null)
    return noticePage(
      404,
      'There is no such file',
      'The address is not complete, or it never was one of ours.',
    );
  return fileReply(file, request);
}
