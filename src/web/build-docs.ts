import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { root } from '../platform/root.ts';
import { type SitePage, sections, siteRoot } from '../site/page.ts';
import { publishBuild } from './build-folder.ts';

// Builds the HTML of the site with Astro and Starlight. `build-site.ts` calls this module in a separate process, so that the service stays responsive.

const brotli = promisify(brotliCompress);

/** Returns the front matter and the text of a page in the form that Starlight reads. */
function sourceOf({ title, description, body }: SitePage): string {
  const fields = { title, description };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${body()}\n`;
}

async function writePages(pages: readonly SitePage[], folder: string): Promise<void> {
  for (const page of pages) {
    const file = path.join(folder, `${page.path === '' ? 'index' : page.path}.md`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, sourceOf(page));
  }
}

/** Returns true for a page that the navigation lists: written pages, resources, and the indexes of generated pages. */
function isListed({ path: page, section }: SitePage): boolean {
  if (section === 'Events' || section === 'Errors') return !page.includes('/');
  return section !== 'Reference' || page.split('/').length <= 2;
}

/** Returns the navigation: the listed pages of each section. */
function navigationOf(pages: readonly SitePage[]) {
  return sections
    .map((section) => ({
      label: section,
      collapsed: section === 'Reference' || section === 'Rules',
      items: pages
        .filter((page) => page.section === section && isListed(page))
        .map(({ path: page, title }) => ({ label: title, link: `/${page}` })),
    }))
    .filter(({ items }) => items.length > 0);
}

const compressible = /\.(?:html|js|css|svg)$/;

/** Replaces each text of a built site by a compressed copy, which needs a tenth of the space. */
async function compress(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of files) {
    if (!compressible.test(name)) continue;
    const file = path.join(parentPath, name);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
    await writeFile(`${file}.br`, await brotli(await readFile(file), { params }));
    await rm(file);
  }
}

/** Runs Astro on written pages. `outDir` receives the site. */
async function runAstro(pages: readonly SitePage[], folder: string, outDir: string): Promise<void> {
  Object.assign(env, { ASTRO_TELEMETRY_DISABLED: '1', QUITTANCE_SITE_PAGES: folder, NODE_ENV: 'production' });
  const [{ build, passthroughImageService }, { default: starlight }] = await Promise.all([
    import('astro').then(async ({ build: run }) => ({
      build: run,
      passthroughImageService: (await import('astro/config')).passthroughImageService,
    })),
    import('@astrojs/starlight'),
  ]);
  // Every page links to the icon.
  const publicDir = path.join(folder, '../public');
  await mkdir(publicDir, { recursive: true });
  await copyFile(path.join(root, 'src/ui/mark.svg'), path.join(publicDir, 'favicon.svg'));
  await build({
    root,
    srcDir: 'src/site/astro',
    publicDir,
    configFile: false,
    cacheDir: path.join(folder, '../cache'),
    outDir,
    base: siteRoot,
    trailingSlash: 'never',
    logLevel: 'error',
    devToolbar: { enabled: false },
    image: { service: passthroughImageService() },
    // Bundles the theme's version of this package, because the root contains another one.
    vite: {
      ssr: { noExternal: ['js-yaml'] },
      environments: { prerender: { resolve: { noExternal: ['js-yaml'] } } },
    },
    integrations: [
      starlight({
        title: 'Quittance',
        sidebar: navigationOf(pages),
        customCss: ['./src/site/astro/theme.css'],
        routeMiddleware: './src/site/astro/alternate.ts',
        lastUpdated: false,
        credits: false,
        // Wrapped lines need no scrolling by keyboard.
        expressiveCode: { defaultProps: { wrap: true, preserveIndent: true } },
        disable404Route: true,
      }),
    ],
  });
}

/** Builds the site of the pages into the folder of its stamp. `pages` is called only if the site isn't built yet. */
export const buildDocs = (pages: () => readonly SitePage[], stamp: string): Promise<void> =>
  publishBuild('docs', stamp, async (aside) => {
    const [written, outDir] = [path.join(aside, 'pages'), path.join(aside, 'out')];
    const all = pages();
    await writePages(all, written);
    await runAstro(all, written, outDir);
    await compress(outDir);
    return outDir;
  });
