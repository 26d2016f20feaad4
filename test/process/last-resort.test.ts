import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { type ChildStorage, childStorage } from '../support/storage.ts';

// Uncaught failures are triggered in a separate process, so the test can read its log and exit code.

describe('an uncaught error', { timeout: 120_000 }, () => {
  let storage: ChildStorage;
  let child: Child;
  beforeAll(async () => {
    storage = await childStorage({
      NODE_OPTIONS: `--import=${path.resolve(import.meta.dirname, '../support/provoke.ts')}`,
    });
    child = await startChild(storage.env);
  }, 120_000);
  afterAll(async () => {
    await child?.kill();
    await storage?.remove();
  });

  /** Returns the log lines with this message. */
  const logged = (
    message: string,
  ): { readonly level: number; readonly err: { readonly message: string } }[] =>
    child
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes(message))
      .map((line) => JSON.parse(line));

  test("is logged if it's a promise rejection, and the process continues", async () => {
    child.signal('SIGHUP');
    const lines = await eventually(
      () => logged('no one waited for it'),
      ({ length }) => length > 0,
    );
    expect(lines).toMatchObject([{ level: 50, err: { message: 'A provoked rejection' } }]);
    expect((await fetch(`${child.url}/readyz`)).status).toBe(200);
  });

  test("is logged as fatal if it's an exception, and the process shuts down with exit code 1", async () => {
    child.signal('SIGUSR2');
    expect(await child.ended).toBe(1);
    expect(logged('The process stops.')).toMatchObject([
      { level: 60, err: { message: 'A provoked exception' } },
    ]);
    expect(logged('could not stop in order')).toEqual([]);
    // The embedded database was closed properly, so it can be opened again. The new process handles a signal as soon as it prints its address.
    const again = await startChild({ ...storage.env, NODE_OPTIONS: '' });
    expect(await again.stop()).toBe(0);
  });
});
