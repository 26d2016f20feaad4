import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { contentPolicy, inlineSource } from '../http/content-policy.ts';
import { type Served, serveText } from '../http/fixed-text.ts';
import type { Reply } from '../http/reply.ts';

/** Built documentation site. */
export type SiteBuild = {
  /** Returns the HTML page at a path below `/docs`. `null` if the page doesn't exist. */
  readonly page: (name: string) => Promise<Served | null>;
  /** Returns a style, script, or part of the search index. `null` if the file doesn't exist. */
  readonly file: (name: string) => Promise<Reply | null>;
};

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
  // Parts of the search index have their own endings.
  pagefind: 'application/octet-stream',
  pf_fragment: 'application/octet-stream',
  pf_index: 'application/octet-stream',
  pf_meta: 'application/octet-stream',
};

/** Number of pages that stay in memory. */
const cachedPages = 200;

/** Size in bytes of the other files that stay in memory, where compressed copies are made once. */
const cachedFileBytes = 8 * 1_024 * 1_024;

/** Returns the policy of a page. It allows the page's inline scripts, the WebAssembly of the search, and the colors of code blocks, which are styles of elements. */
function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const sources = new Set(inline.map(([, text = '']) => inlineSource(text)));
  return contentPolicy({
    scripts: ["'self'", "'wasm-unsafe-eval'", ...sources],
    styles: ["'self'", "'unsafe-inline'"],
    images: ["'self'", 'data:'],
    fonts: ["'self'"],
    connections: ["'self'"],
  });
}

const decompress = promisify(brotliDecompress);

/** Reads a file of the site. Texts are stored as compressed copies. `null` if the file doesn't exist. */
async function readBytes(file: string): Promise<Buffer | null> {
  const packed = await readFile(`${file}.br`).catch(() => null);
  return packed === null ? readFile(file).catch(() => null) : decompress(packed);
}

/** Returns true if a path stays within its folder and contains only characters of built files. */
const isSafe = (name: string): boolean => /^[\w.-]+(?:\/[\w.-]+)*$/.test(name) && !name.includes('..');

/** Start of a path on the site in a script. */
const pathInScript = /"\/(?=docs\b)/g;

/** Start of a path on the site, or of another path on the service in an attribute, such as `/openapi.json`. */
const pathInPage = /"\/(?=docs\b)|(?<=\b(?:href|src)=)"\/(?!\/)/g;

/**
 * Reads a built site from its folder. `null` if the folder doesn't exist. `base` is the path of the service's public URL, which the addresses in the pages
 * start with.
 */
export async function readSite(folder: string, base: string): Promise<SiteBuild | null> {
  const found = await stat(folder).catch(() => null);
  if (found === null) return null;
  const pages = new LRUCache<string, Served>({ max: cachedPages });
  const files = new LRUCache<string, Reply>({
    maxSize: cachedFileBytes,
    sizeCalculation: ({ body }) => Math.max(1, (body as Uint8Array).byteLength),
  });
  const withBase = (text: string, start: RegExp): string =>
    base === '' ? text : text.replace(start, `"${base}/`);
  return {
    page: async (name) => {
      const cached = pages.get(name);
      if (cached !== undefined) return cached;
      if (name !== '' && !isSafe(name)) return null;
      const html = await readBytes(path.join(folder, name, 'index.html'));
      if (html === null) return null;
      const text = withBase(html.toString(), pathInPage);
      const served = serveText(text, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policyOf(text),
        Vary: 'Accept',
      });
      pages.set(name, served);
      return served;
    },
    file: async (name) => {
      const cached = files.get(name);
      if (cached !== undefined) return cached;
      const type = types[name.split('.').at(-1) ?? ''];
      if (type === undefined || !isSafe(name)) return null;
      const bytes = await readBytes(path.join(folder, name));
      if (bytes === null) return null;
      const reply: Reply = {
        status: 200,
        headers: {
          'Content-Type': type,
          // The names of these files contain a hash of their content.
          'Cache-Control': name.startsWith('_astro/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        },
        body:
          base !== '' && name.endsWith('.js') ? Buffer.from(withBase(bytes.toString(), pathInScript)) : bytes,
      };
      files.set(name, reply);
      return reply;
    },
  };
}
