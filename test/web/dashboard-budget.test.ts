import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/dashboard/routes.ts';
import { buildWeb } from '../../src/web/build.ts';
import { buildStamp, buildsFolder } from '../../src/web/build-stamp.ts';
import { entryFiles, type Manifest, readBuild, type WebBuild } from '../../src/web/built-files.ts';

// Size limits for a page's scripts after gzip compression, in kilobytes (1,000 bytes).

const entry = 'src/dashboard/main.tsx';
const languages = readdirSync(path.resolve(import.meta.dirname, '../../src/dashboard/words'), {
  withFileTypes: true,
}).flatMap((each) => (each.isDirectory() ? [each.name] : []));

let build: WebBuild;

beforeAll(async () => {
  const stamp = await buildStamp('dashboard');
  await buildWeb('dashboard', stamp);
  const found = await readBuild(path.join(buildsFolder('dashboard'), stamp));
  if (found === null) throw new Error('There is no build.');
  build = found;
});

function bodyOf(file: string, encoding: 'gzip' | 'identity'): Uint8Array {
  const body = build.file(file, encoding)?.body;
  if (!(body instanceof Uint8Array)) throw new Error(`There is no file ${file}.`);
  return body;
}

const textOf = (file: string): string => Buffer.from(bodyOf(file, 'identity')).toString();

const kilobytesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + bodyOf(file, 'gzip').length, 0) / 1_000;

/** Returns the scripts of a cold load of each page in a language: the scripts of the frame, and the scripts that the page imports. */
function scriptsByPage(language: string): ReadonlyMap<string, readonly string[]> {
  const manifest: Manifest = build.manifestOf(entry, language);
  const frame = entryFiles(manifest, entry).scripts;
  const names = new Map(Object.entries(manifest).map(([name, { file }]) => [file, name]));
  const code = frame.map(textOf).join('\n');
  return new Map(
    Object.keys(routes).map((page) => {
      const file = new RegExp(`\\b${page}:\\(\\)=>.{0,20}?import\\(["'\`]\\./([^"'\`]+)["'\`]\\)`).exec(
        code,
      )?.[1];
      const name = names.get(file ?? '');
      if (name === undefined) throw new Error(`There is no script of ${page}.`);
      return [page, [...new Set([...frame, ...entryFiles(manifest, name).scripts])]];
    }),
  );
}

const mostScripts = 6;

/** Limit of the frame, which also contains what most pages use. */
const frameLimit = 190;

/** Limit of pages without an entry in `limits`. */
const pageLimit = 220;

const limits: Readonly<Record<string, number>> = {
  account: 225,
  auditLog: 242,
  balance: 265,
  branding: 257,
  connect: 222,
  creditNotes: 268,
  customer: 340,
  customerPages: 257,
  customers: 230,
  explorer: 430,
  home: 222,
  metrics: 340,
  organization: 255,
  payouts: 230,
  requests: 250,
  plan: 310,
  planNew: 310,
  subscription: 340,
  subscriptions: 230,
  timeMachine: 340,
  usageHolds: 258,
  welcome: 310,
};

describe.each(languages)("the dashboard's script budget in the language %s", (language) => {
  it('limits the frame to one script', () => {
    const { scripts } = entryFiles(build.manifestOf(entry, language), entry);
    expect(scripts).toHaveLength(1);
    expect(kilobytesOf(scripts)).toBeLessThan(frameLimit);
  });

  it('limits the number and the size of the scripts of every page', () => {
    const pages = [...scriptsByPage(language)];
    expect(pages.length).toBe(Object.keys(routes).length);
    const heavy = pages
      .map(([page, scripts]) => ({ page, count: scripts.length, size: kilobytesOf(scripts) }))
      .filter(({ page, count, size }) => count > mostScripts || size >= (limits[page] ?? pageLimit));
    expect(heavy).toEqual([]);
  });

  it('includes the code editor only in the API explorer', () => {
    const withEditor = [...scriptsByPage(language)]
      .filter(([, scripts]) => scripts.some((file) => textOf(file).includes('cm-content')))
      .map(([page]) => page);
    expect(withEditor).toEqual(['explorer']);
  });

  it('excludes the messages of other languages', () => {
    const names = { en: 'Settings', es: 'Ajustes', 'pt-BR': 'Configurações' } as const;
    const frame = entryFiles(build.manifestOf(entry, language), entry).scripts.map(textOf).join('');
    const found = Object.entries(names).filter(
      ([, text]) => frame.includes(`"${text}"`) || frame.includes(`\`${text}\``),
    );
    expect(found.map(([each]) => each)).toEqual([language]);
  });
});
