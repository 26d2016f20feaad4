import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';
import { addressOf } from '../../src/site/page.ts';
import { sitePages } from '../../src/site/pages.ts';
import { buildStamp, buildsFolder, isBuilt } from '../../src/web/build-stamp.ts';
import { root } from '../support/server-source.ts';

// The HTML of the documentation site: each page exists, and all internal links, anchors, scripts, styles, and images lead somewhere.

type Page = { readonly ids: ReadonlySet<string>; readonly targets: readonly string[] };

let folder: string;
const pages = new Map<string, Page>();

/** Returns the texts of an attribute, with decoded entities. */
const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, text = '']) =>
    text.replaceAll('&#38;', '&').replaceAll('&amp;', '&'),
  );

function pageOf(file: string): Page {
  const html = brotliDecompressSync(readFileSync(path.join(folder, file))).toString();
  return {
    ids: new Set(attributes(html, 'id')),
    targets: [...new Set([...attributes(html, 'href'), ...attributes(html, 'src')])],
  };
}

/** Returns the address of an HTML file, such as `/docs/guides/mcp`. */
const addressOfFile = (file: string): string =>
  addressOf(
    file
      .replaceAll('\\', '/')
      .replace(/(?:^|\/)index\.html\.br$/, '')
      .replace(/\.html\.br$/, ''),
  );

beforeAll(async () => {
  const stamp = await buildStamp('docs');
  if (!(await isBuilt('docs')))
    await promisify(execFile)(process.execPath, [path.join(root, 'src/build-site.ts'), stamp], { cwd: root });
  folder = path.join(buildsFolder('docs'), stamp);
  for (const file of globSync('**/*.html.br', { cwd: folder })) pages.set(addressOfFile(file), pageOf(file));
}, 300_000);

describe('the built documentation site', () => {
  it('has an HTML page for each page', () => {
    const missing = sitePages(schema).filter(({ path: page }) => !pages.has(addressOf(page)));
    expect(missing.map(({ path: page }) => page)).toEqual([]);
  });

  it('links only to pages, anchors, and files that exist', () => {
    const markdown = new Set(
      sitePages(schema).map(({ path: page }) => `${addressOf(page === '' ? 'index' : page)}.md`),
    );
    const files = new Set(
      globSync('**/*.*', { cwd: folder }).map(
        (file) => `/docs/${file.replaceAll('\\', '/').replace(/\.br$/, '')}`,
      ),
    );
    const isBroken = (from: string, target: string): boolean => {
      const [address = '', anchor] = target.split('#', 2);
      const [place = ''] = address.split('?');
      const page = pages.get(place === '' ? from : place.replace(/(?<=.)\/$/, ''));
      if (page !== undefined)
        return anchor !== undefined && anchor !== '' && !page.ids.has(decodeURIComponent(anchor));
      return !files.has(place) && !markdown.has(place);
    };
    const broken = [...pages].flatMap(([from, { targets }]) =>
      targets
        .filter((target) => /^(?:#|\/docs(?:[/#?]|$))/.test(target) && isBroken(from, target))
        .map((target) => `${from}: ${target}`),
    );
    expect(pages.size).toBeGreaterThan(700);
    expect(broken).toEqual([]);
  });
});
