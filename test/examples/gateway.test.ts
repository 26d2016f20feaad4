import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Quittance } from '../../src/packages/sdk/index.ts';
import { root, run } from '../packages/sdk/support/compiled.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { installedExample } from './support/installed.ts';
import { startProvider } from './support/provider.ts';
import { read, readUntil } from './support/streams.ts';

// The gateway is installed and runs in its own process. Callers use the client of OpenAI.

let t: TestApp;
let q: Quittance;
let provider: Awaited<ReturnType<typeof startProvider>>;
let folder: string;
let origin: string;
const keys: Record<string, string> = {};
const processes: ChildProcess[] = [];

const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  QUITTANCE_URL: t.url,
  QUITTANCE_API_KEY: t.sandboxKey,
  OPENAI_API_KEY: 'sk-provider',
  OPENAI_BASE_URL: provider.url,
});

/** Runs the set-up script, and stores the keys of the new teams. */
async function setUp(...words: string[]): Promise<void> {
  const setup = await run(process.execPath, ['setup.ts', ...words], { cwd: folder, env: environment() });
  for (const [, name = '', key = ''] of setup.stdout.matchAll(/^(\S+) (sk-team-\S+)$/gm)) keys[name] = key;
}

async function startGateway(
  holdSeconds: number,
  settings: Record<string, string> = {},
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const port = await freePort();
  const child = spawn(process.execPath, ['server.ts'], {
    cwd: folder,
    env: { ...environment(), PORT: String(port), HOLD_SECONDS: String(holdSeconds), ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  processes.push(child);
  await once(child.stdout, 'data');
  return { child, url: `http://127.0.0.1:${port}/v1` };
}

beforeAll(async () => {
  [t, provider] = await Promise.all([startApp(), startProvider()]);
  q = new Quittance({ apiKey: t.sandboxKey, baseUrl: t.url });
  folder = await installedExample('gateway');
  await setUp(
    'funds=100',
    'research=50',
    'parallel=1',
    'small=0.01',
    'aborts=1',
    'fails=1',
    'leaves=1',
    'crashes=1',
  );
  origin = (await startGateway(900)).url;
}, 60_000);
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  provider.close();
  rmSync(folder, { recursive: true, force: true });
  await t.close();
});
beforeEach(() => {
  Object.assign(provider.state, { script: {}, bodies: [], closed: 0 });
});

const messages = [{ role: 'user' as const, content: 'Write a poem about interest rates.' }];
const inputTokens = Math.ceil(JSON.stringify(messages).length / 4);
const chat = { model: 'gpt-5', messages, max_tokens: 1_000 };

const clientOf = (team: string, baseURL = origin) =>
  new OpenAI({ apiKey: keys[team] ?? '', baseURL, maxRetries: 0 });
const ask = (team: string, body: object = {}) => clientOf(team).chat.completions.create({ ...chat, ...body });
const askStream = (team: string, baseURL = origin) =>
  clientOf(team, baseURL).chat.completions.create({ ...chat, stream: true });

/** Requests a completion without a client. */
const post = async (key: string, body: object) => {
  const response = await fetch(`${origin}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, error: (await response.json())['error'] };
};

/** Returns the used and held amounts of a team's budget, in US dollars. */
async function stateOf(team: string): Promise<{ readonly used: string; readonly held?: string }> {
  const question = { customerId: 'company', featureCode: 'tokens', budget: `team:${team}` };
  const { limits = [] } = await q.usage.check({
    ...question,
    model: 'gpt-5',
    inputTokens: 1,
    outputTokens: 1,
  });
  const { used = '', held } = limits?.[0] ?? {};
  return held === undefined || held === null ? { used } : { used, held };
}

const holdsOf = async (team: string) =>
  (await q.usage.holds({ customerId: 'company' })).data.filter(({ budget }) => budget === `team:${team}`);

/** Waits until a team has no open hold. Returns the used amount of the budget. */
async function usedBy(team: string): Promise<string> {
  await eventually(async () => (await holdsOf(team)).every(({ status }) => status !== 'open'));
  const { used, held } = await stateOf(team);
  expect(held).toBeUndefined();
  return used;
}

const price = (input: number, output: number): number =>
  Number((input * 1.25e-6 + output * 1e-5).toFixed(10));

describe('a call', () => {
  test('is metered exactly in the budget of the team, with and without a stream', async () => {
    const usage = {
      prompt_tokens: 1_000,
      completion_tokens: 200,
      prompt_tokens_details: { cached_tokens: 400 },
    };
    provider.state.script = { parts: ['Rates ', 'rise.'], usage };
    const whole = await ask('research');
    expect(whole).toMatchObject({ model: 'gpt-5-2025-08-07', usage });
    expect(await usedBy('research')).toBe('0.0028');
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await askStream('research')) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? null)).toEqual([
      '',
      'Rates ',
      'rise.',
      null,
    ]);
    expect(await usedBy('research')).toBe('0.0056');
    expect(await stateOf('small')).toEqual({ used: '0' });
    expect((await holdsOf('research')).map(({ status }) => status)).toEqual(['settled', 'settled']);
  });

  test.each([
    ['an unknown key', 401, 'invalid_api_key', { key: 'sk-team-unknown' }],
    ['several choices', 400, 'invalid_request', { n: 2 }],
    ['two output limits', 400, 'invalid_request', { max_completion_tokens: 100_000 }],
    ['no messages', 400, 'invalid_request', { messages: null }],
    ['an unknown model', 404, 'model_not_found', { model: 'unknown' }],
  ])(
    'fails with %s, and opens no hold',
    async (_name, status, code, { key, ...body }: Record<string, unknown>) => {
      const before = (await q.usage.holds({ customerId: 'company' })).data.length;
      const rejection = await post(String(key ?? keys['research']), { ...chat, ...body });
      expect([rejection.status, rejection.error]).toEqual([
        status,
        expect.objectContaining({ code, param: null }),
      ]);
      expect(provider.state.bodies).toEqual([]);
      expect((await q.usage.holds({ customerId: 'company' })).data.length).toBe(before);
    },
  );
});

describe('a budget', () => {
  test('lowers the output limit of a call to the tokens that fit, and then rejects calls', async () => {
    await ask('small', { max_tokens: 5_000 });
    // The budget is $0.01. The hold reserves the estimated input, and the rest of the budget for the output.
    const fitting = Math.floor((0.01 - price(inputTokens, 0)) / 1e-5);
    expect(provider.state.bodies).toMatchObject([{ max_tokens: fitting }]);
    const used = await usedBy('small');
    const { status, headers, error } = await post(keys['small'] ?? '', chat);
    expect(status).toBe(429);
    expect(headers.get('x-should-retry')).toBe('false');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(error).toEqual({
      message: expect.stringMatching(
        /^The budget team:small has \S+ usd left\. This request needs \S+ usd\.$/,
      ),
      type: 'insufficient_quota',
      param: null,
      code: 'budget_exceeded',
      budget: 'team:small',
      limit: 'Monthly budget of small',
      remaining: expect.stringMatching(/^0\.00\d+$/),
      unit: 'usd',
      resets_at: expect.stringMatching(/-01T00:00:00\.000Z$/),
      fits_at: error.resets_at,
    });
    expect(Number(error.remaining)).toBeCloseTo(0.01 - Number(used), 10);
    expect(await stateOf('small')).toEqual({ used });
    expect(provider.state.bodies).toHaveLength(1);
  });

  test('rejects a call that never fits with 402', async () => {
    const content = 'two words '.repeat(5_000);
    const { status, headers, error } = await post(keys['small'] ?? '', {
      ...chat,
      messages: [{ role: 'user', content }],
    });
    expect([status, headers.get('retry-after')]).toEqual([402, null]);
    expect(error).toMatchObject({ code: 'budget_exceeded', budget: 'team:small', fits_at: null });
  });

  test('limits the total cost of 20 parallel calls', async () => {
    // Each call can cost $0.08, so that 12 calls fit the budget of $1.00, and the 13th has a lower output limit.
    const calls = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        ask('parallel', { max_tokens: 8_000, stream: index % 2 === 0 }).then(read),
      ),
    );
    const failures = calls.flatMap((call) =>
      call.status === 'rejected' ? [call.reason as InstanceType<typeof OpenAI.APIError>] : [],
    );
    expect(failures.map(({ status, code }) => [status, code])).toEqual(
      Array(failures.length).fill([429, 'budget_exceeded']),
    );
    const { bodies } = provider.state;
    expect(bodies.length).toBe(20 - failures.length);
    expect(bodies.length).toBeGreaterThanOrEqual(12);
    const output = bodies.reduce((sum, body) => sum + body.max_tokens, 0);
    const used = Number(await usedBy('parallel'));
    expect(used).toBe(price(10 * bodies.length, output));
    expect(used).toBeLessThanOrEqual(1);
  });
});

describe('an aborted or failed call', () => {
  const never = new Promise(() => undefined);

  test('pays for the received part of a stream, and ends the call of the provider', async () => {
    provider.state.script = { parts: ['x'.repeat(800), 'y'.repeat(400)], until: never };
    const stream = await askStream('aborts');
    await readUntil(stream, 'y'.repeat(400));
    expect((await stateOf('aborts')).held).toBe(String(price(inputTokens, 1_000)));
    stream.controller.abort();
    expect(Number(await usedBy('aborts'))).toBe(price(inputTokens, 300));
    expect((await holdsOf('aborts')).map(({ status, settled }) => [status, settled])).toEqual([
      ['settled', String(inputTokens + 300)],
    ]);
    await eventually(() => provider.state.closed === 1);
  });

  test.each([
    ['with a status', { status: 500 }],
    ['in a stream', { parts: [], breaks: true }],
  ])('costs nothing if the provider fails %s before the first token', async (_name, script) => {
    provider.state.script = script;
    await expect(askStream('fails').then(read)).rejects.toThrow();
    expect(await usedBy('fails')).toBe('0');
    expect((await holdsOf('fails'))[0]?.status).toBe('released');
  });

  test('pays for a complete response if the caller disconnects before the response', async () => {
    const stop = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    provider.state.script = { until: promise, usage: { prompt_tokens: 8, completion_tokens: 700 } };
    const call = clientOf('leaves').chat.completions.create(chat, { signal: stop.signal });
    const rejected = expect(call).rejects.toThrow('aborted');
    await eventually(() => provider.state.bodies.length === 1);
    stop.abort();
    await rejected;
    resolve();
    expect(Number(await usedBy('leaves'))).toBe(price(8, 700));
    expect(provider.state.closed).toBe(0);
  });

  test('pays for the received part if the provider fails later', async () => {
    provider.state.script = { parts: ['x'.repeat(400)], breaks: true };
    await expect(askStream('fails').then(read)).rejects.toThrow();
    expect(Number(await usedBy('fails'))).toBe(price(inputTokens, 100));
  });
});

describe('the gateway', () => {
  test('leaves a hold after a crash, and the hold expires and frees the budget', async () => {
    const { child, url } = await startGateway(6);
    provider.state.script = { parts: ['Hello'], until: new Promise(() => undefined) };
    const stream = await askStream('crashes', url);
    await readUntil(stream, 'Hello');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await holdsOf('crashes'))[0]?.status).toBe('open');
    expect(await stateOf('crashes')).toEqual({ used: '0', held: String(price(inputTokens, 1_000)) });
    expect(await usedBy('crashes')).toBe('0');
    expect((await holdsOf('crashes'))[0]?.status).toBe('expired');
  });

  test('completes its calls and records the usage before it stops', async () => {
    const { child, url } = await startGateway(900);
    const { promise, resolve } = Promise.withResolvers<void>();
    provider.state.script = { until: promise, usage: { prompt_tokens: 8, completion_tokens: 500 } };
    const stream = await askStream('crashes', url);
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    resolve();
    await read(stream);
    expect(await exit).toEqual([0, null]);
    expect(await stateOf('crashes')).toEqual({ used: String(price(8, 500)) });
  });
});

test('the gateway responds with 503 if Quittance is unavailable, and does not call the provider', async () => {
  const { url } = await startGateway(900, { QUITTANCE_URL: `http://127.0.0.1:${await freePort()}` });
  const call = clientOf('research', url).chat.completions.create(chat);
  await expect(call).rejects.toMatchObject({ status: 503, code: 'billing_unavailable' });
  expect(provider.state.bodies).toEqual([]);
});

test('the gateway rejects calls with 402 if the money of the company is used up', async () => {
  const [subscription] = (await q.subscriptions.list({ customerId: 'company' })).data;
  const question = {
    customerId: 'company',
    featureCode: 'tokens',
    model: 'gpt-5',
    inputTokens: 1,
    outputTokens: 1,
  };
  const { currentBalance } = (await q.usage.check(question)) as unknown as {
    readonly currentBalance: number;
  };
  await q.subscriptions.balanceAdjust(subscription?.id ?? '', {
    amount: -currentBalance,
    reason: 'Test',
  });
  const { status, error } = await post(keys['research'] ?? '', chat);
  expect([status, error.code]).toEqual([402, 'insufficient_balance']);
  expect(provider.state.bodies).toEqual([]);
});

test('the example has at most 300 lines', () => {
  const files = globSync('*.{ts,json}', {
    cwd: path.join(root, 'examples/gateway'),
    exclude: ['teams.json'],
  });
  const lines = files.map(
    (file) => readFileSync(path.join(root, 'examples/gateway', file), 'utf8').split('\n').length,
  );
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(300);
});
