import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';
import { createActiveSubscription, firstShop, openPortal } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { operationsIn } from '../support/page-scripts.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const get = (path: string, init: RequestInit = {}) => fetch(`${t.url}${path}`, init);
const textOf = async (path: string): Promise<string> => (await get(path)).text();

/** The scripts of the page, as one text. */
const scripts = async (): Promise<string> =>
  (
    await Promise.all(
      [
        'authentication',
        'documents',
        'portal',
        'portal-documents',
        'portal-ask',
        'portal-card',
        'portal-extras',
        'portal-plan',
        'portal-preview',
        'portal-show',
      ].map((name) => textOf(`/assets/${name}.js`)),
    )
  ).join('\n');

describe('the portal page', () => {
  it('is one document for every token, dead or alive, allowed to load and call its own origin and that of the card fields only', async () => {
    const response = await get('/portal/some.page.token');
    expect(response.status).toBe(200);
    const names = [
      'content-type',
      'content-security-policy',
      'referrer-policy',
      'x-robots-tag',
      'x-frame-options',
    ];
    expect(names.map((name) => response.headers.get(name))).toEqual([
      'text/html; charset=utf-8',
      "default-src 'none'; script-src 'self' https://js.stripe.com; style-src 'self'; img-src https:; connect-src 'self' https://api.stripe.com; frame-src https://js.stripe.com https://hooks.stripe.com; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
      'no-referrer',
      'noindex',
      'DENY',
    ]);
    const html = await response.text();
    expect(html).toBe(await textOf('/portal/another.page.token'));
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(loaded).toEqual(['/assets/page.css', '/assets/portal.css', '/assets/portal.js']);
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  });

  it('labels every input, names every section and has every element its script speaks of', async () => {
    const html = await textOf('/portal/x.y.z');
    const script = `${await scripts()}${await textOf('/assets/page.js')}`;
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const labelled = new Set([...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id));
    expect(
      [...html.matchAll(/<(?:input|textarea) id="([^"]+)"/g)]
        .map(([, id]) => id)
        .filter((id) => !labelled.has(id)),
    ).toEqual([]);
    expect(labelled.size).toBe(12);
    const references = [...html.matchAll(/aria-(?:labelledby|describedby)="([^"]+)"/g)].map(([, id]) => id);
    expect(references.filter((id) => !ids.has(id))).toEqual([]);
    const spoken = [...script.matchAll(/(?:element|input|getElementById)\('([^']+)'\)/g)].map(([, id]) => id);
    expect(spoken.length).toBeGreaterThan(30);
    expect(spoken.filter((id) => !ids.has(id ?? ''))).toEqual([]);
  });

  it('puts nothing into the document but text: no HTML is made from what the service says', async () => {
    expect(await scripts()).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|localStorage|sessionStorage|cookie/,
    );
  });

  it('asks only for what the API has, with its token as Bearer', async () => {
    const requested = operationsIn(await scripts());
    expect(requested.map((text) => /^\w+ (\w+)/.exec(text)?.[1])).toEqual([
      'Portal',
      'Earlier',
      'Cancel',
      'Undo',
      'Reactivate',
      'Retry',
      'Store',
      'Authenticate',
      'Billing',
      'Addon',
      'Off',
      'Credits',
      'TopUp',
      'Move',
      'Keep',
      'Preview',
    ]);
    for (const text of requested) expect(validate(schema, parse(text))).toEqual([]);
    const shop = firstShop(t);
    const { customerId } = await createActiveSubscription(shop);
    const options = { key: null, headers: { authorization: `Bearer ${await openPortal(shop, customerId)}` } };
    const variables: Record<string, unknown>[] = [
      {},
      { after: 'MS4x' },
      { input: { reason: 'moved' } },
      { input: {} },
    ];
    for (const [index, provided] of variables.entries())
      expect(await t.graphql(requested[index] ?? '', provided, options)).toBeTypeOf('object');
  });

  it('takes no writes, and has no other address', async () => {
    const rejected = await get('/portal/x', { method: 'POST' });
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const path of ['/portal', '/portal/', '/portal/a/b'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});
