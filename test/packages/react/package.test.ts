import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCustomer } from '../../../src/packages/react/server.ts';
import { Quittance } from '../../../src/packages/sdk/index.ts';
import { createCustomer, otherShop } from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { compiledPackage, projectWith, root, run } from '../sdk/support/compiled.ts';

// Compiles and checks the React package, renders it on a server, and reads access from the service.

let t: TestApp;
let folder: string;
beforeAll(async () => {
  t = await startApp();
  folder = await compiledPackage('react', 'react');
});
afterAll(() => t.close());

describe('the package', () => {
  test('passes publint without messages', async () => {
    const { messages } = await publint({ pkgDir: folder, strict: true, pack: false });
    expect(messages.map(({ code, path: at }) => `${code} ${at.join('.')}`)).toEqual([]);
  });

  test('has types that resolve for every entry (attw)', async () => {
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
      ['./server', 'server.d.ts', 'server.d.ts'],
      ['./package.json', undefined, undefined],
    ]);
  });

  test('contains only the compiled files', async () => {
    const { stdout } = await run('npm', ['pack', folder, '--dry-run', '--json'], { cwd: root });
    const [{ files }] = JSON.parse(stdout) as [{ files: readonly { readonly path: string }[] }];
    const paths = files.map((file) => file.path);
    expect(paths.filter((file) => !/^dist\/.+\.(?:js|d\.ts)$/.test(file))).toEqual(['package.json']);
    expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/server.js']));
  });

  test('stays within 10 KiB without React, minified and compressed', async () => {
    const result = await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        minify: true,
        lib: { entry: path.join(folder, 'dist/index.js'), formats: ['es'] },
        rolldownOptions: { external: ['react', 'react/jsx-runtime'] },
      },
    });
    const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
    const code = outputs.map((output) => ('code' in output ? output.code : '')).join('\n');
    expect(code).toContain('QuittanceProvider');
    expect(gzipSync(code).length).toBeLessThanOrEqual(10 * 1024);
  });

  test('renders on a server from data, without a browser', async () => {
    const project = projectWith('react-server', folder, {}, 'react');
    const script = `
      import { createElement as h } from 'react';
      import { renderToString } from 'react-dom/server';
      import { Entitled, QuittanceProvider, UsageMeter } from '@quittance/react';
      const calls = { name: 'API calls', unitName: null, allowed: true, used: 5, included: 10, available: 5 };
      const customer = { customerId: 'ada', features: { calls } };
      const children = [h(Entitled, { key: 1, feature: 'calls' }, 'open'), h(UsageMeter, { key: 2, feature: 'calls' })];
      console.log(renderToString(h(QuittanceProvider, { customer, refresh: fetch }, children)));`;
    writeFileSync(path.join(project, 'main.js'), script);
    const { stdout } = await run(process.execPath, [path.join(project, 'main.js')]);
    expect(stdout).toContain('open<div class="quittance-usage">');
    expect(stdout).toContain('5 of 10 used');
  });
});

describe('the access that a server reads', () => {
  test('contains booleans, included units, overage, and nothing without a subscription', async () => {
    const shop = await otherShop(t, 'React');
    const q = new Quittance({ baseUrl: t.url, apiKey: shop.key });
    const { externalId: customerId } = await createCustomer(shop);
    expect(await readCustomer(q, customerId)).toEqual({ customerId, features: {} });
    expect(await readCustomer(q, 'nobody')).toEqual({ customerId: 'nobody', features: {} });
    const plan = await q.plans.create({ name: 'Free', code: 'free', isFree: true });
    for (const [code, type] of [
      ['sso', 'boolean'],
      ['calls', 'usage'],
    ] as const) {
      const { id } = await q.features.create({ code, name: code, type });
      await q.plans.featureAdd(plan.id, {
        featureId: id,
        ...(type === 'usage' ? { includedAmount: 10 } : {}),
      });
    }
    await q.subscriptions.create({ customerId, planId: plan.id });
    await q.usage.track({ customerId, featureCode: 'calls', value: 4, eventId: 'first' });
    const { features } = await readCustomer(q, customerId);
    expect(features).toEqual({
      sso: { name: 'sso', unitName: null, allowed: true, used: null, included: null, available: null },
      calls: { name: 'calls', unitName: null, allowed: true, used: 4, included: 10, available: 6 },
    });
    expect(JSON.parse(JSON.stringify(features))).toEqual(features);
  });

  test('throws other errors of the service', async () => {
    const q = new Quittance({ baseUrl: t.url, apiKey: 'ck_sandbox_wrong' });
    await expect(readCustomer(q, 'ada')).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
