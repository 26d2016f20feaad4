import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type KnownTexts, knownTexts } from '../graphql/trusted-documents.ts';
import { encodingFor } from '../http/compression.ts';
import type { Reply } from '../http/reply.ts';
import type { PageRenderer } from './page-renderer.ts';

/** What Vite's manifest says of one module. */
type Chunk = {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
};
export type Manifest = Readonly<Record<string, Chunk>>;

/** A finished build, in memory, so that a later build may remove its folder. */
export type WebBuild = {
  readonly manifest: Manifest;
  /** The texts of the documents it sends. */
  readonly documents: KnownTexts;
  /** Writes customers' pages; null for a build of something else. */
  readonly renderer: PageRenderer | null;
  /** The answer with a file; null when there is none of the name. */
  readonly file: (name: string, acceptEncoding: string | null) => Reply | null;
};

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** The code of a build that runs in the service. */
const serverFile = 'server.mjs';

const extensions = { br: 'br', gzip: 'gz' } as const;

/** Reads a build; null when there is none in the folder. */
export async function readBuild(folder: string): Promise<WebBuild | null> {
  const names = await readdir(folder).catch((): string[] => []);
  if (!names.includes('manifest.json')) return null;
  const files = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
  );
  // Files of two bundles are named by their content, so that what both have is one file.
  const manifests = names.filter((name) => name.endsWith('manifest.json'));
  const manifest = Object.assign(
    {},
    ...manifests.map((name) => JSON.parse(String(files.get(name)))),
  ) as Manifest;
  const documents = knownTexts(JSON.parse(String(files.get('documents.json'))) as string[]);
  const renderer = names.includes(serverFile)
    ? ((await import(pathToFileURL(path.join(folder, serverFile)).href)) as { renderer: PageRenderer })
        .renderer
    : null;
  return {
    manifest,
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

/** The scripts and styles an entry needs before it runs, its own script first. */
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
  // Styles of what is imported come first, so that those of the importer win.
  const styles = new Set([...chunks].reverse().flatMap(({ css }) => css ?? []));
  return { scripts: chunks.map(({ file }) => file), styles: [...styles] };
}
