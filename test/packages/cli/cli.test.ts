import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { webhooks } from '../../../src/packages/sdk/index.ts';
import { root } from '../../../src/platform/root.ts';
import { eventually } from '../../support/eventually.ts';
import { firstShop, otherShop, type Shop } from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

// Runs the command line as a process against the service.

const entry = path.join(root, 'src/packages/cli/main.ts');

let t: TestApp;
let shop: Shop;
let folder: string;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quittance-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Env = Readonly<Record<string, string>>;

const environment = (env: Env = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  QUITTANCE_CONFIG: path.join(folder, 'settings.json'),
  QUITTANCE_URL: t.url,
  ...env,
});

type Result = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command without a stored key. Returns the exit code and the output. */
const run = (words: readonly string[], env?: Env, input = ''): Promise<Result> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [entry, ...words],
      { env: environment(env), timeout: 60_000 },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err }),
    );
    child.stdin?.end(input);
  });

/** Runs a command with the sandbox key. */
const signedIn = (words: readonly string[], key = shop.key, input?: string): Promise<Result> =>
  run(words, { QUITTANCE_API_KEY: key }, input);

const linesOf = (out: string): unknown[] =>
  out
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

describe('the command line', () => {
  test('prints its commands', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const name of ['provision', 'login', 'listen', 'clock', 'graphql', 'doctor'])
      expect(out).toContain(name);
    const { out: listen } = await run(['listen', '--help']);
    expect(listen).toContain('--forward-to');
    expect(listen).toContain('quittance listen [OPTIONS]');
    expect((await run(['clock', 'advance', '--help'])).out).toContain('quittance clock advance [OPTIONS]');
  });

  test.each([
    [['unknown'], 'unknown'],
    [['get', '/customers', '--colour'], 'colour'],
    [['get'], 'PATH'],
    [['get', 'customers'], 'slash'],
    [['post', '/customers', '--data', '{'], 'JSON'],
    [['get', '/customers', '--data', '{}'], 'no body'],
    [['clock', 'advance'], '30d'],
    [['clock', 'advance', '30x'], '30x'],
    [['events', 'tail', '--from', '-1'], '--from'],
    [['listen', '--forward-to', 'here'], 'URL'],
    [['export', 'customers', '--format', 'xml'], '--format'],
  ])('ends %j with exit code 2', async (words, message) => {
    const { code, err, out } = await signedIn(words);
    expect([code, out]).toEqual([2, '']);
    expect(err.toLowerCase()).toContain(message.toLowerCase());
  });

  test('requires an API key, and --live for a live key', async () => {
    expect(await run(['whoami'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('quittance login') as string,
    });
    const { liveKey } = await t.otherTenant();
    expect(await signedIn(['whoami'], liveKey)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--live') as string,
    });
    const { code, out } = await signedIn(['whoami', '--live', '--json'], liveKey);
    expect([code, linesOf(out)]).toMatchObject([0, [{ livemode: true }]]);
  });

  test('provisions an organization, stores the key for the user only, and deletes it', async () => {
    const { code, out } = await run(['provision', '--name', 'Harbor', '--json']);
    expect(code).toBe(0);
    const [organization] = linesOf(out) as [{ id: string; sandboxApiKey: string }];
    const file = path.join(folder, 'settings.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      baseUrl: t.url,
      apiKey: organization.sandboxApiKey,
    });
    expect((await run(['whoami'])).out).toBe(`Harbor (${organization.id}), sandbox, ${t.url}\n`);
    await run(['logout']);
    expect((await run(['whoami'])).code).toBe(2);
  });

  test('stores a key from the standard input only if the service accepts the key', async () => {
    const rejected = await run(['login', '--api-key', '-'], {}, 'ck_sandbox_0000000000000000000000\n');
    expect(rejected).toMatchObject({ code: 1, err: expect.stringContaining('unauthorized') as string });
    expect((await run(['whoami'])).code).toBe(2);
    expect((await run(['login', '--api-key', '-'], {}, `${shop.key}\n`)).code).toBe(0);
    expect((await run(['whoami'])).code).toBe(0);
  });

  test('sends requests to REST routes, and prints results as JSON', async () => {
    const body = JSON.stringify({ email: 'ada@example.com' });
    const dry = await signedIn(['post', '/customers', '--data', body, '--dry-run', '--json']);
    expect([dry.code, linesOf(dry.out)]).toMatchObject([0, [{ email: 'ada@example.com', dryRun: {} }]]);
    const keyed = ['post', '/customers', '-d', '-', '--idempotency-key', 'once', '--json'];
    const [first, second] = [await signedIn(keyed, shop.key, body), await signedIn(keyed, shop.key, body)];
    expect(first.code).toBe(0);
    expect(linesOf(second.out)).toEqual(linesOf(first.out));
    const [{ id }] = linesOf(first.out) as [{ id: string }];
    writeFileSync(path.join(folder, 'change.json'), '{"fullName":"Ada"}');
    await signedIn(['patch', `/customers/${id}`, '--data', `@${path.join(folder, 'change.json')}`]);
    expect(linesOf((await signedIn(['get', `/customers/${id}`, '--json'])).out)).toMatchObject([
      { fullName: 'Ada' },
    ]);
    await shop.rest('POST', '/features', { name: 'Calls', code: 'calls', type: 'usage' });
    expect((await signedIn(['delete', '/features/calls'])).code).toBe(0);
    const missing = await signedIn(['get', '/features/calls', '--json']);
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.err)).toMatchObject({ error: { code: 'feature_not_found', status: 404 } });
  });

  test('executes a GraphQL document with variables', async () => {
    const file = path.join(folder, 'plans.graphql');
    writeFileSync(file, 'query ($first: Int) { plans(first: $first) { nodes { id } } }');
    const { code, out } = await signedIn(['graphql', file, '--variables', '{"first":1}', '--json']);
    expect([code, linesOf(out)]).toMatchObject([0, [{ plans: { nodes: [] } }]]);
  });

  test('advances the test clock, and shows its time', async () => {
    const own = await otherShop(t, 'Clock');
    const { code, out } = await signedIn(
      ['clock', 'advance', '--to', '2027-04-05T09:00:00Z', '--json'],
      own.key,
    );
    expect(code).toBe(0);
    expect(linesOf(out).at(-1)).toMatchObject({ status: 'completed', now: '2027-04-05T09:00:00.000Z' });
    await signedIn(['clock', 'advance', '36h'], own.key);
    expect((await signedIn(['clock', 'status'], own.key)).out).toBe(
      '2027-04-06T21:00:00.000Z, latest run completed\n',
    );
    const past = await signedIn(['clock', 'advance', '--to', '2027-01-01T00:00:00Z', '--json'], own.key);
    expect(past.code).toBe(1);
    expect(JSON.parse(past.err)).toMatchObject({ error: { code: 'validation_error' } });
  });

  test('exports rows to a file, which it replaces', async () => {
    const own = await otherShop(t, 'Export');
    for (const email of ['a@example.com', 'b@example.com']) await own.rest('POST', '/customers', { email });
    const file = path.join(folder, 'customers.csv');
    writeFileSync(file, 'earlier rows\n');
    expect((await signedIn(['export', 'customers', '--out', file], own.key)).out).toBe(`2 rows in ${file}\n`);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3);
  });

  test('checks the connection and the key', async () => {
    const passed = await signedIn(['doctor', '--json']);
    expect(passed.code).toBe(0);
    expect(linesOf(passed.out)).toMatchObject([
      { name: 'service', passed: true },
      { name: 'time', passed: true },
      { name: 'key', passed: true },
    ]);
    expect(await signedIn(['doctor'], 'ck_sandbox_0000000000000000000000')).toMatchObject({ code: 1 });
    expect(await run(['doctor', '--base-url', 'http://127.0.0.1:9'])).toMatchObject({ code: 1 });
  });

  test('ends with exit code 3 if the service does not respond', async () => {
    const { code, err } = await signedIn(['get', '/plans', '--base-url', 'http://127.0.0.1:9', '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(err)).toMatchObject({ error: { type: 'network_error' } });
  });
});

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };

describe('forwarding events', () => {
  let target: Server;
  let received: Received[];
  let status: number;
  beforeEach(async () => {
    [received, status] = [[], 200];
    target = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers, body });
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => target.close(resolve)));

  const targetUrl = (): string => `http://127.0.0.1:${(target.address() as AddressInfo).port}/hooks`;

  type Listener = {
    readonly child: ChildProcess;
    readonly output: () => string;
    readonly stop: () => Promise<number | null>;
  };

  /** Starts forwarding, and waits until the listener prints its secret. */
  async function listen(own: Shop, ...words: string[]): Promise<Listener> {
    const child = spawn(
      process.execPath,
      [entry, 'listen', '--forward-to', targetUrl(), '--json', ...words],
      {
        env: environment({ QUITTANCE_API_KEY: own.key }),
      },
    );
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await eventually(
      () => printed,
      (out) => out.includes('whsec_'),
    );
    return {
      child,
      output: () => printed,
      stop: () => {
        child.kill('SIGINT');
        return ended;
      },
    };
  }

  const create = (own: Shop, email: string) => own.rest('POST', '/customers', { email });

  test('sends each event once with a signature that the client verifies', async () => {
    const own = await otherShop(t, 'Forward');
    await create(own, 'old@example.com');
    const listener = await listen(own, '--from', '0', '--events', 'customer.created');
    await create(own, 'new@example.com');
    await eventually(
      () => received.length,
      (count) => count === 2,
    );
    const secret = /whsec_[^"]+/.exec(listener.output())?.[0] ?? '';
    const events = await Promise.all(
      received.map(({ body, headers }) => webhooks.verify(body, headers as Record<string, string>, secret)),
    );
    expect(events).toMatchObject([
      { event: 'customer.created', mode: 'sandbox', data: { email: 'old@example.com' } },
      { event: 'customer.created', mode: 'sandbox', data: { email: 'new@example.com' } },
    ]);
    expect(await listener.stop()).toBe(0);
    const again = await listen(own, '--from', '0', '--events', 'customer.created');
    expect(again.output()).toContain(secret);
    await again.stop();
  });

  test('continues while the target fails, and ends with exit code 1', async () => {
    const own = await otherShop(t, 'Failing');
    status = 500;
    const listener = await listen(own, '--from', '0', '--events', 'customer.created');
    await create(own, 'first@example.com');
    await eventually(
      () => received.length,
      (count) => count === 1,
    );
    status = 200;
    await create(own, 'second@example.com');
    await eventually(
      () => received.length,
      (count) => count === 2,
    );
    expect(await listener.stop()).toBe(1);
    expect(listener.output()).toContain('The target responded with 500.');
    const results = linesOf(
      listener
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .join('\n'),
    );
    expect(results).toContainEqual({
      failed: [{ position: expect.any(Number) as number, id: expect.any(String) as string }],
    });
  });
});
