import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { root } from '../../src/platform/root.ts';

export type LoginProcess = {
  readonly child: ChildProcess;
  readonly userCode: string;
  readonly verificationUrl: string;
  /** Resolves to the exit code and the output after the code. */
  readonly ended: Promise<{ readonly code: number | null; readonly lines: string[]; readonly err: string }>;
};

type Code = Pick<LoginProcess, 'userCode' | 'verificationUrl'>;

/** Starts `quittance login` without a key as a process, and waits until it prints its code. */
export async function startLogin(
  url: string,
  settingsFile: string,
  name = 'ada-laptop',
): Promise<LoginProcess> {
  const entry = path.join(root, 'src/packages/cli/main.ts');
  const child = spawn(process.execPath, [entry, 'login', '--json', '--no-browser', '--name', name], {
    env: { PATH: process.env['PATH'] ?? '', QUITTANCE_CONFIG: settingsFile, QUITTANCE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const err = text(child.stderr);
  const closed = Promise.withResolvers<number | null>();
  child.on('close', closed.resolve);
  const lines: string[] = [];
  const first = Promise.withResolvers<string>();
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    first.resolve(line);
  });
  void closed.promise.then(async () => first.reject(new Error(`The command ended early: ${await err}`)));
  const code = JSON.parse(await first.promise) as Code;
  return {
    child,
    ...code,
    ended: closed.promise.then(async (exitCode) => ({
      code: exitCode,
      lines: lines.slice(1),
      err: await err,
    })),
  };
}
