import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../platform/root.ts';

/** Browser code has two builds: the dashboard, and the hosted pages, which are smaller and finish earlier. The documentation site is a third build. */
export const buildNames = ['dashboard', 'pages', 'docs'] as const;

export type BuildName = (typeof buildNames)[number];

/** Returns the folder for builds with this name. Each build has a subfolder named after its stamp. */
export const buildsFolder = (name: BuildName): string => path.join(root, '.cache/web', name);

/** Precomputed stamps for installations without the source code of the pages, such as containers. */
export const fixedStamps = path.join(root, '.cache/web/stamps.json');

const readFixed = async (name: BuildName): Promise<string | null> => {
  const text = await readFile(fixedStamps, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Record<BuildName, string>)[name];
};

const tools = [
  'package-lock.json',
  'src/domain/text/color.ts',
  'src/domain/money/money.ts',
  'src/web/build.ts',
  'src/web/build-folder.ts',
  'src/messages/arguments.ts',
  'src/messages/compile.ts',
  'src/web/documents-plugin.ts',
  'src/web/messages-plugin.ts',
  'src/web/vite.ts',
];

type Sources = { readonly folders: readonly string[]; readonly files: readonly string[] };

/** Files and folders that determine a build. */
export const sources: Readonly<Record<BuildName, Sources>> = {
  dashboard: {
    folders: ['src/dashboard', 'src/ui', 'src/domain/errors', 'src/domain/meters', 'src/domain/rates'],
    files: [
      ...tools,
      'schema.graphql',
      'src/domain/events/events.ts',
      'src/domain/limits/member-roles.ts',
      'src/domain/limits/permissions.ts',
      'src/domain/limits/preset-scopes.ts',
      'src/domain/money/amount-text.ts',
      'src/domain/rows/enums.ts',
      'src/domain/rows/explanation.ts',
      'src/domain/text/json.ts',
      'src/domain/text/language.ts',
      'src/web/merge-scripts.ts',
      'src/web/page-scripts.ts',
      'src/web/possible-types.ts',
      'src/web/words-plugin.ts',
    ],
  },
  pages: {
    folders: ['src/pages', 'src/ui'],
    files: [
      ...tools,
      'src/domain/money/stripe-amounts.ts',
      'src/domain/payments/instruments/iban.ts',
      'src/domain/tax/countries.ts',
      'src/domain/text/language.ts',
      'src/web/page-renderer.ts',
      'src/web/preload-plugin.ts',
    ],
  },
  docs: {
    folders: [
      'docs',
      'src/site',
      'src/rest',
      'src/modules',
      'src/graphql',
      'src/domain/errors',
      'src/domain/events',
    ],
    files: [
      'package-lock.json',
      'schema.graphql',
      'src/build-site.ts',
      'src/web/build-docs.ts',
      'src/web/build-folder.ts',
    ],
  },
};

/** Lists the files below a folder as paths from the root. Empty if the folder doesn't exist. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/**
 * Returns the precomputed stamp of a build, if any. Otherwise, returns a hash of the build's sources, which is the same for identical
 * sources.
 */
export async function buildStamp(name: BuildName): Promise<string> {
  const fixed = await readFixed(name);
  if (fixed !== null) return fixed;
  return hashOfFiles(sources[name]);
}

/** Returns a hash of the given files and all files below the given folders. A missing file is treated as empty. */
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

/** True if the current code is already built. */
export async function isBuilt(name: BuildName): Promise<boolean> {
  const folder = path.join(buildsFolder(name), await buildStamp(name));
  return stat(folder).then(
    () => true,
    () => false,
  );
}
