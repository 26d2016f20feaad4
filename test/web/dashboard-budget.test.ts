import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildWeb } from '../../src/web/build.ts';
import { buildStamp, buildsFolder } from '../../src/web/build-stamp.ts';
import { entryFiles, readBuild, type WebBuild } from '../../src/web/built-files.ts';

// Size limits for a page's scripts after gzip compression, in kilobytes (1,000 bytes).

let build: WebBuild;

beforeAll(async () => {
  const stamp = await buildStamp('dashboard');
  await buildWeb('dashboard', stamp);
  const found = await readBuild(path.join(buildsFolder('dashboard'), stamp));
  if (found === null) throw new Error('There is no build.');
  build = found;
});

const entry = 'src/dashboard/main.tsx';

const scriptsOf = (...modules: string[]): string[] =>
  modules.flatMap((name) => entryFiles(build.manifestOf(entry), name).scripts);

/** Returns the size of the scripts that load before the modules run, excluding the scripts in `known`. */
function kilobytesOf(modules: readonly string[], known: readonly string[] = []): number {
  const before = scriptsOf(...known);
  const files = new Set(scriptsOf(...modules).filter((file) => !before.includes(file)));
  const bytes = [...files]
    .map((file) => build.file(file, 'gzip')?.body)
    .map((body) => (body as Uint8Array).length);
  return bytes.reduce((sum, each) => sum + each, 0) / 1_000;
}

/**
 * Modules of pages that show lists: pages with `ListPage` or `CatalogList`, or with custom tiles and tables.
 */
const lists = [
  'catalog/add-ons/page.tsx',
  'catalog/ai-models/page.tsx',
  'catalog/card-promotions/page.tsx',
  'catalog/credit-packs/page.tsx',
  'catalog/features/page.tsx',
  'catalog/markets/page.tsx',
  'catalog/offers/page.tsx',
  'catalog/plans/page.tsx',
  'catalog/pricing-tables/page.tsx',
  'catalog/promo-codes/page.tsx',
  'customers/list.tsx',
  'developers/emails-page.tsx',
  'developers/events-page.tsx',
  'developers/keys-page.tsx',
  'invoices/page.tsx',
  'ledger/page.tsx',
  'payments/links-page.tsx',
  'payments/refunds-page.tsx',
  'payments/page.tsx',
  'payouts/page.tsx',
  'subscriptions/list.tsx',
  'usage/page.tsx',
  'webhooks/deliveries-page.tsx',
  'webhooks/page.tsx',
].map((file) => `src/dashboard/pages/${file}`);

const pagesFolder = path.resolve(import.meta.dirname, '../../src/dashboard/pages');

describe("the dashboard's script budget", () => {
  it('limits the app shell and the home page', () => {
    expect(scriptsOf(entry)).toHaveLength(1);
    expect(kilobytesOf([entry])).toBeLessThan(150);
    expect(kilobytesOf([entry, 'src/dashboard/pages/home/page.tsx'])).toBeLessThan(190);
  });

  it('includes the code editor only in the API explorer', () => {
    const explorer = 'src/dashboard/pages/explorer/page.tsx';
    expect(kilobytesOf([explorer], [entry])).toBeLessThan(250);
    const isEditor = (file: string): boolean =>
      /cm-content/.test(Buffer.from(build.file(file, 'identity')?.body as Uint8Array).toString());
    const others = Object.keys(build.manifestOf(entry)).filter((name) => name !== explorer);
    expect(others.filter((name) => entryFiles(build.manifestOf(entry), name).scripts.some(isEditor))).toEqual(
      [],
    );
    expect(scriptsOf(explorer).some(isEditor)).toBe(true);
  });

  it("limits each list page, excluding sheets, forms, and menus, which load when they're opened", () => {
    const heavy = lists
      .map((file) => [file, kilobytesOf([entry, file])] as const)
      .filter(([, kilobytes]) => kilobytes >= 230);
    expect(heavy).toEqual([]);
  });

  it('covers every page that shows a list', () => {
    const made = readdirSync(pagesFolder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .filter((file) =>
        /<(?:ListPage|CatalogList)\b/.test(readFileSync(path.join(pagesFolder, file), 'utf8')),
      )
      .filter((file) => file !== 'catalog/parts/catalog-list.tsx')
      .map((file) => `src/dashboard/pages/${file}`);
    expect(made.filter((file) => !lists.includes(file))).toEqual([]);
  });
});
