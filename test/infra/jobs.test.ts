import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/infra/db.ts';
import { type JobData, type Jobs, openJobs } from '../../src/infra/jobs.ts';
import { openLog } from '../../src/infra/log.ts';
import { freshDatabase } from '../support/template.ts';

let database: Database;
let drop: () => Promise<void>;
const opened: Jobs[] = [];

beforeAll(async () => {
  ({ database, drop } = await freshDatabase());
});
afterAll(async () => {
  await Promise.all(opened.map((jobs) => jobs.close()));
  await database.close();
  await drop();
});

const open = async (isWorker = false): Promise<Jobs> => {
  const jobs = await openJobs(database, { isWorker, pollMs: 500, log: openLog('silent') });
  opened.push(jobs);
  return jobs;
};

const letter = (subject: string): JobData['letters'] => ({ to: 'ada@shop.test', subject, text: 'Hello.' });

/** Takes letters until so many came, and answers their subjects. */
async function takeLetters(jobs: Jobs, count: number, handle: (subject: string) => void = () => undefined): Promise<string[]> {
  const subjects: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  await jobs.work('letters', async ({ subject }) => {
    handle(subject);
    subjects.push(subject);
    if (subjects.length === count) resolve();
  });
  await promise;
  return subjects;
}

test('a job exists exactly when the transaction that sends it commits, and is worked by another process once', async () => {
  const sender = await open();
  await expect(
    database.transaction(async ({ query }) => {
      await sender.send('letters', letter('undone'), { within: query });
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  await database.transaction(({ query }) => sender.send('letters', letter('kept'), { within: query }));
  await sender.send('letters', letter('alone 🎉'));
  const worker = await open(true);
  expect((await takeLetters(worker, 2)).sort()).toEqual(['alone 🎉', 'kept']);
  await worker.close();
  const left = await database.query<{ state: string; count: bigint }>('SELECT state::text, count(*) FROM pgboss.job GROUP BY state');
  expect(left).toEqual([{ state: 'completed', count: 2n }]);
});

test('a job whose handler throws waits to be tried again', async () => {
  const jobs = await open(true);
  await jobs.send('letters', letter('fails'));
  await jobs.send('letters', letter('goes'));
  await takeLetters(jobs, 1, (subject) => {
    if (subject === 'fails') throw new Error('The mail server is down.');
  });
  await jobs.close();
  const [row] = await database.query<{ state: string; startsLater: boolean }>(
    `SELECT state::text, start_after > now() + interval '15 seconds' AS "startsLater" FROM pgboss.job WHERE data->>'subject' = 'fails'`,
  );
  expect(row).toEqual({ state: 'retry', startsLater: true });
});

test('several processes open the queues of an empty database at once', async () => {
  await database.script('DROP SCHEMA pgboss CASCADE');
  // The embedded database has one process only, which opens them once.
  const jobs = database.kind === 'pglite' ? [await open(), await open()] : await Promise.all([open(), open(), open(true)]);
  await jobs[0]?.send('letters', letter('first'));
  const [row] = await database.query<{ count: bigint }>('SELECT count(*) FROM pgboss.job');
  expect(row?.count).toBe(1n);
});
