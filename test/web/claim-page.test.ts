import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';

// Tests the HTML documents for claim and invitation links. `test/browser/people.test.ts` opens the links in a browser.

let t: TestApp;

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const get = (path: string, init: RequestInit = {}) => fetch(`${t.url}${path}`, init);

async function claimPath(): Promise<string> {
  const wish = { name: 'Acme 🧮', country: 'US', businessType: 'software' };
  const { body } = await t.rest<{ claimUrl: string }>('POST', '/provision', wish, {
    key: null,
    headers: { 'idempotency-key': randomUUID() },
  });
  expect(body.claimUrl.startsWith(`${t.url}/claim/`)).toBe(true);
  return new URL(body.claimUrl).pathname;
}

describe('the claim page', () => {
  it('shows the organization, the next step, and a sign-up form', async () => {
    const html = await (await get(await claimPath())).text();
    expect(html).toContain('<title>Claim Acme 🧮</title>');
    expect(html).toContain('<html lang="en"');
    expect(html).toContain('Take ownership of this organization. Its API keys keep working.');
    const labelled = [...html.matchAll(/<label[^>]* for="([^"]+)"/g)].map(([, id]) => id);
    expect(labelled).toEqual(['name', 'email', 'password']);
    expect(html).toMatch(/<input[^>]* autocomplete="new-password"/i);
    expect(html).not.toMatch(/<script(?![^>]* (?:src|type="application\/json"))|\sstyle=|\son\w+=/);
  });

  it("uses the language in the URL, or the browser's language if the URL has no language", async () => {
    const path = await claimPath();
    const spanish = { headers: { 'accept-language': 'es-MX,es;q=0.9,en;q=0.5' } };
    const html = await (await get(path, spanish)).text();
    expect(html).toContain('<html lang="es"');
    expect(html).toContain('Crear cuenta y hacerse con la propiedad');
    expect(await (await get(`${path}?locale=en`, spanish)).text()).toContain('<html lang="en"');
  });

  it.each(['/claim/some-token', '/invitation/some-token'])(
    'shows that the link is invalid for %s',
    async (path) => {
      const response = await get(path);
      const html = await response.text();
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(html).toContain("This link isn't valid. If you received a newer link, open that link instead.");
      expect(html).not.toContain('<form');
    },
  );

  it('is served only at its own path', async () => {
    for (const path of ['/claim', '/claim/', '/claim/a/b'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});
