import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../src/platform/root.ts';
import { sources } from '../../src/web/build-stamp.ts';

const importPattern = /^(?:import|export)\s+(?!type\s)[^;]*?from '(\.[^']+\.tsx?)'/gm;

const importsOf = (file: string): string[] =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(importPattern)].map(([, to = '']) =>
    path.join(path.dirname(file), to),
  );

describe.each(['dashboard', 'pages'] as const)('the stamp of the build %s', (name) => {
  it('covers all modules that the code of the browser imports', () => {
    const { folders, files } = sources[name];
    const modules = new Set(
      [`src/${name}`, 'src/ui'].flatMap((folder) =>
        readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => /\.tsx?$/.test(file))
          .map((file) => path.join(folder, file)),
      ),
    );
    for (const file of modules) for (const imported of importsOf(file)) modules.add(imported);
    const isCovered = (file: string): boolean =>
      files.includes(file) || folders.some((folder) => file.startsWith(`${folder}/`));
    expect(modules).toContain('src/domain/money/money.ts');
    expect([...modules].filter((file) => !isCovered(file))).toEqual([]);
  });
});
