import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';

/** Answers a request for one fixed document. */
export type Served = (request: HttpRequest) => Reply;

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Serves a fixed text with an entity tag, so that a browser that has it is answered 304. */
export function serveText(text: string, headers: Readonly<Record<string, string>>): Served {
  const tag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  const all = { ...headers, ETag: tag, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' };
  return (request) =>
    request.headers.get('if-none-match') === tag
      ? { status: 304, headers: all, body: null }
      : { status: 200, headers: all, body: text };
}

/** Reads a file of the folder `assets` once and serves it. Throws at start when it is missing or of an unknown kind. */
export function readAsset(name: string): Served {
  const type = types[name.split('.').at(-1) ?? ''];
  if (type === undefined) throw new Error(`The asset ${name} has no known content type.`);
  return serveText(readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8'), {
    'Content-Type': type,
  });
}
