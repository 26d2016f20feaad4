import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { account, cookiesOf, password } from '../support/people.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const get = (path: string) => fetch(`${t.url}${path}`);

describe('the claim page', () => {
  it('is one document for every link, allowed to load and call its own origin only', async () => {
    const response = await get('/claim/some-token');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const html = await response.text();
    for (const path of ['/claim/another', '/invitation/another'])
      expect(await (await get(path)).text()).toBe(html);
    expect([...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      '/assets/page.css',
      '/assets/claim.css',
      '/assets/claim.js',
    ]);
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    for (const path of ['/claim', '/claim/', '/claim/a/b'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('labels every input and has every element its script speaks of', async () => {
    const html = await (await get('/claim/x')).text();
    const script = await (await get('/assets/claim.js')).text();
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const labelled = new Set([...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id));
    const inputs = [...html.matchAll(/<input id="([^"]+)"/g)].map(([, id]) => id);
    expect(inputs).toEqual(['name', 'email', 'password']);
    expect(inputs.filter((id) => !labelled.has(id) || !ids.has(`${id}-problem`))).toEqual([]);
    const spoken = [...script.matchAll(/(?:element|input|getElementById)\('([^']+)'\)/g)].map(([, id]) => id);
    expect(spoken.length).toBeGreaterThan(10);
    expect(spoken.filter((id) => !ids.has(id ?? ''))).toEqual([]);
  });

  it('does what its script does: reads the link, makes an account, takes ownership, finds it claimed', async () => {
    const script = await (await get('/assets/claim-documents.js')).text();
    const operations = [...script.matchAll(/= `((?:query|mutation)[^`]+)`/g)].map(([, text]) => text ?? '');
    const named = (name: string) =>
      operations.find((text) => new RegExp(`^(query|mutation) ${name}\\b`).test(text)) ?? '';
    const claim = operations.find((text) => text.startsWith('mutation Claim')) ?? '';
    expect(operations).toHaveLength(5);
    const wish = { name: 'Acme 🧮', country: 'US', businessType: 'software' };
    const { body } = await t.rest<{ claimUrl: string }>('POST', '/provision', wish, {
      key: null,
      headers: { 'idempotency-key': randomUUID() },
    });
    expect(body.claimUrl.startsWith(`${t.url}/claim/`)).toBe(true);
    const token = body.claimUrl.split('/').at(-1) ?? '';
    const link = () => t.graphql(named('Claim'), { token }, { key: null });
    expect(await link()).toEqual({ claimLink: { organizationName: 'Acme 🧮', status: 'open' } });
    const csrf = { 'x-quittance-csrf': '1' };
    const nobody = await t.graphqlFailure(named('Viewer'), {}, { key: null, headers: csrf });
    expect(nobody.errors[0]?.extensions['code']).toBe('unauthorized');
    const proof = { email: 'ada@people.test', password };
    expect((await account(t, '/sign-up/email', { name: 'Ada', ...proof }, csrf)).status).toBe(200);
    const headers = { ...csrf, cookie: cookiesOf(await account(t, '/sign-in/email', proof, csrf)) };
    expect(await t.graphql(named('Viewer'), {}, { key: null, headers })).toEqual({
      viewer: { email: 'ada@people.test' },
    });
    expect(await t.graphql(claim, { input: { token } }, { key: null, headers })).toEqual({
      organizationClaim: { organizationName: 'Acme 🧮' },
    });
    expect(await link()).toEqual({ claimLink: { organizationName: 'Acme 🧮', status: 'claimed' } });
    for (const [name, input] of [
      ['Invitation', { token }],
      ['Accept', { input: { token } }],
    ] as const) {
      const { errors } = await t.graphqlFailure(named(name), input, { key: null, headers });
      expect(errors[0]?.extensions['code']).toBe('not_found');
    }
  });
});
