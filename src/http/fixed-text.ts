import { createHash } from 'node:crypto';
import type { Reply } from './reply.ts';
import type { HttpRequest } from './request.ts';

/** Function that returns the response to a request for constant text. */
export type Served = (request: HttpRequest) => Reply;

/** True if the `If-None-Match` header contains the entity tag. The tag is weak because compressed copies share it. */
function names(header: string | null, tag: string): boolean {
  const tags = (header ?? '').split(',').map((each) => each.trim());
  return tags.some((each) => each === '*' || each.replace(/^W\//, '') === tag);
}

/**
 * Serves constant text with an entity tag, so that clients with a current copy get status 304. By default, caches may
 * store the text but must revalidate it; `headers` can override this cache policy.
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
