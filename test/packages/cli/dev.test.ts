import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { overridden, overridesIn, overridesOf } from '../../../src/packages/cli/overrides.ts';
import { type EventType, Quittance, webhooks } from '../../../src/packages/sdk/index.ts';
import { root } from '../../../src/platform/root.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';

// The command that starts the server, runs as a process with the sources of the server.

const entry = path.join(root, 'src/packages/cli/main.ts');

let folder: string;
let target: Server;
const received: { readonly body: string; readonly headers: Record<string, string> }[] = [];
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dev-'));
  target = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, headers: request.headers as Record<string, string> });
      response.end();
    });
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => target.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  QUITTANCE_CONFIG: path.join(folder, 'settings.json'),
  DATA_DIR: 'memory:',
  DASHBOARD: 'off',
  LOG_LEVEL: 'error',
  NODE_COMPILE_CACHE: path.join(root, '.cache/compiled'),
});

/** Runs `dev`. Returns its output, a function that interrupts it, and its exit code. */
function startDev(...words: string[]) {
  const child = spawn(process.execPath, [entry, 'dev', '--json', ...words], { env: environment() });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { out: () => out, err: () => err, interrupt: () => child.kill('SIGINT'), ended };
}

describe('the command dev', () => {
  test('starts the server, forwards its events with replaced values, and stops the server', {
    timeout: 120_000,
  }, async () => {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const env = path.join(folder, '.env.local');
    writeFileSync(env, 'ANALYTICS=on\nQUITTANCE_API_KEY=old\n', { mode: 0o644 });
    const started = startDev(
      ...['--base-url', baseUrl, '--env', env, '--start', `"${process.execPath}" src/main.ts`],
      ...['--forward-to', `http://127.0.0.1:${(target.address() as AddressInfo).port}/hooks`],
      ...['--from', '0', '--override', 'externalId=ada'],
    );
    await eventually(
      () => started.out() + started.err(),
      (output) => output.includes('forwardTo'),
    );
    const settings = new Map(
      readFileSync(env, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('=', 2) as [string, string]),
    );
    const apiKey = settings.get('QUITTANCE_API_KEY') ?? '';
    expect([...settings.keys()]).toEqual([
      'ANALYTICS',
      'QUITTANCE_URL',
      'QUITTANCE_API_KEY',
      'QUITTANCE_WEBHOOK_SECRET',
    ]);
    expect(statSync(env).mode & 0o777).toBe(0o600);
    expect(settings.get('QUITTANCE_URL')).toBe(baseUrl);
    const client = new Quittance({ baseUrl, apiKey });
    await client.customers.create({ email: 'grace@example.com', externalId: 'grace' });
    await eventually(
      () => received.length,
      (count) => count > 0,
    );
    const [{ body = '', headers = {} } = {}] = received;
    const event = await webhooks.verify(body, headers, settings.get('QUITTANCE_WEBHOOK_SECRET') ?? '');
    expect(event).toMatchObject({
      event: 'customer.created' satisfies EventType,
      data: { email: 'grace@example.com', externalId: 'ada' },
    });
    started.interrupt();
    expect(await started.ended).toBe(0);
    await expect(fetch(`${baseUrl}/readyz`)).rejects.toThrow();
  });

  test('reports a server that ends, and an address of another machine', { timeout: 60_000 }, async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const failed = startDev('--base-url', baseUrl, '--start', 'exit 7');
    expect(await failed.ended).toBe(1);
    expect(failed.err()).toContain('exit code 7');
    const remote = startDev('--base-url', 'https://billing.example.com');
    expect(await remote.ended).toBe(2);
    expect(remote.err()).toContain("isn't an address of this machine");
  });
});

describe('the option --override', () => {
  test('reads JSON and texts', () => {
    expect([...overridesIn('amount=0,email=ada@example.com,plan.id=null,isFree=true')]).toEqual([
      ['amount', 0],
      ['email', 'ada@example.com'],
      ['plan.id', null],
      ['isFree', true],
    ]);
    expect(overridesIn(undefined).size).toBe(0);
    expect(() => overridesIn('amount')).toThrow('--override must contain fields and values');
  });

  test('keeps commas inside JSON objects, lists, and strings', () => {
    const option =
      'metadata={"a":1,"b":[2,3]},tags=["x,y","z"],name="Lovelace, Ada",note="a \\", b=1",plain=x={y},total=0';
    expect([...overridesIn(option)]).toEqual([
      ['metadata', { a: 1, b: [2, 3] }],
      ['tags', ['x,y', 'z']],
      ['name', 'Lovelace, Ada'],
      ['note', 'a ", b=1'],
      ['plain', 'x={y}'],
      ['total', 0],
    ]);
  });

  test.each([
    ['metadata={"a":1,total=0', '--override must contain valid JSON for metadata.'],
    ['name="Ada,total=0', '--override must contain valid JSON for name.'],
    ['total=0,', '--override must contain fields and values'],
    ['name=Lovelace, Ada', 'instead of  Ada.'],
  ])('rejects %s', (option, message) => {
    expect(() => overridesIn(option)).toThrow(message);
  });

  test('replaces existing fields of a payload at any depth', () => {
    const payload = { customerId: 'a', invoice: { total: 5, lines: [{ total: 5 }] } };
    expect(overridden(payload, overridesIn('customerId=b,invoice.total=7,none=1'))).toEqual({
      customerId: 'b',
      invoice: { total: 7, lines: [{ total: 5 }] },
    });
  });

  test('contains the values of new objects', () => {
    const overrides = overridesIn('customer.email=a@b.example,price.price=9900');
    expect(overridesOf(overrides, 'price')).toEqual({ price: 9_900 });
    expect(overridesOf(overrides, 'plan')).toEqual({});
  });
});
