import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownTexts } from '../../src/graphql/declare/trusted-documents.ts';
import { dashboardRoutes } from '../../src/web/dashboard.ts';
import { sentOperations } from '../../src/web/documents-plugin.ts';
import type { BuildState } from '../../src/web/web-build.ts';
import { startDashboard } from '../support/dashboard.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { memberOf } from '../support/people.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startDashboard({ PUBLIC_URL: 'http://127.0.0.1/billing' });
});
afterAll(() => t.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${t.url}${path}`, { headers, redirect: 'manual' });

const scriptOf = (html: string): string =>
  /<script type="module" src="\/billing(\/web\/[^"]+)"/.exec(html)?.[1] ?? '';

describe('the dashboard', () => {
  it('redirects browsers from the root path, and responds with 404 to API clients', async () => {
    const browser = await get('/', { accept: 'text/html,application/xhtml+xml' });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/billing/dashboard']);
    expect((await get('/', { accept: 'application/json' })).status).toBe(404);
    expect((await get('/')).status).toBe(404);
  });

  it('serves the same document at every path, with a new nonce and a strict content security policy', async () => {
    const [first, second] = await Promise.all([get('/dashboard'), get('/dashboard/sandbox/customers/x')]);
    const nonces = [first, second].map(
      (response) => /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1] ?? '',
    );
    expect(first.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonces[0]}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(new Set(nonces).size).toBe(2);
    const [html, other] = await Promise.all([first.text(), second.text()]);
    expect(html.replaceAll(nonces[0] ?? '', '')).toBe(other.replaceAll(nonces[1] ?? '', ''));
    expect(html).toContain(`<meta property="csp-nonce" nonce="${nonces[0]}" content="${nonces[0]}">`);
    expect(html).not.toMatch(/<script(?![^>]* src=)|\sstyle=|\son\w+=/);
    expect(first.headers.get('cache-control')).toBe('no-cache');
  });

  it('serves static files that are compressed at build time and can be cached permanently', async () => {
    const address = scriptOf(await (await get('/dashboard')).text());
    const [brotli, gzip, plain] = await Promise.all(
      ['br', 'gzip', 'identity'].map((each) => get(address, { 'accept-encoding': each })),
    );
    for (const response of [brotli, gzip, plain])
      expect(response?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect([brotli, gzip, plain].map((each) => each?.headers.get('content-encoding') ?? null)).toEqual([
      'br',
      'gzip',
      null,
    ]);
    const texts = await Promise.all([brotli, gzip, plain].map((each) => each?.text()));
    expect(new Set(texts).size).toBe(1);
    for (const path of ['/web/manifest.json', '/web/none.js', `${address}.br`, '/web/..%2Fpackage.json'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it.each([
    [{ 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' }, 'es', 'system', 'compact'],
    [{ 'accept-language': 'fr, en;q=0.5, es;q=0.7' }, 'es', 'system', 'compact'],
    [{ 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' }, 'pt-BR', 'system', 'compact'],
    [{ 'accept-language': 'en', cookie: 'quittance-language=pt_BR' }, 'pt-BR', 'system', 'compact'],
    [{ 'accept-language': 'ja' }, 'en', 'system', 'compact'],
    [
      {
        'accept-language': 'es',
        cookie: 'quittance-language=en; quittance-theme=dark; quittance-density=cosy',
      },
      'en',
      'dark',
      'cosy',
    ],
    [{ cookie: 'quittance-theme="><script>; quittance-language=xx' }, 'en', 'system', 'compact'],
  ])(
    'uses the language, theme, and density of a browser that sends %j',
    async (headers, language, theme, density) => {
      const html = await (await get('/dashboard', headers)).text();
      expect(html).toContain(
        `<html lang="${language}" dir="ltr" data-theme="${theme}" data-density="${density}">`,
      );
    },
  );

  it('responds with 404 if the DASHBOARD setting turns it off', async () => {
    const other = await startApp({ env: { DASHBOARD: 'off' } });
    for (const path of ['/dashboard', '/', '/web/x.js'])
      expect((await fetch(`${other.url}${path}`, { headers: { accept: 'text/html' } })).status).toBe(404);
    await other.close();
  });

  it('works with a service that accepts only trusted documents from members', async () => {
    const other = await startDashboard({ TRUSTED_DOCUMENTS: 'only' });
    const { headers } = await memberOf(other, other.organizationId, 'admin');
    const file = path.resolve(import.meta.dirname, '../../src/dashboard/data/session.graphql');
    const known = (await sentOperations(file)).find(({ name }) => name === 'CurrentOrganization')?.text ?? '';
    const organization = { id: other.organizationId, name: 'Test organization', __typename: 'Organization' };
    expect(await other.graphql(known, {}, { key: null, headers })).toMatchObject({ organization });
    const { errors } = await other.graphqlFailure('{ organization { name } }', {}, { key: null, headers });
    expect(errors[0]?.extensions['code']).toBe('forbidden');
    await other.close();
  });

  it('responds with a page that reloads until the build is finished, and reports a failed build', async () => {
    const states: BuildState[] = [{ status: 'building' }, { status: 'failed' }];
    const routes = dashboardRoutes(
      {
        state: async () => states.shift() ?? { status: 'failed' },
        finished: async () => null,
        documents: knownTexts([]),
        close: () => undefined,
      },
      '',
    );
    const page = routes.find(({ path: pattern }) => pattern === '/dashboard/*');
    const building = await page?.answer(new Request('http://x/dashboard') as never, []);
    const failed = await page?.answer(new Request('http://x/dashboard') as never, []);
    expect([building?.status, building?.headers['Retry-After'], failed?.status]).toEqual([503, '1', 503]);
    expect(String(building?.body)).toContain('<meta http-equiv="refresh" content="1">');
    expect(String(building?.body)).toContain('The dashboard is being built.');
    expect(String(failed?.body)).toContain('The dashboard could not be built.');
    expect(building?.headers['Content-Security-Policy']).toMatch(/^default-src 'none'; form-action 'none'/);
  });
});
