import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { bundleEntry, bundleService } from '../prisma/bundle.ts';

// Starts the servers that a benchmark measures as child processes.

export type Child = {
  readonly url: string;
  /** CPU time in seconds since the process started. Other load on the machine hardly affects it. */
  readonly cpuSeconds: () => Promise<number>;
  /** Stops the process after it finishes its work. */
  readonly stop: () => Promise<void>;
};

export type Product = Child & { readonly residentMb: () => Promise<number> };

/** Sandbox API key that all benchmarks use. */
export const apiKey = 'ck_sandbox_benchmark_0123456789abcdef';

export const root = path.resolve(import.meta.dirname, '..');

/** Returns the URL that a child process prints when it is ready. Rejects if the process exits first. */
function printedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [, url] = / at (http:\/\/\S+)/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) =>
      reject(new Error(`A measured server ended with ${code} before it accepted requests.`)),
    );
  });
}

/** Node flags in `npm start`. The baseline servers use the same flags. */
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

/** Starts Quittance like `npm start`, on a free port and without rate limits. `flags` are passed to Node. */
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

/** Starts PostGraphile on the same database. Requires `installPeers`. */
export const startPeer = (databaseUrl: string): Promise<Child> =>
  startChild('bench/postgraphile-server.mjs', { DATABASE_URL: databaseUrl });

/** Starts the baseline server (`bare-server.ts`) on the same database. */
export const startBare = (databaseUrl: string, environmentId: string, featureId = ''): Promise<Child> =>
  startChild('bench/bare-server.ts', {
    DATABASE_URL: databaseUrl,
    BENCH_ENVIRONMENT: environmentId,
    BENCH_FEATURE: featureId,
  });
