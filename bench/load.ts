import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import type { Child } from './children.ts';
import { median } from './table.ts';

/** A request that is sent again and again; the path is below the address of the server. `vary` makes each one different. */
export type Call = {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly vary?: () => Partial<Pick<Call, 'path' | 'headers' | 'body'>>;
};

/** What came of a load: requests, and how many per second, how long half and all but one in a hundred of them took, processor time of the server per request. */
export type Load = {
  readonly count: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
};

const defaultConnections = 16;

/** The request as bytes. The client is bare as well: the measured servers share the machine with it. */
function bytesOf(host: string, call: Call): Buffer {
  const { path, method, headers, body = '' } = call.vary === undefined ? call : { ...call, ...call.vary() };
  const all = {
    ...headers,
    host,
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** Whether the text is a whole answer, told by its length or by its last chunk. Throws on any status but 200. */
function isWhole(answer: Buffer): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = answer.toString('latin1', 0, end).toLowerCase();
  if (!head.startsWith('http/1.1 200 ')) throw new Error(`A measured server answered: ${answer.toString()}`);
  const [, length] = /^content-length: (\d+)$/m.exec(head) ?? [];
  return length === undefined
    ? answer.subarray(-5).toString('latin1') === '0\r\n\r\n'
    : answer.length >= end + 4 + Number(length);
}

/** Asks on one connection until `until`, one request at a time, and adds the milliseconds of each. */
function askAlong(server: Child, call: Call, until: number, took: number[]): Promise<void> {
  const { hostname, port, host } = new URL(server.url);
  const same = call.vary === undefined ? bytesOf(host, call) : null;
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let answer: Buffer = Buffer.alloc(0);
    const socket: Socket = connect(Number(port), hostname);
    const send = () => {
      sentAt = performance.now();
      answer = Buffer.alloc(0);
      socket.write(same ?? bytesOf(host, call));
    };
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('connect', send);
    socket.on('close', () => resolve());
    socket.on('data', (chunk: Buffer) => {
      answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk]);
      try {
        if (!isWhole(answer)) return;
      } catch (error) {
        reject(error);
        socket.destroy();
        return;
      }
      const now = performance.now();
      took.push(now - sentAt);
      if (now < until) send();
      else socket.end();
    });
  });
}

/** Loads a server over kept connections, 16 by default, for so many seconds. */
export async function load(
  server: Child,
  call: Call,
  seconds: number,
  connections = defaultConnections,
): Promise<Load> {
  const took: number[] = [];
  const cpuBefore = await server.cpuSeconds();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: connections }, () => askAlong(server, call, began + seconds * 1_000, took)),
  );
  const elapsed = (performance.now() - began) / 1_000;
  const cpuMs = ((await server.cpuSeconds()) - cpuBefore) * 1_000;
  const sorted = took.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    perSecond: sorted.length / elapsed,
    p50Ms: median(sorted),
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    cpuMs: cpuMs / sorted.length,
  };
}

/** The rounds of two servers that answer the same. */
export type Comparison = { readonly product: readonly Load[]; readonly baseline: readonly Load[] };

async function answerOf(server: Child, { path, method, headers, body }: Call): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return response.json();
}

/** One of two servers to compare, and what it is asked. */
export type Side = { readonly server: Child; readonly call: Call };

/** Makes sure both are answered alike, warms both up, then loads them in turn. */
export async function compare(
  product: Side,
  baseline: Side,
  rounds: number,
  seconds: number,
): Promise<Comparison> {
  await assertAlike(product, baseline);
  return inTurns(product, baseline, rounds, seconds);
}

/** Throws unless both servers answer the same. */
async function assertAlike(product: Side, baseline: Side): Promise<void> {
  const [answer, bareAnswer] = [
    await answerOf(product.server, product.call),
    await answerOf(baseline.server, baseline.call),
  ];
  if (!isDeepStrictEqual(answer, bareAnswer)) {
    const begin = (value: unknown) => JSON.stringify(value).slice(0, 400);
    throw new Error(`Product and baseline answer differently:\n${begin(answer)}\n${begin(bareAnswer)}`);
  }
}

/** Warms both up for so many seconds, then loads them in turn, over so many connections. */
export async function inTurns(
  product: Side,
  baseline: Side,
  rounds: number,
  seconds: number,
  connections = defaultConnections,
  warmSeconds = 1,
): Promise<Comparison> {
  const measure = ({ server, call }: Side, length: number) => load(server, call, length, connections);
  await measure(product, warmSeconds);
  await measure(baseline, warmSeconds);
  const loads: { product: Load[]; baseline: Load[] } = { product: [], baseline: [] };
  for (let round = 0; round < rounds; round++) {
    loads.product.push(await measure(product, seconds));
    loads.baseline.push(await measure(baseline, seconds));
  }
  return loads;
}
