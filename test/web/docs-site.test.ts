import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSite } from '../../src/web/site-files.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Requests to the documentation of a service without a dashboard, which serves all pages as Markdown.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

/** Returns the status, the media type, and the start of a response. */
async function ask(address: string, accept = '*/*'): Promise<readonly [number, string | null, string]> {
  const response = await fetch(`${t.url}${address}`, { headers: { accept }, redirect: 'manual' });
  return [response.status, response.headers.get('content-type'), (await response.text()).slice(0, 24)];
}

const markdown = 'text/markdown; charset=utf-8';

describe('a documentation page', () => {
  test.each([
    ['/docs', '*/*', '# Quittance documentatio'],
    ['/docs/', 'text/markdown', '# Quittance documentatio'],
    ['/docs/index.md', '*/*', '# Quittance documentatio'],
    ['/docs/guides/holds', 'text/html', '# Holds\n\nWith holds, you'],
    ['/docs/guides/holds.md', 'text/html', '# Holds\n\nWith holds, you'],
    ['/docs/events/invoice-created.md', '*/*', '# invoice.created\n\nAn in'],
    ['/docs/errors/duplicate.md', '*/*', '# duplicate\n\nA value tha'],
  ])('%s is Markdown for a client that accepts %s', async (address, accept, start) => {
    expect(await ask(address, accept)).toEqual([200, markdown, start]);
  });

  test.each(['/docs/nothing', '/docs/guides/nothing.md', '/docs/../package.json', '/docs/_astro/a.css'])(
    'is rejected at %s',
    async (address) => {
      const [status] = await ask(address);
      expect(status).toBe(404);
    },
  );

  test('has an address in the earlier form, which redirects', async () => {
    const response = await fetch(`${t.url}/docs/graphql`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs/reference']);
  });

  test("isn't sent again to a client with a current copy", async () => {
    const first = await fetch(`${t.url}/docs/guides/holds.md`);
    const tag = first.headers.get('etag') ?? '';
    const again = await fetch(`${t.url}/docs/guides/holds.md`, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describe('the list for language models', () => {
  test('contains one line for each page', async () => {
    const response = await fetch(`${t.url}/llms.txt`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    const lines = text.split('\n').filter((line) => line.startsWith('- ['));
    expect(lines.length).toBeGreaterThan(700);
    const [event = ''] = lines.filter((line) => line.includes('[invoice.created]'));
    expect(event).toMatch(
      /^- \[invoice\.created\]\(http:\/\/[^)]+\/docs\/events\/invoice-created\.md\): An invoice .+\.$/,
    );
  });

  test('has a long form with the text of the guides', async () => {
    const text = await (await fetch(`${t.url}/llms-full.txt`)).text();
    expect(text).toContain('# Webhooks\n');
    expect(text).not.toContain('# invoice.created\n');
  });
});

describe('a service whose public URL has a path', () => {
  const base = '/billing';
  let other: TestApp;
  let folder: string;
  beforeAll(async () => {
    other = await startApp({ own: true, env: { PUBLIC_URL: `https://shop.example${base}` } });
    folder = await mkdtemp(path.join(os.tmpdir(), 'site-'));
  });
  afterAll(() => Promise.all([other.close(), rm(folder, { recursive: true })]));

  test.each(['/docs/reference.md', '/docs/index.md', '/docs/errors.md', '/llms-full.txt'])(
    'starts the links in %s with the path',
    async (address) => {
      const text = await (await fetch(`${other.url}${address}`)).text();
      const targets = [...text.matchAll(/\]\((\/[^)\s]*)\)/g)].map(([, target = '']) => target);
      expect(targets.length).toBeGreaterThan(2);
      expect(targets.filter((target) => !target.startsWith(`${base}/`))).toEqual([]);
    },
  );

  test('starts the links and paths in HTML and scripts with the path', async () => {
    const html =
      '<link href="/docs/_astro/a.css"><a href="/openapi.json">a</a><a href="//x.example">b</a><script>go("/docs/b")</script>';
    await writeFile(path.join(folder, 'index.html'), html);
    await writeFile(path.join(folder, 'a.js'), 'load("/docs/pagefind"); print("/other")');
    const site = await readSite(folder, base);
    const page = (await site?.page(''))?.({ headers: { get: () => null } } as never);
    expect(String(page?.body)).toBe(
      '<link href="/billing/docs/_astro/a.css"><a href="/billing/openapi.json">a</a><a href="//x.example">b</a><script>go("/billing/docs/b")</script>',
    );
    const script = await site?.file('a.js');
    expect(String(script?.body)).toBe('load("/billing/docs/pagefind"); print("/other")');
    // The same bytes are served each time, so that they are decompressed and compressed only once.
    expect((await site?.file('a.js'))?.body).toBe(script?.body);
  });
});
