import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildWeb } from '../../src/web/build.ts';
import { buildStamp, buildsFolder } from '../../src/web/build-stamp.ts';
import { entryFiles, readBuild } from '../../src/web/built-files.ts';
import { pageNames } from '../../src/web/page-renderer.ts';

// Size limits for a customer page's scripts and styles after gzip compression, in kilobytes (1,000 bytes).

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

/** Maximum number of scripts of a page, including its messages. */
const mostScripts = 6;

const most = (name: string): number => (name === 'portal' ? 60 : name === 'checkout' ? 26 : 25);

describe('the size budget of customer pages', () => {
  it.each(pageNames)(
    'limits the number and the size of the scripts of /%s in each language, and the styles to 10 KB',
    (name) => {
      const main = `src/pages/${name}/main.tsx`;
      const manifest = build?.manifestOf(main) ?? {};
      const { scripts, styles } = entryFiles(manifest, main);
      const languages = new Set(
        Object.keys(manifest).flatMap((file) => /^src\/pages\/words\/([\w-]+)\//.exec(file)?.[1] ?? []),
      );
      expect(languages.size).toBeGreaterThan(1);
      for (const language of languages) {
        const catalogs = ['common', build?.renderer?.areaOf(name)]
          .map((area) => `src/pages/words/${language}/${area}.json`)
          .filter((file) => file in manifest);
        const words = catalogs.flatMap((file) => entryFiles(manifest, file).scripts);
        expect(words.length).toBeGreaterThan(0);
        const all = [...new Set([...scripts, ...words])];
        expect(all.length).toBeLessThanOrEqual(mostScripts);
        expect(kilobytesOf(all)).toBeLessThan(most(name));
      }
      expect(kilobytesOf(styles)).toBeLessThan(10);
    },
  );
});
