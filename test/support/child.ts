import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { bundleEntry, bundleService } from '../../prisma/bundle.ts';
import { root } from '../../src/platform/root.ts';

/** Product in a separate process, started like `npm start`. */
export type Child = {
  readonly url: string;
  readonly pid: number;
  readonly output: () => string;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Promise of the exit code, which resolves when the process ends. */
  readonly ended: Promise<number | null>;
  /** Kills the process immediately, like a power failure. */
  readonly kill: () => Promise<void>;
  /** Shuts the process down. Returns the exit code. */
  readonly stop: () => Promise<number | null>;
};

const exited = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code)));

export type ChildLimits = {
  /** Maximum number of files and connections that the process can open. */
  readonly openFiles?: number;
  /** Root folder of the installation to start. Defaults to this project. */
  readonly folder?: string;
  /** True to run the TypeScript sources, like `npm run dev`, instead of the bundle. */
  readonly runsSources?: boolean;
};

function launch(
  env: Record<string, string>,
  { openFiles, folder = root, runsSources = false }: ChildLimits = {},
): { child: ChildProcess; output: () => string } {
  // Shares the compile cache, so only the first process compiles the code.
  const cache = { NODE_COMPILE_CACHE: path.join(root, '.cache/compiled') };
  const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...cache };
  const [program, ...words] =
    openFiles === undefined
      ? [process.execPath]
      : ['/bin/sh', '-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, process.execPath];
  const entry = runsSources ? 'src/main.ts' : path.relative(root, bundleEntry);
  const child = spawn(program ?? '', [...words, path.join(folder, entry)], {
    cwd: folder,
    env: { ...inherited, PORT: '0', LOG_LEVEL: 'error', DASHBOARD: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text };
}

/** Starts the product and waits until it logs its URL. Rejects with the output if the process ends first. */
export async function startChild(env: Record<string, string>, limits: ChildLimits = {}): Promise<Child> {
  if (limits.runsSources !== true) await bundleService();
  const { child, output } = launch(env, limits);
  const ended = exited(child);
  for (;;) {
    const [, url] = /answers at (http:\S+)/.exec(output()) ?? [];
    if (url !== undefined) {
      return {
        url,
        pid: child.pid ?? 0,
        output,
        signal: (name) => void child.kill(name),
        ended,
        kill: async () => {
          child.kill('SIGKILL');
          await ended;
        },
        stop: () => {
          child.kill('SIGTERM');
          return ended;
        },
      };
    }
    const code = await Promise.race([
      ended,
      new Promise<'waiting'>((resolve) => setTimeout(() => resolve('waiting'), 50)),
    ]);
    if (code !== 'waiting') throw new Error(`The process ended with ${code}: ${output()}`);
  }
}

/** Starts the product with settings that it must reject. Returns the exit code and output. */
export async function rejectedStart(
  env: Record<string, string>,
  limits: ChildLimits = {},
): Promise<{ code: number | null; output: string }> {
  await bundleService();
  const { child, output } = launch(env, limits);
  const code = await exited(child);
  return { code, output: output() };
}
