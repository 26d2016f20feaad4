import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { operationsIn } from '../support/page-scripts.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const get = (path: string, init: RequestInit = {}) => fetch(`${t.url}${path}`, init);

describe('the checkout page', () => {
  it("is one document for every token, allowed to load and call its own origin only, and Stripe's for its card fields", async () => {
    const response = await get('/checkout/some.page.token');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self' https://js.stripe.com; style-src 'self'; img-src https:; connect-src 'self' https://api.stripe.com; frame-src https://js.stripe.com https://hooks.stripe.com; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const html = await response.text();
    expect(html).toBe(await (await get('/checkout/another')).text());
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(loaded).toEqual(['/assets/page.css', '/assets/checkout.css', '/assets/checkout.js']);
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  });

  it('labels every input and has every element its script speaks of', async () => {
    const html = await (await get('/checkout/x')).text();
    const texts = ['checkout', 'payment', 'page', 'authentication'].map(async (name) =>
      (await get(`/assets/${name}.js`)).text(),
    );
    const script = (await Promise.all(texts)).join('\n');
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const labelled = new Set([...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id));
    const inputs = [...html.matchAll(/<(?:input|select) id="([^"]+)"/g)].map(([, id]) => id);
    expect(inputs).toHaveLength(10);
    expect(inputs.filter((id) => !labelled.has(id) || !ids.has(`${id}-problem`))).toEqual([]);
    const spoken = [...script.matchAll(/(?:element|input|getElementById)\('([^']+)'\)/g)].map(([, id]) => id);
    expect(spoken.length).toBeGreaterThan(20);
    expect(spoken.filter((id) => !ids.has(id ?? ''))).toEqual([]);
  });

  it('asks only for what the API has', async () => {
    const script = `${await (await get('/assets/documents.js')).text()}\n${await (await get('/assets/checkout-documents.js')).text()}`;
    const operations = operationsIn(script);
    expect(operations).toHaveLength(4);
    for (const operation of operations) {
      // Without variables nothing runs; a field the schema lacks would be told instead of the missing variable.
      const { errors } = await t.graphqlFailure(operation, {}, { key: null });
      expect(errors.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^(token|input): is required\.$/),
      ]);
    }
  });
});

describe('its files', () => {
  it.each([
    ['/assets/checkout.js', 'text/javascript; charset=utf-8'],
    ['/assets/checkout.css', 'text/css; charset=utf-8'],
    ['/assets/stripe.js', 'text/javascript; charset=utf-8'],
    ['/assets/page.js', 'text/javascript; charset=utf-8'],
    ['/assets/page.css', 'text/css; charset=utf-8'],
    ['/assets/portal.js', 'text/javascript; charset=utf-8'],
    ['/assets/portal.css', 'text/css; charset=utf-8'],
  ])('%s is served with its type, and 304 to a browser that has it', async (path, type) => {
    const first = await get(path);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, type]);
    const tag = first.headers.get('etag') ?? '';
    const second = await get(path, { headers: { 'if-none-match': tag } });
    expect([second.status, await second.text()]).toEqual([304, '']);
  });

  it('take no writes, and there are no others', async () => {
    const rejected = await get('/checkout/x', { method: 'POST' });
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const path of [
      '/checkout',
      '/checkout/',
      '/checkout/a/b',
      '/assets/other.js',
      '/assets/../package.json',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});
