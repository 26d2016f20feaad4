import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startLogin } from '../../support/cli-login.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { memberOf, type Session } from '../../support/people.ts';

// Runs `quittance login` without a key as a process. A member decides over HTTP, with the requests that the dashboard sends.

let t: TestApp;
let admin: Session;
let folder: string;
let file: string;
beforeAll(async () => {
  t = await startApp();
  admin = await memberOf(t, t.organizationId, 'admin');
});
afterAll(() => t.close());
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quittance-'));
  file = path.join(folder, 'settings.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const decide = (mutation: 'deviceLoginApprove' | 'deviceLoginDeny', input: object) =>
  t.graphql(
    `mutation ($input: ${mutation.replace('d', 'D')}Input!) { ${mutation}(input: $input) { machineName } }`,
    { input },
    {
      key: null,
      headers: { ...admin.headers, 'x-organization': t.organizationId, 'x-environment': 'sandbox' },
    },
  );

const stored = (): { apiKey?: string; webhookSecret?: string } =>
  JSON.parse(readFileSync(file, 'utf8')) as { apiKey?: string };

const keys = () => t.app.database.prisma.apiKey.count({ where: { environmentId: t.sandboxId } });

describe('login in the browser', () => {
  test('stores the key of an approved sign-in in a private file, and never prints it', async () => {
    writeFileSync(file, JSON.stringify({ apiKey: 'ck_sandbox_expired', webhookSecret: 'whsec_kept' }));
    const login = await startLogin(t.url, file);
    expect(login.verificationUrl).toContain(`/dashboard/sandbox/device?user_code=${login.userCode}`);
    await decide('deviceLoginApprove', { userCode: login.userCode, preset: 'builder' });
    const { code, lines, err } = await login.ended;
    expect([code, err]).toEqual([0, '']);
    const { apiKey = '', webhookSecret } = stored();
    expect(webhookSecret).toBe('whsec_kept');
    expect(apiKey).toMatch(/^ck_sandbox_/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ name: 'ada-laptop', livemode: false });
    expect(lines.join('')).not.toContain(apiKey);
    expect((await t.rest('GET', '/customers', undefined, { key: apiKey })).status).toBe(200);
  });

  test('ends with exit code 1 after a denial, and leaves the stored settings unchanged', async () => {
    const before = await keys();
    const login = await startLogin(t.url, file);
    await decide('deviceLoginDeny', { userCode: login.userCode });
    const { code, err } = await login.ended;
    expect(code).toBe(1);
    expect(err).toContain('The sign-in was denied.');
    expect(existsSync(file)).toBe(false);
    expect(await keys()).toBe(before);
  });

  test('ends with exit code 1 after the code expires', async () => {
    const before = await keys();
    const login = await startLogin(t.url, file);
    await t.app.database.query('UPDATE "DeviceLogin" SET "expiresAt" = "createdAt"');
    const { code, err } = await login.ended;
    expect(code).toBe(1);
    expect(err).toContain('The code has expired.');
    expect(existsSync(file)).toBe(false);
    expect(await keys()).toBe(before);
  });

  test('creates no key if the command line ends before the approval', async () => {
    const before = await keys();
    const login = await startLogin(t.url, file);
    login.child.kill('SIGKILL');
    await login.ended;
    await decide('deviceLoginApprove', { userCode: login.userCode, preset: 'builder' });
    expect(await keys()).toBe(before);
  });
});
