import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type KnownTexts, knownTexts } from '../graphql/declare/trusted-documents.ts';
import { encodingFor } from '../http/compression.ts';
import type { Reply } from '../http/reply.ts';
import type { PageRenderer } from './page-renderer.ts';

/** Module entry in Vite's manifest. */
type Chunk = {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
};
export type Manifest = Readonly<Record<string, Chunk>>;

/** A completed build. Its files are in memory because a later build may delete the folder. */
export type WebBuild = {
  /** Returns the manifest of the bundle that contains the entry. The dashboard has a bundle for each language. */
  readonly manifestOf: (entry: string, language?: string) => Manifest;
  /** GraphQL documents that the built code sends. */
  readonly documents: KnownTexts;
  /** Renderer for hosted pages. `null` if the build contains the dashboard. */
  readonly renderer: PageRenderer | null;
  /** Returns the response for a file. `null` if the file doesn't exist. */
  readonly file: (name: string, acceptEncoding: string | null) => Reply | null;
  /** Sources of workers that the page may start. Only development needs workers. */
  readonly workers?: readonly string[];
};

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** A build's server code, which the service imports. */
const serverFile = 'server.mjs';

const extensions = { br: 'br', gzip: 'gz' } as const;

/** Reads a build from its folder. `null` if the folder contains no build. */
export async function readBuild(folder: string): Promise<WebBuild | null> {
  const names = await readdir(folder).catch((): string[] => []);
  if (!names.includes('documents.json')) return null;
  const files = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
  );
  // Files are named by content hash, so files shared by two bundles are identical.
  const manifests = names
    .filter((name) => name.endsWith('manifest.json'))
    .map((name) => ({ name, modules: JSON.parse(String(files.get(name))) as Manifest }));
  const documents = knownTexts(JSON.parse(String(files.get('documents.json'))) as string[]);
  const renderer = names.includes(serverFile)
    ? ((await import(pathToFileURL(path.join(folder, serverFile)).href)) as { renderer: PageRenderer })
        .renderer
    : null;
  return {
    manifestOf: (entry, language = '') =>
      manifests.find(({ name, modules }) => name.startsWith(language) && entry in modules)?.modules ?? {},
    documents,
    renderer,
    file(name, acceptEncoding) {
      const plain = files.get(name);
      const type = types[name.split('.').at(-1) ?? ''];
      if (plain === undefined || type === undefined || name.endsWith('.json')) return null;
      const encoding = encodingFor(acceptEncoding);
      const packed = encoding === null ? undefined : files.get(`${name}.${extensions[encoding]}`);
      return {
        status: 200,
        headers: {
          'Content-Type': type,
          'Cache-Control': 'public, max-age=31536000, immutable',
          Vary: 'Accept-Encoding',
          ...(packed !== undefined && encoding !== null ? { 'Content-Encoding': encoding } : {}),
        },
        body: packed ?? plain,
      };
    },
  };
}

const textFont = 'src/ui/fonts/instrument-sans-latin-wght-normal.woff2';

/** Returns the link that loads the font of texts together with the styles, so that texts appear in it early. */
export const fontLink = (manifest: Manifest, folder: string): readonly string[] => {
  const file = manifest[textFont]?.file;
  return file === undefined
    ? []
    : [`<link rel="preload" as="font" type="font/woff2" crossorigin href="${folder}/${file}">`];
};

/** Returns the scripts and styles that an entry imports, including its own script, which comes first. */
export function entryFiles(
  manifest: Manifest,
  entry: string,
): { readonly scripts: readonly string[]; readonly styles: readonly string[] } {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const each of manifest[name]?.imports ?? []) visit(each);
  };
  visit(entry);
  const chunks = [...seen].flatMap((name) => manifest[name] ?? []);
  // Styles of imported modules come first, so that the importing module can override them.
  const styles = new Set([...chunks].reverse().flatMap(({ css }) => css ?? []));
  return { scripts: chunks.map(({ file }) => file), styles: [...styles] };
}
