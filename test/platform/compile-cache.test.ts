import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'quittance-compiled-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const source = path.resolve(import.meta.dirname, '../../src/platform/compile-cache.ts');

/** Runs a program that asks for the cache in a folder, then imports a file; answers what it prints. */
async function run(folder: string): Promise<string> {
  const program = path.join(directory, 'program.ts');
  const imported = path.join(directory, 'imported.ts');
  await writeFile(imported, `export const answer: number = 42;\n`);
  await writeFile(
    program,
    `import { keepCompiled } from ${JSON.stringify(source)};
const keeps = keepCompiled(${JSON.stringify(folder)});
const { answer } = await import(${JSON.stringify(imported)});
console.log(keeps, answer);
`,
  );
  const env = { PATH: process.env['PATH'] ?? '' };
  return (await promisify(execFile)(process.execPath, [program], { env })).stdout.trim();
}

describe('compiled code', () => {
  it('is kept in the folder', async () => {
    const folder = path.join(directory, 'kept');
    expect(await run(folder)).toBe('true 42');
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile()).length).toBeGreaterThan(0);
  });

  it('is not kept where the folder cannot be made, and runs all the same', async () => {
    const file = path.join(directory, 'file');
    await writeFile(file, '');
    expect(await run(path.join(file, 'folder'))).toBe('false 42');
  });
});
