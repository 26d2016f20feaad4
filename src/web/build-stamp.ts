import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../platform/root.ts';

/** What is built apart: the merchant's dashboard, and the pages of customers, which are small and ready sooner. */
export type BuildName = 'dashboard' | 'pages';

/** Where the builds of a name lie, each in a folder named by its stamp. */
export const buildsFolder = (name: BuildName): string => path.join(root, '.cache/web', name);

/** Where an installation without the sources of its pages, such as a container, says what was built. */
export const fixedStamps = path.join(root, '.cache/web/stamps.json');

const readFixed = async (name: BuildName): Promise<string | null> => {
  const text = await readFile(fixedStamps, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Record<BuildName, string>)[name];
};

const tools = [
  'package-lock.json',
  'src/domain/color.ts',
  'src/domain/money.ts',
  'src/web/build.ts',
  'src/web/documents-plugin.ts',
  'src/web/vite.ts',
];

type Sources = { readonly folders: readonly string[]; readonly files: readonly string[] };

const sources: Readonly<Record<BuildName, Sources>> = {
  dashboard: {
    folders: ['src/dashboard', 'src/ui'],
    files: [...tools, 'schema.graphql', 'src/web/icons-plugin.ts', 'src/web/identity-plugin.ts'],
  },
  pages: {
    folders: ['src/pages', 'src/ui'],
    files: [...tools, 'src/domain/countries.ts', 'src/web/page-renderer.ts'],
  },
};

/** The files below a folder, as paths from the root; none where it does not exist. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** A hash of everything a build is made from: the same files have the same build. Without the files, the one it was built with. */
export async function buildStamp(name: BuildName): Promise<string> {
  const fixed = await readFixed(name);
  if (fixed !== null) return fixed;
  return hashOfFiles(sources[name]);
}

/** A hash of the files below folders and of single files, as paths from the root. One that does not exist counts as empty. */
export async function hashOfFiles({ folders, files }: Sources): Promise<string> {
  const names = [...files, ...(await Promise.all(folders.map(filesBelow))).flat()].sort();
  const texts = await Promise.all(
    names.map((file) => readFile(path.join(root, file)).catch(() => Buffer.alloc(0))),
  );
  const hash = createHash('sha256');
  for (const [index, file] of names.entries())
    hash.update(`${file}\0${texts[index]?.length}\0`).update(texts[index] ?? '');
  return hash.digest('hex').slice(0, 20);
}

/** Whether the code as it is now was built. */
export async function isBuilt(name: BuildName): Promise<boolean> {
  const folder = path.join(buildsFolder(name), await buildStamp(name));
  return stat(folder).then(
    () => true,
    () => false,
  );
}
