import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/pool.ts';
import { openLog } from '../../src/platform/log.ts';
import { leaseTable } from '../../src/platform/queue/lease-table.ts';
import {
  type LeasedLoop,
  type LeasedLoopOptions,
  startLeasedLoop,
} from '../../src/platform/queue/leased-loop.ts';
import { eventually } from '../support/eventually.ts';
import { freshDatabase } from '../support/template.ts';

type TaskKey = { readonly name: string };

const table = leaseTable<TaskKey>('ScheduledTask', ['name']);
const start = new Date('2027-03-01T00:00:00.000Z');
let database: Database;
let drop: () => Promise<void>;
let now = start;
const loops: LeasedLoop[] = [];

beforeAll(async () => {
  ({ database, drop } = await freshDatabase());
});
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()));
  await database.query('DELETE FROM "ScheduledTask"');
  now = start;
});
afterAll(async () => {
  await database.close();
  await drop();
});

const add = (...names: string[]): Promise<unknown> =>
  database.query(
    'INSERT INTO "ScheduledTask" (name, "dueAt", failures) SELECT name, $2, 0 FROM unnest($1::text[]) AS t(name)',
    [names, start],
  );

const remove = ({ name }: TaskKey): Promise<unknown> =>
  database.query('DELETE FROM "ScheduledTask" WHERE name = $1', [name]);

/** Starts a loop that processes all due rows that aren't leased. */
function run(options: Pick<LeasedLoopOptions<TaskKey>, 'work'> & Partial<LeasedLoopOptions<TaskKey>>) {
  const loop = startLeasedLoop<TaskKey>({
    about: 'Rows',
    log: openLog('silent'),
    now: () => now,
    // With `postgres`, the loop respects other processes' leases.
    database: {
      kind: 'postgres',
      query: database.query,
      share: database.share,
      isDistributed: async () => false,
    },
    table,
    places: 2,
    leaseMs: 30_000,
    pollMs: 20,
    find: (limit, at) =>
      database.query<TaskKey>(
        `SELECT name FROM "ScheduledTask" WHERE "dueAt" <= $1 AND ("leaseUntil" IS NULL OR "leaseUntil" <= $1) ORDER BY name LIMIT $2`,
        [at, limit],
      ),
    ...options,
  });
  loops.push(loop);
  return loop;
}

test('a leased loop processes as many rows as it has slots, and starts another row when one is done', async () => {
  await add('a', 'b', 'c');
  const begun: string[] = [];
  const gates = new Map(['a', 'b', 'c'].map((name) => [name, Promise.withResolvers<void>()]));
  run({
    work: async ({ key }) => {
      begun.push(key.name);
      await gates.get(key.name)?.promise;
      await remove(key);
    },
  });
  await eventually(async () => begun.length === 2);
  expect(begun).toEqual(['a', 'b']);
  gates.get('b')?.resolve();
  await eventually(async () => begun.length === 3);
  for (const gate of gates.values()) gate.resolve();
});

test("a leased loop frees the slot that a row yields, and keeps the row's lease", async () => {
  await add('a', 'b');
  const begun: string[] = [];
  const answer = Promise.withResolvers<void>();
  run({
    places: 1,
    work: async ({ key, stepAside }) => {
      begun.push(key.name);
      if (key.name === 'a') {
        await stepAside();
        await answer.promise;
      }
      await remove(key);
    },
  });
  await eventually(async () => begun.length === 2);
  expect(begun).toEqual(['a', 'b']);
  expect(await table.lease(database.query, { name: 'a' }, 'someone else', now, now)).toBe(false);
  answer.resolve();
});

test('a leased loop retries a failed row after five seconds, without delaying other rows', async () => {
  await add('a', 'b');
  const begun: string[] = [];
  const loop = run({
    places: 1,
    work: async ({ key }) => {
      begun.push(key.name);
      if (begun.length === 1) throw new Error('The first attempt fails.');
      await remove(key);
    },
  });
  await eventually(async () => begun.length === 2);
  expect(begun).toEqual(['a', 'b']);
  now = new Date(start.getTime() + 5_000);
  loop.wake();
  await eventually(async () => begun.length === 3);
  expect(begun).toEqual(['a', 'b', 'a']);
});

test('two leased loops never process the same row concurrently, and a stopped loop releases its rows', async () => {
  const names = Array.from({ length: 20 }, (_none, index) => `row ${index}`);
  await add(...names);
  const done: string[] = [];
  const work = async ({ key }: { readonly key: TaskKey }): Promise<void> => {
    done.push(key.name);
    await remove(key);
  };
  const [first] = [run({ work }), run({ work })];
  await first.stop();
  await eventually(async () => done.length >= names.length);
  expect(done.toSorted()).toEqual(names.toSorted());
});

test('an idle leased loop stops immediately on request', async () => {
  let looks = 0;
  const loop = run({
    restMs: 60_000,
    find: async () => {
      looks++;
      return [];
    },
    work: async () => undefined,
  });
  await eventually(() => looks === 1);
  const began = performance.now();
  await loop.stop();
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(looks).toBe(1);
});

/** Counts the searches of a loop without work during this time. */
async function searchesWithin(ms: number, options: Partial<LeasedLoopOptions<TaskKey>> = {}) {
  let searches = 0;
  const loop = run({
    pollMs: 10,
    find: async () => {
      searches++;
      return [];
    },
    work: async () => undefined,
    ...options,
  });
  await sleep(ms);
  return { loop, searches: () => searches };
}

test('a leased loop searches rarely while the service is quiet, and every `pollMs` while the service writes', async () => {
  // The pauses are 10, 20, 40, 80, 160, and 300 ms.
  const quiet = await searchesWithin(500);
  expect(quiet.searches()).toBeLessThanOrEqual(7);
  const before = quiet.searches();
  quiet.loop.stir();
  await eventually(() => quiet.searches() > before);
  const writing = await searchesWithin(0, { pollMs: 5 });
  const timer = setInterval(() => writing.loop.stir(), 5);
  // The pauses of a quiet service would add up to more than 10 seconds.
  await eventually(() => writing.searches() > 80);
  clearInterval(timer);
});

test('a leased loop without work searches when the next work becomes due', async () => {
  const dueAt = Date.now() + 800;
  const foundAt: number[] = [];
  await searchesWithin(0, {
    pollMs: 100,
    now: () => new Date(),
    findNextDue: async () => new Date(dueAt),
    find: async () => {
      if (Date.now() >= dueAt) foundAt.push(Date.now());
      return [];
    },
  });
  await eventually(() => foundAt.length > 0);
  // Without the next due time, the searches would start 100, 300, 700, and 1,500 ms after the first search.
  expect(foundAt[0]).toBeGreaterThanOrEqual(dueAt);
  expect(foundAt[0] ?? 0).toBeLessThan(dueAt + 600);
});

test("a leased loop signals its work to stop if another process has taken over the lease, and doesn't release the new lease", async () => {
  await add('a');
  const ended = Promise.withResolvers<void>();
  run({
    leaseMs: 30,
    work: async ({ goesOn }) => {
      await database.query(`UPDATE "ScheduledTask" SET "leaseOwner" = 'other', "leaseUntil" = $1`, [
        new Date('2999-01-01T00:00:00Z'),
      ]);
      await eventually(async () => !goesOn());
      ended.resolve();
    },
  });
  await ended.promise;
  await Promise.all(loops.splice(0).map((loop) => loop.stop()));
  const [row] = await database.query<{ leaseOwner: string }>('SELECT "leaseOwner" FROM "ScheduledTask"');
  expect(row?.leaseOwner).toBe('other');
});

/**
 * Starts a loop over the environments in a distributed database. `looks` lists the searches: an environment's ID, or `null` if the loop
 * searches all environments.
 */
async function runFar(options: Partial<LeasedLoopOptions<{ environmentId: string }>> = {}) {
  const due = new Set<string>();
  const looks: (string | null)[] = [];
  const served: string[] = [];
  const loop = startLeasedLoop<{ environmentId: string }>({
    about: 'Environments',
    log: openLog('silent'),
    now: () => now,
    database: {
      kind: 'postgres',
      query: database.query,
      share: database.share,
      isDistributed: async () => true,
    },
    table: {
      isOfEnvironments: true,
      lease: async () => true,
      extend: async () => true,
      release: async () => undefined,
      forget: async () => undefined,
    },
    places: 1,
    leaseMs: 30_000,
    pollMs: 60_000,
    find: async (limit, _now, within) => {
      looks.push(within);
      return [...due]
        .filter((environmentId) => within === null || within === environmentId)
        .slice(0, limit)
        .map((environmentId) => ({ environmentId }));
    },
    work: async ({ key }) => {
      served.push(key.environmentId);
      due.delete(key.environmentId);
    },
    ...options,
  });
  loops.push(loop);
  if (options.find === undefined) await eventually(() => looks.length > 0);
  return { due, looks, served, loop };
}

test('a leased loop on several servers searches the environments that it was notified about or has worked on', async () => {
  const { due, looks, served, loop } = await runFar();
  due.add('env_a');
  loop.wake('env_a');
  await eventually(() => looks.length === 3);
  expect(looks).toEqual([null, 'env_a', 'env_a']);
  expect(served).toEqual(['env_a']);
});

test('a leased loop on several servers searches all environments after several polls or after missing notifications', async () => {
  const { due, looks, served, loop } = await runFar({ pollMs: 5 });
  due.add('env_b');
  await eventually(() => served.includes('env_b'));
  const { due: others, looks: far, served: done, loop: waiting } = await runFar();
  others.add('env_c');
  waiting.wake(null);
  await eventually(() => done.includes('env_c'));
  expect(far.filter((within) => within === null)).toHaveLength(2);
  expect(looks).toContain('env_b');
  await loop.stop();
});

test('a leased loop on several servers searches all servers sooner after a notification in a quiet service', async () => {
  const { looks, loop } = await runFar({ pollMs: 20 });
  const cluster = () => looks.filter((within) => within === null).length;
  // The searches of all servers start after 0, 300, and 900 ms. The next search would start 1,200 ms later.
  await eventually(() => cluster() === 3);
  loop.wake('env_a');
  const woken = performance.now();
  await eventually(() => cluster() === 4);
  expect(performance.now() - woken).toBeLessThan(1_000);
});

test('a leased loop on several servers queues environments while no slot is free, and processes them one by one', async () => {
  const { due, looks, served, loop } = await runFar();
  for (const name of ['a', 'b', 'c', 'd']) due.add(`env_${name}`);
  loop.wake(null);
  await eventually(() => served.length === 4);
  expect(served).toEqual(['env_a', 'env_b', 'env_c', 'env_d']);
  expect(looks.filter((within) => within === null)).toHaveLength(2);
});

test('a leased loop on several servers combines many notifications into one search', async () => {
  const { due, looks, served, loop } = await runFar();
  for (let index = 0; index < 20; index++) {
    due.add(`env_${index}`);
    loop.wake(`env_${index}`);
  }
  await eventually(() => served.length === 20);
  expect(looks.filter((within) => within === null).length).toBeLessThanOrEqual(6);
});

test('a leased loop on several servers continues with other environments while one server is unreachable', async () => {
  const names = [...Array.from({ length: 20 }, (_, index) => `env_${index}`), 'env_a', 'env_b'];
  const due = new Set(names);
  const served: string[] = [];
  let isAway = true;
  const { loop } = await runFar({
    pollMs: 20,
    find: async (_limit, _now, within) => {
      if (isAway && (within === null || within === 'env_a')) throw new Error('The server is away.');
      return [...due]
        .filter((environmentId) => within === null || within === environmentId)
        .map((environmentId) => ({ environmentId }));
    },
    work: async ({ key: { environmentId } }) => {
      served.push(environmentId);
      due.delete(environmentId);
    },
  });
  for (const name of names) loop.wake(name);
  await eventually(() => served.length === names.length - 1);
  expect(served).not.toContain('env_a');
  isAway = false;
  await eventually(() => served.includes('env_a'));
});
