import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiKey, root } from './children.ts';

/** Milliseconds from `npm start` to the first response, with an embedded database in a new directory and in an existing one. */
export type StartUp = { readonly freshMs: number; readonly existingMs: number };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port.');
  return address.port;
}

/** Sends an authenticated request repeatedly until the server responds. */
async function firstAnswer(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}.`);
    try {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/customers`, {
        headers: { 'x-api-key': apiKey },
      });
      if (response.status === 200) return;
      throw new Error(`The first response has the status ${response.status}.`);
    } catch (error) {
      // The server isn't listening yet.
      if (!(error instanceof TypeError)) throw error;
      await sleep(10);
    }
  }
}

async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: '',
      REDIS_URL: '',
      DATA_DIR: dataDir,
      PORT: String(port),
      BOOTSTRAP_API_KEY: apiKey,
    },
    stdio: 'ignore',
    // The processes form a group, so npm, its shell, and the server can be stopped together.
    detached: true,
  });
  const ended = once(child, 'exit');
  try {
    await firstAnswer(port, child);
    return performance.now() - began;
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

/** Starts Quittance twice in a new directory, then deletes the directory. */
export async function measureStartUp(): Promise<StartUp> {
  const parent = await mkdtemp(path.join(tmpdir(), 'quittance-bench-'));
  try {
    const dataDir = path.join(parent, 'data');
    const freshMs = await startOnce(dataDir);
    // The server may exit after npm does. It releases the directory lock only when it exits.
    await sleep(1_000);
    return { freshMs, existingMs: await startOnce(dataDir) };
  } finally {
    await sleep(1_000);
    await rm(parent, { recursive: true, force: true });
  }
}
