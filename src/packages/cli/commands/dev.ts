import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { interruption } from '../interruption.ts';
import { Rejected, UsageError } from '../output.ts';
import { command, openSession, type Session } from '../session.ts';
import { namedFile, readSettings, writePrivateFile, writeSettings } from '../settings.ts';
import { demandTarget, forwardEvents, forwardOptions, secretOf } from './events.ts';

/** Folder of the checkout that contains the server. */
const checkout = path.resolve(import.meta.dirname, '../../../..');

/** Maximum time until the server must respond. The first start unpacks the database. */
const startMs = 120_000;

const pollMs = 100;

const isReady = async (baseUrl: string): Promise<boolean | null> => {
  const response = await fetch(new URL('/readyz', baseUrl)).catch(() => null);
  await response?.body?.cancel();
  return response?.ok ?? null;
};

/** Writes the variables to a file, and keeps the other lines of the file. Only the user can read the file, because it contains secrets. */
function writeVariables(name: string, variables: Readonly<Record<string, string>>): void {
  const file = namedFile(name);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split(/\r?\n/) : [];
  const others = lines.filter((line) => !Object.keys(variables).some((each) => line.startsWith(`${each}=`)));
  while (others.at(-1) === '') others.pop();
  const own = Object.entries(variables).map(([each, value]) => `${each}=${value}`);
  writePrivateFile(file, [...others, ...own, ''].join('\n'));
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Waits until the server is ready. Throws if the process ends earlier, or if the server isn't ready in time. */
async function untilReady(baseUrl: string, child: ChildProcess, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + startMs;
  while (!signal.aborted && (await isReady(baseUrl)) !== true) {
    if (hasEnded(child))
      throw new Rejected(`The server ended with exit code ${child.exitCode ?? child.signalCode}.`);
    if (Date.now() > deadline) throw new Rejected(`${baseUrl} isn't ready after ${startMs / 1_000} seconds.`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Returns the sandbox key of the settings, which the server accepts from its start. Creates the key before the first use. */
function developmentKey({ settings }: Session): string {
  if (settings.developmentKey !== undefined) return settings.developmentKey;
  const key = `ck_sandbox_${randomBytes(32).toString('base64url')}`;
  writeSettings({ ...settings, developmentKey: key });
  return key;
}

export const dev = command({
  description: 'Start the server of this checkout with a sandbox key, and forward its events.',
  isOpen: true,
  args: {
    'forward-to': { type: 'string', valueHint: 'URL', description: 'Address that receives the events.' },
    env: {
      type: 'string',
      valueHint: 'FILE',
      description:
        'File to write the address, the sandbox key, and the signing secret to, such as .env.local.',
    },
    start: {
      type: 'string',
      default: 'npm start',
      valueHint: 'COMMAND',
      description: 'Command that starts the server. Defaults to npm start.',
    },
    ...forwardOptions,
  },
  run: async (session, args) => {
    const { baseUrl, print } = session;
    const { hostname, port, protocol } = new URL(baseUrl);
    if (protocol !== 'http:' || !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
      throw new UsageError(`${baseUrl} isn't an address of this machine. Set --base-url.`);
    const target = args['forward-to'];
    if (target !== undefined) demandTarget(target);
    if ((await isReady(baseUrl)) !== null) throw new UsageError(`A server already responds at ${baseUrl}.`);
    const apiKey = developmentKey(session);
    const secret = secretOf({ ...session, settings: readSettings() });
    const signal = interruption();
    const child = spawn(args.start, {
      shell: true,
      cwd: checkout,
      env: { ...process.env, PORT: port === '' ? '80' : port, BOOTSTRAP_API_KEY: apiKey },
      // The output of the server doesn't mix with the results of this command.
      stdio: ['ignore', 2, 2],
      // The shell and the server form a group that ends together.
      detached: true,
    });
    const stopped = new AbortController();
    child.once('exit', () => stopped.abort());
    const end = AbortSignal.any([signal, stopped.signal]);
    const ended = once(stopped.signal, 'abort');
    const endedOrInterrupted = once(end, 'abort');
    try {
      await untilReady(baseUrl, child, signal);
      if (signal.aborted) return;
      if (args.env !== undefined)
        writeVariables(args.env, {
          QUITTANCE_URL: baseUrl,
          QUITTANCE_API_KEY: apiKey,
          QUITTANCE_WEBHOOK_SECRET: secret,
        });
      print({ baseUrl, apiKey, secret }, `The server runs at ${baseUrl}. Sandbox key: ${apiKey}`);
      if (target === undefined) await endedOrInterrupted;
      else await forwardEvents(openSession({ ...args, 'api-key': apiKey }, false), target, args, end);
      if (hasEnded(child) && !signal.aborted) throw new Rejected('The server ended.');
    } finally {
      if (!hasEnded(child) && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    }
  },
});
