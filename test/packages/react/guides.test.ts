import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Quittance } from '../../../src/packages/sdk/index.ts';
import { otherShop, pay, type Shop } from '../../support/factories.ts';
import { freePort } from '../../support/free-port.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { compiledPackage, root, run } from '../sdk/support/compiled.ts';

// The quickstarts for frameworks: their code compiles with the packages, and their routes run against the service. The frameworks aren't installed.

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const codeIn = (text: string): string[] =>
  [...text.matchAll(/```tsx?\n([\s\S]*?)```/g)].map(([, code = '']) => code);

/** Returns the files that a page creates, by path. */
const filesOf = (text: string): [string, string][] =>
  [...text.matchAll(/Create `([\w/.]+)`[\s\S]*?```tsx?\n([\s\S]*?)```/g)].map(([, file = '', code = '']) => [
    file,
    code,
  ]);

let t: TestApp;
let shop: Shop;
let project: string;
beforeAll(async () => {
  t = await startApp();
  project = path.join(root, '.cache/packages/guides');
  rmSync(project, { recursive: true, force: true });
  mkdirSync(path.join(project, 'node_modules/@quittance'), { recursive: true });
  for (const name of ['sdk', 'react'] as const)
    symlinkSync(
      await compiledPackage(`guides-${name}`, name),
      path.join(project, 'node_modules/@quittance', name),
    );
  // Only the function of Next.js that the page imports.
  const stub = path.join(project, 'node_modules/next');
  mkdirSync(stub);
  writeFileSync(
    path.join(stub, 'package.json'),
    '{ "name": "next", "exports": { "./server": "./server.mjs" } }',
  );
  writeFileSync(path.join(stub, 'server.mjs'), 'export const connection = async () => undefined;');
  writeFileSync(path.join(stub, 'server.d.mts'), 'export declare function connection(): Promise<void>;');
  const next = filesOf(read('docs/start/nextjs.md'));
  expect(next.map(([file]) => file)).toEqual([
    'lib/setup.mts',
    'lib/quittance.ts',
    'lib/user.ts',
    'app/api/checkout/route.ts',
    'app/api/portal/route.ts',
    'app/api/summary/route.ts',
    'app/api/webhooks/route.ts',
    'app/api/customer/route.ts',
    'app/account/account.tsx',
    'app/account/page.tsx',
  ]);
  const [server = '', account = ''] = codeIn(read('docs/react.md'));
  const files = [
    ...next,
    ['account.tsx', account],
    ['customer.ts', server],
    ['express.ts', codeIn(read('docs/start/express.md'))[0] ?? ''],
    ['package.json', '{ "type": "module" }'],
  ] as const;
  for (const [file, code] of files) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), code);
  }
  shop = await otherShop(t, 'Guides');
  await run(process.execPath, ['--no-warnings', path.join(project, 'lib/setup.mts')], { env: environment() });
  // The limit is reached after one unit.
  const q = new Quittance({ baseUrl: t.url, apiKey: shop.key });
  for await (const { id } of q.features.list())
    await q.plans.featureUpdate('pro', id, { includedAmount: 1, overage: { enabled: false } });
});
afterAll(() => t.close());

const environment = () => ({
  ...process.env,
  QUITTANCE_URL: t.url,
  QUITTANCE_API_KEY: shop.key,
  QUITTANCE_WEBHOOK_SECRET: 'whsec_AAAA',
});

test('the code of the pages compiles with the packages', async () => {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, exactOptionalPropertyTypes: true },
    ...{ target: 'esnext', module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx', types: ['node'] },
    lib: ['esnext', 'dom', 'dom.iterable'],
  };
  writeFileSync(
    path.join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['**/*.ts', '**/*.mts', '**/*.tsx'] }),
  );
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', project]).catch((error) => error);
  expect(stdout).toBe('');
});

test.each([
  ['docs/start/nextjs.md', 'app/account/account.tsx'],
  ['docs/react.md', 'account.tsx'],
])('the component in %s runs in the browser and reports failed responses', (_page, file) => {
  const code = readFileSync(path.join(project, file), 'utf8');
  expect(code.startsWith("'use client';")).toBe(true);
  expect(code.match(/fetch\(/g)).toHaveLength(1);
  expect(code).toContain('if (!response.ok) throw');
});

describe('the routes for Next.js', () => {
  test('create the plan, start a checkout, gate usage by the plan, show the usage, open the portal, and reject forged webhooks', async () => {
    // Next.js resolves imports without endings, Node doesn't.
    for (const [file, code] of filesOf(read('docs/start/nextjs.md')).filter(([name]) => name.endsWith('.ts')))
      writeFileSync(path.join(project, file), code.replaceAll(/lib\/(quittance|user)'/g, "lib/$1.ts'"));
    writeFileSync(
      path.join(project, 'next.ts'),
      `const [name, method = 'POST'] = process.argv.slice(2);
      const route = await import(\`./app/api/\${name}/route.ts\`);
      const body = method === 'POST' ? { body: 'One. Two.' } : {};
      const response = await route[method](new Request('https://app.example', { method, ...body }), { params: Promise.resolve({}) });
      console.log(JSON.stringify([response.status, await response.text()]));
      process.exit(0);\n`,
    );
    const call = async (name: string, method: 'GET' | 'POST'): Promise<[number, string]> => {
      const words = ['--no-warnings', path.join(project, 'next.ts'), name, method];
      const { stdout } = await run(process.execPath, words, { env: environment() });
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as [number, string];
    };
    const post = (name: string) => call(name, 'POST');
    /** Returns the access that the page in the browser gets. */
    const access = async (): Promise<unknown> => JSON.parse((await call('customer', 'GET'))[1]);
    expect(await access()).toEqual({ customerId: 'ada', features: {} });
    expect(await post('summary')).toEqual([402, 'Upgrade your plan.']);
    const [status, url] = await post('checkout');
    expect([status, url]).toEqual([200, expect.stringContaining('/checkout/')]);
    expect(await pay(shop, url.split('/').at(-1) ?? '')).toBe('paid');
    expect(await post('summary')).toEqual([200, 'One']);
    expect(await post('summary')).toEqual([402, 'Upgrade your plan.']);
    expect(await access()).toMatchObject({
      customerId: 'ada',
      features: { api_calls: { name: 'API calls', used: 1, included: 1 } },
    });
    expect(await post('portal')).toEqual([200, expect.stringContaining('/portal/')]);
    const [rejected] = await post('webhooks');
    expect(rejected).toBe(400);
  });
});

describe('the app for Express and Node.js', () => {
  let server: ChildProcess;
  afterAll(() => void server.kill());

  test('starts a checkout, gates usage by the plan, and rejects forged webhooks', async () => {
    const port = await freePort();
    server = spawn(process.execPath, ['--no-warnings', path.join(project, 'express.ts')], {
      env: { ...environment(), PORT: String(port) },
      stdio: 'ignore',
    });
    const post = async (route: string, body = 'One. Two.'): Promise<[number, string]> => {
      const headers = { 'x-user': 'grace' };
      const response = await fetch(`http://127.0.0.1:${port}${route}`, { method: 'POST', body, headers });
      return [response.status, await response.text()];
    };
    await expect.poll(() => post('/summary').catch(() => null)).toEqual([402, 'Upgrade your plan.']);
    const [, url] = await post('/checkout');
    expect(await pay(shop, url.split('/').at(-1) ?? '')).toBe('paid');
    expect([await post('/summary'), await post('/summary')]).toEqual([
      [200, 'One'],
      [402, 'Upgrade your plan.'],
    ]);
    expect((await post('/webhooks', '{}'))[0]).toBe(400);
  });
});
