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
  const next = filesOf(read('docs/start/nextjs.md'));
  expect(next.map(([file]) => file)).toEqual([
    'lib/quittance.ts',
    'app/api/checkout/route.ts',
    'app/api/summary/route.ts',
    'app/api/webhooks/route.ts',
    'app/account/page.tsx',
  ]);
  const [server = '', account = ''] = codeIn(read('docs/react.md'));
  const files = [
    ...next,
    ['app/account/account.tsx', account],
    ['customer.ts', server],
    ['express.ts', codeIn(read('docs/start/express.md'))[0] ?? ''],
    ['package.json', '{ "type": "module" }'],
  ] as const;
  for (const [file, code] of files) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), code);
  }
  shop = await otherShop(t, 'Guides');
  const q = new Quittance({ baseUrl: t.url, apiKey: shop.key });
  const feature = await q.features.create({ code: 'api_calls', name: 'API calls', type: 'usage' });
  const plan = await q.plans.create({ name: 'Pro', code: 'pro' });
  await q.plans.priceAdd(plan.id, { billingInterval: 'monthly', price: 2_900 });
  await q.plans.featureAdd(plan.id, { featureId: feature.id, includedAmount: 1 });
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
    JSON.stringify({ compilerOptions, include: ['**/*.ts', '**/*.tsx'] }),
  );
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', project]).catch((error) => error);
  expect(stdout).toBe('');
});

describe('the routes for Next.js', () => {
  test('start a checkout, gate usage by the plan, and reject forged webhooks', async () => {
    // Next.js resolves imports without endings, Node doesn't.
    for (const [file, code] of filesOf(read('docs/start/nextjs.md')).filter(([name]) => name.endsWith('.ts')))
      writeFileSync(path.join(project, file), code.replaceAll("lib/quittance'", "lib/quittance.ts'"));
    writeFileSync(
      path.join(project, 'next.ts'),
      `const [name] = process.argv.slice(2);
      const { POST } = await import(\`./app/api/\${name}/route.ts\`);
      const response = await POST(new Request('https://app.example', { method: 'POST', body: 'One. Two.' }));
      console.log(JSON.stringify([response.status, await response.text()]));
      process.exit(0);\n`,
    );
    const post = async (name: string): Promise<[number, string]> => {
      const { stdout } = await run(process.execPath, ['--no-warnings', path.join(project, 'next.ts'), name], {
        env: environment(),
      });
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as [number, string];
    };
    expect(await post('summary')).toEqual([402, 'Upgrade your plan.']);
    const [status, url] = await post('checkout');
    expect([status, url]).toEqual([200, expect.stringContaining('/checkout/')]);
    expect(await pay(shop, url.split('/').at(-1) ?? '')).toBe('paid');
    expect(await post('summary')).toEqual([200, 'One']);
    expect(await post('summary')).toEqual([402, 'Upgrade your plan.']);
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
