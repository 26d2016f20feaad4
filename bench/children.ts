import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { bundleEntry, bundleService } from '../prisma/bundle.ts';

// The servers that are measured, each in a process of its own.

/** A measured server. */
export type Child = {
  readonly url: string;
  /** Processor seconds of the process since it began; a measure other programs on the machine hardly disturb. */
  readonly cpuSeconds: () => Promise<number>;
  /** Finishes what it began and ends. */
  readonly stop: () => Promise<void>;
};

/** The product, with what it says about its memory. */
export type Product = Child & { readonly residentMb: () => Promise<number> };

/** The key of the sandbox every benchmark calls with. */
export const apiKey = 'ck_sandbox_benchmark_0123456789abcdef';

/** The directory of the project. */
export const root = path.resolve(import.meta.dirname, '..');

/** The address a child prints once it answers. Rejects when it ends before. */
function printedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [, url] = /answers at (http:\/\/\S+)/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) =>
      reject(new Error(`A measured server ended with ${code} before it answered.`)),
    );
  });
}

/** What `npm start` tells Node. The bare servers are told the same. */
const nodeFlags = ['--min-semi-space-size=16'];

async function startChild(
  file: string,
  settings: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<Child> {
  const child = spawn(process.execPath, [...nodeFlags, ...flags, file], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await printedUrl(child);
  let isStopping = false;
  child.once('exit', (code, signal) => {
    if (!isStopping) console.error(`The measured server ${file} ended with ${signal ?? code}.`);
  });
  const stop = async (): Promise<void> => {
    isStopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  const cpuSeconds = async (): Promise<number> =>
    metric(await (await fetch(`${url}/metrics`)).text(), 'process_cpu_seconds_total');
  return { url, cpuSeconds, stop };
}

const metric = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);

/** Starts the product on a database as `npm start` does, on a free port and without a rate limit. `flags` go to Node. */
export async function startProduct(
  databaseUrl: string,
  flags: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<Product> {
  await bundleService();
  const child = await startChild(
    path.relative(root, bundleEntry),
    {
      DATABASE_URL: databaseUrl,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_INGESTION_PER_MINUTE: '0',
      BOOTSTRAP_API_KEY: apiKey,
      LOG_LEVEL: 'error',
      REDIS_URL: '',
      ...settings,
    },
    flags,
  );
  const residentMb = async (): Promise<number> => {
    const text = await (await fetch(`${child.url}/metrics`)).text();
    return metric(text, 'process_resident_memory_bytes') / 2 ** 20;
  };
  return { ...child, residentMb };
}

/** Starts PostGraphile on the same database. Its packages must be installed. */
export const startPeer = (databaseUrl: string): Promise<Child> =>
  startChild('bench/postgraphile-server.mjs', { DATABASE_URL: databaseUrl });

/** Starts the bare server of bare-server.ts on the same database. */
export const startBare = (databaseUrl: string, environmentId: string, featureId = ''): Promise<Child> =>
  startChild('bench/bare-server.ts', {
    DATABASE_URL: databaseUrl,
    BENCH_ENVIRONMENT: environmentId,
    BENCH_FEATURE: featureId,
  });
