import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildWeb } from '../../src/web/build.ts';
import { buildStamp, buildsFolder } from '../../src/web/build-stamp.ts';
import { entryFiles, readBuild } from '../../src/web/built-files.ts';
import { pageNames } from '../../src/web/page-renderer.ts';

// How much script and style a customer's page costs, compressed by gzip, in KB of 1,000 bytes.

const stamp = await buildStamp('pages');
await buildWeb('pages', stamp);
const build = await readBuild(path.join(buildsFolder('pages'), stamp));

function kilobytesOf(names: readonly string[]): number {
  const bytes = names.map((name) => {
    const body = build?.file(name, 'gzip')?.body;
    if (!(body instanceof Uint8Array)) throw new Error(`There is no file ${name}.`);
    return body.length;
  });
  return bytes.reduce((sum, each) => sum + each, 0) / 1_000;
}

/** The most script a page may load. */
const most = (name: string): number => (name === 'portal' ? 60 : 25);

describe("customers' pages", () => {
  it.each(pageNames)('/%s loads no more script than it may in each language, and 10 KB of styles', (name) => {
    const manifest = build?.manifest ?? {};
    const { scripts, styles } = entryFiles(manifest, `src/pages/${name}/main.tsx`);
    const isWord = (file: string) => file.startsWith('src/pages/words/');
    const languages = new Set(
      Object.keys(manifest)
        .filter(isWord)
        .map((file) => path.basename(file)),
    );
    expect(languages.size).toBeGreaterThan(1);
    for (const language of languages) {
      const catalogs = ['', `${build?.renderer?.areaOf(name)}/`]
        .map((folder) => `src/pages/words/${folder}${language}`)
        .filter((file) => file in manifest);
      const words = catalogs.flatMap((file) => entryFiles(manifest, file).scripts);
      expect(words.length).toBeGreaterThan(0);
      expect(kilobytesOf([...new Set([...scripts, ...words])])).toBeLessThan(most(name));
    }
    expect(kilobytesOf(styles)).toBeLessThan(10);
  });
});
