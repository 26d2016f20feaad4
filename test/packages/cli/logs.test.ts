import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../src/platform/root.ts';
import { eventually } from '../../support/eventually.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

// Runs the command `logs` as a process against the service.

const entry = path.join(root, 'src/packages/cli/main.ts');

let t: TestApp;
beforeAll(async () => {
  t = await startApp({ env: { REQUEST_LOG_DAYS: '7' } });
});
afterAll(() => t.close());

const environment = () => ({
  PATH: process.env['PATH'] ?? '',
  QUITTANCE_URL: t.url,
  QUITTANCE_API_KEY: t.sandboxKey,
  QUITTANCE_CONFIG: '/none',
});

const run = (...words: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [entry, 'logs', ...words], { env: environment() }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err }),
    );
  });

const linesOf = (out: string): Record<string, unknown>[] =>
  out
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the command logs', () => {
  test('shows failed requests, oldest first', async () => {
    await t.rest('GET', '/customers/first');
    await t.rest('GET', '/customers/second');
    await t.rest('GET', '/plans');
    await t.app.requestLog.flush();
    const { code, out } = await run('tail', '--failed', '--json');
    expect(code).toBe(0);
    expect(linesOf(out).map(({ operation, status, code: error }) => [operation, status, error])).toEqual([
      ['customer', 404, 'customer_not_found'],
      ['customer', 404, 'customer_not_found'],
    ]);
    const text = await run('tail', '--operation', 'plans');
    expect(text.out).toMatch(/^\S+ 200 GET \/api\/v1\/plans plans \d+ ms \S+\n$/);
  });

  test('shows a request with its masked bodies, and repeats it', async () => {
    const { headers } = await t.rest('POST', '/customers', { email: 'ada@acme.test' });
    await t.app.requestLog.flush();
    const id = headers.get('x-request-id') ?? '';
    const [entryShown] = linesOf((await run('get', id, '--json')).out);
    expect(entryShown).toMatchObject({ id, requestBody: '{"email":"••••st"}', status: 201 });
    const missing = await run('replay', id);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('/email')]);
    const dry = await run('replay', id, '--set', '/email=bo@acme.test', '--json');
    expect(linesOf(dry.out)).toMatchObject([{ status: 201, isDryRun: true }]);
    const done = await run('replay', id, '--set', '/email=bo@acme.test', '--run', '--json');
    expect(linesOf(done.out)).toMatchObject([{ status: 201, isDryRun: false }]);
    const { body } = await t.rest<{ data: { email: string }[] }>('GET', '/customers');
    expect(body.data.map(({ email }) => email)).toEqual(['bo@acme.test', 'ada@acme.test']);
  });

  test('follows requests, each once', async () => {
    const child = spawn(
      process.execPath,
      [entry, 'logs', 'tail', '--operation', 'offers', '--follow', '--json'],
      {
        env: environment(),
      },
    );
    let out = '';
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString();
    });
    const sent: string[] = [];
    const shown = (): string[] => out.split('\n').filter((line) => line.endsWith('}'));
    await eventually(async () => {
      const { headers } = await t.rest('GET', '/offers');
      sent.push(headers.get('x-request-id') ?? '');
      await t.app.requestLog.flush();
      return shown().length > 2;
    });
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.on('exit', resolve));
    const ids = shown().map((line) => String((JSON.parse(line) as { id: unknown }).id));
    expect([code, new Set(ids).size]).toEqual([0, ids.length]);
    expect(sent).toEqual(expect.arrayContaining(ids));
  });

  test.each([
    [['tail', '--status', 'x'], '--status must be'],
    [['tail', '--limit', '0'], '--limit must be'],
    [['replay', 'id', '--set', 'email'], '--set must be'],
  ])('rejects %j with exit code 2', async (words, message) => {
    expect(await run(...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
  });
});
