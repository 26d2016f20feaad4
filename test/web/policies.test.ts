import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';

// Tests the browser policies for every document that the product serves.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const withoutCard =
  /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/]{22}=='; img-src 'self' https: data:; font-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/;
const built =
  /^default-src 'none'; script-src 'self' https:\/\/js\.stripe\.com https:\/\/\*\.js\.stripe\.com; style-src 'self' 'nonce-[\w+/]{22}=='; img-src 'self' https: data:; font-src 'self'; connect-src 'self' https:\/\/api\.stripe\.com; frame-src https:\/\/js\.stripe\.com https:\/\/\*\.js\.stripe\.com https:\/\/hooks\.stripe\.com; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/;
const oneStyle =
  /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/;
const editor =
  /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'; worker-src blob:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/;

describe('an HTML document', () => {
  test.each<[string, number, string | RegExp]>([
    ['/checkout/some-token', 404, built],
    ['/pay/some-token', 404, built],
    ['/portal/some.page.token', 404, built],
    ['/portal/some.page.token/usage', 404, built],
    ['/recover/some-token', 404, built],
    ['/method/some-token', 404, built],
    ['/claim/some-token', 404, withoutCard],
    ['/invitation/some-token', 404, withoutCard],
    ['/invoice/some-token', 404, withoutCard],
    ['/portal/some-shop', 200, withoutCard],
    ['/documents/invoices/some-token', 404, oneStyle],
    ['/manage/some-token', 404, oneStyle],
    ['/graphql', 200, editor],
  ])(
    "has a content security policy, sends no referrer, and can't be framed: %s",
    async (address, status, policy) => {
      const response = await fetch(`${t.url}${address}`, { headers: { accept: 'text/html' } });
      expect(response.status).toBe(status);
      const { headers } = response;
      expect(headers.get('content-type')).toMatch(/^text\/html/);
      expect(headers.get('content-security-policy')).toMatch(
        typeof policy === 'string' ? new RegExp(`^${RegExp.escape(policy)}$`) : policy,
      );
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
      // Wallets and banks work in Stripe's frames only on pages that accept cards.
      const stripe = 'self "https://js.stripe.com" "https://*.js.stripe.com" "https://hooks.stripe.com"';
      const [payment, passkeys] = policy === built ? [`(${stripe})`, `(${stripe})`] : ['()', '(self)'];
      expect(headers.get('permissions-policy')).toBe(
        `accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), usb=(), payment=${payment}, publickey-credentials-get=${passkeys}, publickey-credentials-create=(self)`,
      );
      // The service's public URL uses HTTP.
      expect(headers.get('strict-transport-security')).toBeNull();
    },
  );

  test('enables HSTS, like every other response, if the service is reached over HTTPS', async () => {
    const secure = await startApp({ env: { PUBLIC_URL: 'https://billing.example' } });
    try {
      for (const address of [
        '/checkout/some-token',
        '/graphql',
        '/api/v1/customers',
        '/auth/get-session',
        '/nowhere',
      ]) {
        const { headers } = await fetch(`${secure.url}${address}`);
        expect([address, headers.get('strict-transport-security')]).toEqual([address, 'max-age=31536000']);
      }
    } finally {
      await secure.close();
    }
  });

  test('ignores stored frame origins that violate the current rules', async () => {
    const { organization, environment } = t.app.database.prisma;
    const { id } = await environment.findFirstOrThrow({ where: { organizationId: t.organizationId } });
    const token = await t.app.secrets.signPage({ page: 'pay', environmentId: id, subjectId: 'pay_1' });
    const url = `${t.url}/pay/${token}`;
    const { pageSettings } = await organization.findUniqueOrThrow({ where: { id: t.organizationId } });
    const store = (embedOrigins: readonly string[]) =>
      organization.update({
        where: { id: t.organizationId },
        data: { pageSettings: { ...pageSettings, embedOrigins } },
      });
    const ancestors = async () =>
      /frame-ancestors [^;]+/.exec((await fetch(url)).headers.get('content-security-policy') ?? '')?.[0];
    await store(['https://*', "https://a.b'none'"]);
    expect(await ancestors()).toBe("frame-ancestors 'none'");
    await store(['https://*', 'https://shop.example']);
    expect(await ancestors()).toBe('frame-ancestors https://shop.example');
  });

  test('is created only in the source files that this test lists', () => {
    const source = path.resolve(import.meta.dirname, '../../src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.ts$/.test(file) && !/^(generated|modules\/messages\/emails\/templates)\//.test(file),
    );
    const making = files.filter((file) =>
      /text\/html|<!doctype html/i.test(readFileSync(path.join(source, file), 'utf8')),
    );
    expect(making.toSorted()).toEqual([
      'http/graphql.ts',
      'http/handler.ts',
      'web/customer-pages.ts',
      // The dashboard tests check this document.
      'web/dashboard.ts',
      // The browser test of the documentation checks these documents.
      'web/docs-site.ts',
      'web/notice-page.ts',
      'web/site-files.ts',
      // The content security policy of this document allows no sources.
      'web/waiting-page.ts',
    ]);
  });
});

test('the content security policy of an HTML document allows each of its inline styles and scripts', async () => {
  for (const address of ['/documents/invoices/some-token', '/graphql']) {
    const response = await fetch(`${t.url}${address}`, { headers: { accept: 'text/html' } });
    const policy = response.headers.get('content-security-policy') ?? '';
    const html = await response.text();
    const hash = async (text: string) =>
      `'sha256-${Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('base64')}'`;
    // The editor's only script contains `</script>` as text.
    const [begin, end] = [html.indexOf('<script>'), html.lastIndexOf('</script>')];
    const scripts = begin === -1 ? [] : [html.slice(begin + '<script>'.length, end)];
    for (const script of scripts) expect(policy.includes(await hash(script))).toBe(true);
    const styles =
      address === '/graphql'
        ? []
        : [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style);
    expect(scripts).toHaveLength(address.endsWith('/graphql') ? 1 : 0);
    expect(styles).toHaveLength(address === '/graphql' ? 0 : 1);
    for (const style of styles) expect(policy).toContain(await hash(style));
    const rest = begin === -1 ? html : html.slice(0, begin) + html.slice(end);
    if (address !== '/graphql') expect(rest).not.toMatch(/<script|\sstyle=|\son\w+=/);
  }
});
