import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;
const folder = process.env['SCREENSHOTS'];

/** App on the member's machine. Keeps the addresses at which it was called. */
const called: URL[] = [];
const app = createServer((request, response) => {
  called.push(new URL(request.url ?? '', 'http://localhost'));
  response.setHeader('Content-Type', 'text/html').end('<title>App</title><p>You can close this page.</p>');
});

const post = async (path: string, body: object): Promise<Record<string, string>> => {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(`${t.url}${path}`, {
    method: 'POST',
    ...(isForm ? { body } : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, string>;
};

describe.skipIf(browserPath === null)('the connection of an app', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    await new Promise<void>((resolve) => void app.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    app.close();
    await Promise.all([browser.close(), t.close()]);
  });

  it('is approved on its page with a preset and limits, and returns to the app', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    const redirectUri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
    const { client_id: clientId = '' } = await post('/oauth/register', {
      client_name: 'Ada’s assistant',
      redirect_uris: [redirectUri],
    });
    const verifier = randomBytes(32).toString('base64url');
    const authorization = new URL('/oauth/authorize', t.url);
    authorization.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'state-1',
    }).toString();

    // Opening the page decides nothing.
    await page.goto(authorization.href);
    await page.getByText('Did you start this connection in Ada’s assistant?').waitFor();
    await page.getByText(new URL(redirectUri).host).waitFor();
    expect(await page.getByRole('radio', { name: 'Builder' }).isChecked()).toBe(true);
    expect(await member.accessibilityViolations()).toEqual([]);
    if (folder !== undefined) await page.screenshot({ path: `${folder}/connect.png`, fullPage: true });
    expect(called).toEqual([]);

    // The live environment offers no preset of the sandbox.
    await page.getByRole('navigation', { name: 'Environment' }).getByRole('link', { name: 'Live' }).click();
    await page.getByText('The key can access real customers and payments.').waitFor();
    expect(await page.getByRole('radio', { name: 'Builder' }).count()).toBe(0);
    await page
      .getByRole('navigation', { name: 'Environment' })
      .getByRole('link', { name: 'Sandbox' })
      .click();
    await page.getByText('Reader', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Maximum number of changes per hour' }).fill('5');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('You can close this page.').waitFor();

    const [callback] = called;
    expect(callback?.pathname).toBe('/callback');
    expect(callback?.searchParams.get('state')).toBe('state-1');
    const { access_token: token = '' } = await post(
      '/oauth/token',
      new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: redirectUri,
        code: callback?.searchParams.get('code') ?? '',
        code_verifier: verifier,
      }),
    );
    expect((await t.rest('GET', '/customers', undefined, { key: token })).status).toBe(200);
    expect((await t.rest('POST', '/customers', { email: 'a@b.test' }, { key: token })).status).toBe(403);
    const [key] = await t.app.database.prisma.apiKey.findMany({ where: { name: 'Ada’s assistant' } });
    expect(key).toMatchObject({ scopes: ['read'], policy: { maxCallsPerHour: 5 } });

    await member.open('/api-keys');
    await page.getByText('Ada’s assistant').waitFor();
  });
});
