import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/harness.ts';
import { compiledPackage, projectWith, root, run } from './support/compiled.ts';

// Compiles and checks the package, and runs the examples of its guide against the service.

const entries = ['index', 'llm/openai', 'llm/anthropic', 'llm/ai-sdk', 'llm/openrouter'];

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startApp();
  folder = await compiledPackage('sdk');
});
afterAll(() => app.close());

/** Returns a bundle of entries, minified. */
async function bundleOf(names: readonly string[], format: 'es' | 'iife'): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      lib: {
        entry: names.map((name) => path.join(folder, `dist/${name}.js`)),
        formats: [format],
        name: 'sdk',
      },
    },
  });
  const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  return outputs.map((output) => ('code' in output ? output.code : '')).join('\n');
}

const compressedSizeOf = async (names: readonly string[]): Promise<number> =>
  gzipSync(await bundleOf(names, 'es')).length;

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

  test('contains only the compiled files', async () => {
    const { stdout } = await run('npm', ['pack', folder, '--dry-run', '--json'], { cwd: root });
    const [{ files }] = JSON.parse(stdout) as [{ files: readonly { readonly path: string }[] }];
    const paths = files.map((file) => file.path);
    expect(paths.filter((file) => !/^dist\/.+\.(?:js|d\.ts)$/.test(file))).toEqual(['package.json']);
    expect(paths).toEqual(
      expect.arrayContaining(entries.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`])),
    );
  });

  test('stays within 12 KiB for the core entry, and 25 KiB for all entries, minified and compressed', async () => {
    expect(await compressedSizeOf(['index'])).toBeLessThanOrEqual(12 * 1024);
    expect(await compressedSizeOf(entries)).toBeLessThanOrEqual(25 * 1024);
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

  test('runs in an environment that has only web APIs', async () => {
    const webApis = {
      ...{ AbortController, AbortSignal, Blob, Headers, ReadableStream, Request, Response },
      ...{ TextDecoder, TextEncoder, URL, URLSearchParams, WebSocket, atob, crypto, fetch },
      ...{ clearInterval, clearTimeout, setInterval, setTimeout },
    };
    const context = createContext({ ...webApis, options: { baseUrl: app.url, apiKey: app.sandboxKey } });
    runInContext(await bundleOf(['index'], 'iife'), context);
    const script = `(async () => {
      const q = new sdk.Quittance(options);
      const { email } = await q.customers.create({ email: 'web@example.com' }, { dryRun: true });
      const emails = [];
      for await (const customer of q.customers.list({ limit: 1 })) emails.push(customer.email);
      const access = q.entitlements('web');
      const canUse = await access.can('sso');
      access.close();
      const forged = await sdk.webhooks.handler({}, { secret: 'whsec_AAAA' })(
        new Request('https://app.example.com', { method: 'POST', body: '{}' }),
      );
      return JSON.stringify([email, emails, canUse, forged.status]);
    })()`;
    const result: unknown = await runInContext(script, context);
    expect(JSON.parse(String(result))).toEqual(['web@example.com', [], false, 400]);
  });
});

describe('the guide of the client', () => {
  const guide = readFileSync(path.join(root, 'docs/sdk.md'), 'utf8');
  const examples = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const example = (index: number): string => `example-${index}.ts`;

  test('has examples that run against the service', async () => {
    const main = examples.map((_code, index) => `await import('./${example(index)}');`).join('\n');
    const project = projectWith('guide', folder, {
      ...Object.fromEntries(examples.map((code, index) => [example(index), code])),
      'main.ts': `${main}\nconsole.log('done');\nprocess.exit(0);\n`,
    });
    const env = { ...process.env, QUITTANCE_URL: app.url, QUITTANCE_API_KEY: app.sandboxKey };
    const { stdout } = await run(process.execPath, ['--no-warnings', path.join(project, 'main.ts')], { env });
    // The subscription, the first page, all pages, the rejected email address, a forged message, an event, and the access.
    expect(stdout.split('\n')).toEqual([
      'active',
      '1 false',
      expect.stringMatching(/^cus_\w+ ada@example.com$/),
      expect.stringMatching(/^email \[ \{ field: 'email', .* \} \] [0-9a-f-]{36}$/),
      '400',
      'customer.created ada@example.com true',
      'false',
      'done',
      '',
    ]);
  });

  test('has examples whose types are correct', async () => {
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, exactOptionalPropertyTypes: true },
      ...{ target: 'esnext', module: 'nodenext', types: ['node'] },
    };
    const project = projectWith('guide-types', folder, {
      ...Object.fromEntries(examples.map((code, index) => [example(index), code])),
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    });
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', project]).catch((error) => error);
    expect(stdout).toBe('');
    expect(examples.length).toBe(8);
  });
});
