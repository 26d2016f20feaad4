import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockDataDirectory } from '../../src/platform/db/data-directory.ts';
import type { Order } from '../support/lock-racer.ts';
import { serverUrl } from '../support/template.ts';

// Two processes with the same embedded database would corrupt the data. LOCK_ROUNDS sets the number of races.

const rounds = Number(process.env['LOCK_ROUNDS'] ?? 40);
const racerCount = 3;

/** Delay in milliseconds until all processes try to acquire the lock simultaneously. */
const leadMs = 5;

const startRacer = async (): Promise<ChildProcess> => {
  const racer = fork(path.resolve(import.meta.dirname, '../support/lock-racer.ts'), { stdio: 'inherit' });
  await once(racer, 'message');
  return racer;
};

/** Sends a command to a process and returns its response. */
async function emit(racer: ChildProcess, order: Order): Promise<unknown> {
  const answered = once(racer, 'message');
  racer.send(order);
  const [answer] = await answered;
  return answer;
}

// Only the embedded database uses data directories, so this test doesn't run on a database server.
describe.skipIf(serverUrl() !== undefined)(
  'the lock on a data directory',
  { timeout: Math.max(60_000, rounds * 3_000) },
  () => {
    let directory: string;
    let racers: ChildProcess[];
    beforeAll(async () => {
      directory = await mkdtemp(path.join(tmpdir(), 'quittance-lock-'));
      racers = await Promise.all(Array.from({ length: racerCount }, startRacer));
    });
    afterAll(async () => {
      for (const racer of racers) racer.kill('SIGKILL');
      await rm(directory, { recursive: true, force: true });
    });

    /** Makes all processes try to acquire the lock at the same time. Returns their results after the holder has released it. */
    async function race(place: string): Promise<unknown[]> {
      const at = Date.now() + leadMs;
      const said = await Promise.all(racers.map((racer) => emit(racer, { take: place, at })));
      await Promise.all(racers.map((racer) => emit(racer, 'release')));
      return said.toSorted();
    }

    const oneHolds = [...Array.from({ length: racerCount - 1 }, () => 'DataDirectoryInUseError'), 'held'];

    test(`is acquired by exactly one of ${racerCount} processes in a new directory, in ${rounds} rounds`, async () => {
      for (let round = 0; round < rounds; round++)
        expect(await race(path.join(directory, `fresh-${round}`))).toEqual(oneHolds);
    });

    test(`is acquired by exactly one of ${racerCount} processes after its holder is killed, in ${rounds} rounds`, async () => {
      const place = path.join(directory, 'dead');
      for (let round = 0; round < rounds; round++) {
        const holder = await startRacer();
        expect(await emit(holder, { take: place, at: 0 })).toBe('held');
        const ended = once(holder, 'exit');
        holder.kill('SIGKILL');
        await ended;
        expect(await race(place)).toEqual(oneHolds);
      }
    });

    test("can't be acquired while the process that holds it is suspended, but can be acquired after that process is killed", async () => {
      const place = path.join(directory, 'frozen');
      const holder = await startRacer();
      expect(await emit(holder, { take: place, at: 0 })).toBe('held');
      holder.kill('SIGSTOP');
      await expect(lockDataDirectory(place)).rejects.toThrow(`is open in process ${holder.pid}.`);
      const ended = once(holder, 'exit');
      holder.kill('SIGKILL');
      await ended;
      await (await lockDataDirectory(place))();
    });

    test("can't be acquired twice in one process, but can be acquired again after it's released", async () => {
      const place = path.join(directory, 'own');
      const release = await lockDataDirectory(place);
      await expect(lockDataDirectory(place)).rejects.toThrow(`is open in process ${process.pid}.`);
      await release();
      await (await lockDataDirectory(place))();
    });
  },
);
