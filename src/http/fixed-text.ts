import { createHash } from 'node:crypto';
import type { Reply } from './reply.ts';
import type { HttpRequest } from './request.ts';

/** Answers a request for one fixed document. */
export type Served = (request: HttpRequest) => Reply;

/** Whether a header If-None-Match names an entity tag. Compressed forms share the tag of their document, which is therefore a weak one. */
function names(header: string | null, tag: string): boolean {
  const tags = (header ?? '').split(',').map((each) => each.trim());
  return tags.some((each) => each === '*' || each.replace(/^W\//, '') === tag);
}

/**
 * Serves a fixed text with an entity tag, so that a client that has it is answered 304. Everyone may keep it, and asks whether it is still the same
 * before using it, unless `headers` say otherwise.
 */
export function serveText(text: string, headers: Readonly<Record<string, string>>): Served {
  const tag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  const all = { 'Cache-Control': 'no-cache', ...headers, ETag: `W/${tag}` };
  const body = Buffer.from(text);
  return (request) =>
    names(request.headers.get('if-none-match'), tag)
      ? { status: 304, headers: { ...all, Vary: 'Accept-Encoding' }, body: null }
      : { status: 200, headers: all, body };
}
