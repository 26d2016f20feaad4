import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/harness.ts';

// Compiles and checks the package, and runs the examples of its guide against the service.

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');
const source = path.join(root, 'src/packages/sdk');
const folder = path.join(root, '.cache/packages/sdk');
const entries = ['index', 'llm/openai', 'llm/anthropic', 'llm/ai-sdk', 'llm/openrouter'];

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '-p', source, '--outDir', path.join(folder, 'dist')]);
  cpSync(path.join(source, 'package.json'), path.join(folder, 'package.json'));
});
afterAll(() => app.close());

/** Returns the size in bytes of a bundle of entries, minified and compressed. */
async function sizeOf(names: readonly string[]): Promise<number> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      lib: { entry: names.map((name) => path.join(folder, `dist/${name}.js`)), formats: ['es'] },
    },
  });
  const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  const code = outputs.map((output) => ('code' in output ? output.code : '')).join('\n');
  return gzipSync(code).length;
}

describe('the package', () => {
  test('passes publint without messages', async () => {
    const { messages } = await publint({ pkgDir: folder, strict: true, pack: false });
    expect(messages.map(({ code, path: at }) => `${code} ${at.join('.')}`)).toEqual([]);
  });

  test('has types that resolve for every entry (attw)', async () => {
    // The command fails if it finds a problem in a way of resolution that the profile includes.
    const { stdout } = await run(process.execPath, [
      path.join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
      ...['--pack', folder, '--profile', 'esm-only', '--format', 'json'],
    ]);
    const { analysis } = JSON.parse(stdout) as {
      analysis: {
        entrypoints: Record<string, { resolutions: Record<string, { resolution?: { fileName: string } }> }>;
      };
    };
    const resolved = Object.entries(analysis.entrypoints).map(([entry, { resolutions }]) => [
      entry,
      ...['node16-esm', 'bundler'].map((one) => resolutions[one]?.resolution?.fileName.split('/dist/')[1]),
    ]);
    expect(resolved).toEqual([
      ['.', 'index.d.ts', 'index.d.ts'],
      ...['openai', 'anthropic', 'ai-sdk', 'openrouter'].map((name) => [
        `./${name}`,
        `llm/${name}.d.ts`,
        `llm/${name}.d.ts`,
      ]),
      ['./package.json', undefined, undefined],
    ]);
  });

  test('stays within 12 KiB for the core entry, and 25 KiB for all entries, minified and compressed', async () => {
    expect(await sizeOf(['index'])).toBeLessThanOrEqual(12 * 1024);
    expect(await sizeOf(entries)).toBeLessThanOrEqual(25 * 1024);
  });

  test('uses no dependency and no module of Node.js', () => {
    const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
    expect(JSON.parse(text)).not.toHaveProperty('dependencies');
    const files = readdirSync(path.join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
    const code = files
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(path.join(folder, 'dist', file), 'utf8'))
      .join('\n');
    expect(code).not.toMatch(/from ['"](?!\.)|\bprocess\.|\bBuffer\b|\brequire\(/);
  });
});

describe('the guide of the client', () => {
  const guide = readFileSync(path.join(root, 'docs/sdk.md'), 'utf8');
  const examples = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);

  test('has examples that run against the service', async () => {
    const place = path.join(root, '.cache/packages/examples');
    rmSync(place, { recursive: true, force: true });
    mkdirSync(path.join(place, 'node_modules/@quittance'), { recursive: true });
    symlinkSync(folder, path.join(place, 'node_modules/@quittance/sdk'));
    writeFileSync(path.join(place, 'package.json'), '{ "type": "module" }');
    for (const [index, code] of examples.entries()) writeFileSync(path.join(place, `${index}.ts`), code);
    const main = examples.map((_code, index) => `await import('./${index}.ts');`).join('\n');
    writeFileSync(path.join(place, 'main.ts'), `${main}\nconsole.log('done');\nprocess.exit(0);\n`);
    const env = { ...process.env, QUITTANCE_URL: app.url, QUITTANCE_API_KEY: app.sandboxKey };
    const { stdout } = await run(process.execPath, ['--no-warnings', path.join(place, 'main.ts')], { env });
    expect(examples.length).toBeGreaterThanOrEqual(6);
    // The status of the subscription, the first page, the rejected email address, the status of a forged message, and the access.
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['active', '1 false', '400', 'false', 'done']));
  });
});
