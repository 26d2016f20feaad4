import { cp, glob, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { bundleEntry, bundleService, outsidePackages } from '../prisma/bundle.ts';
import { root } from '../src/platform/root.ts';
import { type BuildName, buildNames, buildStamp, buildsFolder, fixedStamps } from '../src/web/build-stamp.ts';

// Copies the files that the running service uses into a folder with the same structure: the content of a container image. Run it after `npm run
// build`.

/** Scripts that an administrator runs in a container next to the bundled service. */
const programs = ['prisma/migrate.ts', 'prisma/distribute.ts', 'prisma/claim-link.ts', 'prisma/ai-prices.ts'];

/** Files read under a name that is computed at run time. */
const data = [
  'package.json',
  'prisma/migrations/**/*.sql',
  'src/modules/**/*.data.json',
  'src/web/assets/*.js',
  'docs/**/*.md',
  'node_modules/dejavu-fonts-ttf/ttf/DejaVuSans{,-Bold}.ttf',
  'node_modules/@fontsource-variable/*/unicode.json',
  'node_modules/@fontsource-variable/*/files/*-wght-normal.woff2',
  'node_modules/{dejavu-fonts-ttf,@fontsource-variable/*}/package.json',
];

/** Packages that a container doesn't need: the embedded database, because a container uses PostgreSQL, and the CommonJS form of a large module. */
const unused = ['@electric-sql/pglite', 'pglite-prisma-adapter', '@graphql-yoga/render-graphiql/cjs'];

/** Returns the package of a file below `node_modules`. */
const packageOf = (file: string): string => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? '';

const importing = /\b(?:import|export)\b(?!\s+type\b)[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\b(?:import|require)\s*\(?\s*['"]([^'"]+)['"]/g;

/** Returns the source files that programs import, and the packages that they import. */
async function sourcesOf(entries: readonly string[]) {
  const files = new Set(entries);
  const packages = new Set<string>();
  for (const file of files) {
    const text = await readFile(path.join(root, file), 'utf8');
    for (const [, from, loaded] of text.matchAll(importing)) {
      const name = from ?? loaded ?? '';
      // A name without an extension is part of a text, such as the models in a generated client.
      if (name.startsWith('.')) {
        if (/\.tsx?$/.test(name)) files.add(path.join(path.dirname(file), name));
      } else if (!name.startsWith('node:') && /^[@a-z]/.test(name) && !unused.some((each) => name.startsWith(each))) packages.add(name);
    }
  }
  return { files, packages };
}

/** Returns the files of packages that importing these packages loads. */
async function packageFiles(packages: ReadonlySet<string>): Promise<string[]> {
  const entry = path.join(root, '.cache/image-entry.mjs');
  await writeFile(entry, [...packages].map((name) => `import '${name}';\n`).join(''));
  const { fileList, warnings } = await nodeFileTrace([entry], { base: root, processCwd: root });
  for (const warning of warnings) if (warning.message.includes('Failed to resolve')) console.error(warning.message);
  const found = [...fileList].filter(
    (file) => file.startsWith('node_modules/') && !unused.some((name) => file.startsWith(`node_modules/${name}/`)),
  );
  // A package that checks for other installed packages only leaves their package.json files.
  const loaded = new Set(found.filter((file) => !file.endsWith('/package.json')).map(packageOf));
  return found.filter((file) => loaded.has(packageOf(file)));
}

async function copy(file: string, target: string): Promise<void> {
  await mkdir(path.dirname(path.join(target, file)), { recursive: true });
  await cp(await realpath(path.join(root, file)), path.join(target, file), { recursive: true });
}

const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error('Usage: node .ci/image.ts <folder>');
  process.exit(2);
}
const target = path.resolve(given);
const { files, packages } = await sourcesOf(programs);
for (const name of outsidePackages) if (!unused.includes(name)) packages.add(name);
const bundle = path.relative(root, await bundleService());
const listed = await Array.fromAsync(glob([...data, `${bundle}/*.mjs`, path.relative(root, bundleEntry)], { cwd: root }));
for (const file of new Set([...files, ...(await packageFiles(packages)), ...listed])) await copy(file, target);
const stamps: Partial<Record<BuildName, string>> = {};
for (const name of buildNames) {
  const stamp = await buildStamp(name);
  stamps[name] = stamp;
  await copy(path.relative(root, path.join(buildsFolder(name), stamp)), target);
}
await writeFile(path.join(target, path.relative(root, fixedStamps)), JSON.stringify(stamps));
