import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { sitePages } from '../../src/site/pages.ts';
import { root } from '../support/server-source.ts';

// Compiles each TypeScript example of the reference against the types of the client.

const folder = await mkdtemp(path.join(root, '.cache/examples-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the TypeScript examples of the reference match the types of the client', {
  timeout: 120_000,
}, async () => {
  const examples = sitePages(schema)
    .filter(({ section }) => section === 'Reference')
    .flatMap((page) => [...page.body().matchAll(/```ts\n([\s\S]*?)\n```/g)].map(([, code]) => code));
  expect(examples.length).toBeGreaterThan(150);
  const functions = examples.map((code, index) => `export async function example${index}() {\n${code}\n}`);
  await writeFile(
    path.join(folder, 'examples.ts'),
    `import { Quittance } from '@quittance/sdk';\nconst q = new Quittance({ baseUrl: '', apiKey: '' });\n${functions.join('\n')}\n`,
  );
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: {
        noUnusedLocals: false,
        paths: { '@quittance/sdk': [path.join(root, 'src/packages/sdk/index.ts')] },
      },
      include: ['examples.ts'],
      exclude: [],
    }),
  );
  const run = promisify(execFile)('tsc', ['-p', folder], { cwd: root });
  const failure = await run.then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(failure).toBe('');
});
