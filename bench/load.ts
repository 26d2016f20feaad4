import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import type { Child } from './children.ts';
import { median } from './table.ts';

/** Request to repeat. `path` is relative to the server's URL, and `vary` changes each request. */
export type Call = {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly vary?: () => Partial<Pick<Call, 'path' | 'headers' | 'body'>>;
};

/**
 * Result of a load test: number of requests, requests per second, median and 99th-percentile durations, and server CPU time per request.
 */
export type Load = {
  readonly count: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
};

const defaultConnections = 16;

/** Returns the request as bytes. The client is minimal because it shares a machine with the server. */
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

/** True if the buffer contains a complete response. Throws for any status except 200 and 201. */
function isWhole(answer: Buffer): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = answer.toString('latin1', 0, end).toLowerCase();
  if (!/^http\/1\.1 20[01] /.test(head))
    throw new Error(`A measured server responded with: ${answer.toString()}`);
  const [, length] = /^content-length: (\d+)$/m.exec(head) ?? [];
  return length === undefined
    ? answer.subarray(-5).toString('latin1') === '0\r\n\r\n'
    : answer.length >= end + 4 + Number(length);
}

/** Sends requests one at a time over one connection until `until`. Adds their durations in milliseconds to `took`. */
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

/** Sends requests to a server over persistent connections for a number of seconds. Uses 16 connections by default. */
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

/** Alternating load tests of two servers that return the same responses. */
export type Comparison = { readonly product: readonly Load[]; readonly baseline: readonly Load[] };

async function answerOf(server: Child, { path, method, headers, body }: Call): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return response.json();
}

/** Server to compare, and the request to send to it. */
export type Side = { readonly server: Child; readonly call: Call };

/** Compares two servers. Checks that they return the same response, warms them up, and tests them alternately. */
export async function compare(
  product: Side,
  baseline: Side,
  rounds: number,
  seconds: number,
): Promise<Comparison> {
  await assertAlike(product, baseline);
  return inTurns(product, baseline, rounds, seconds);
}

/** Throws if the product and the baseline return different responses. */
async function assertAlike(product: Side, baseline: Side): Promise<void> {
  const [answer, bareAnswer] = [
    await answerOf(product.server, product.call),
    await answerOf(baseline.server, baseline.call),
  ];
  if (!isDeepStrictEqual(answer, bareAnswer)) {
    const begin = (value: unknown) => JSON.stringify(value).slice(0, 400);
    throw new Error(
      `The product and the baseline return different responses:\n${begin(answer)}\n${begin(bareAnswer)}`,
    );
  }
}

/** Warms up both servers, then tests them in turn. */
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
