import { type Db, PgBoss } from 'pg-boss';
import type { Database, Query } from './db.ts';
import type { Log } from './log.ts';
import { isUniqueViolation } from './unique.ts';

// Work that may wait and is tried again: letters, prices of AI models and the like. It lies in the schema `pgboss` of the same database, so a job can be sent in the
// transaction that causes it. Jobs run at least once, after operational time; what has a schedule of its own keeps rows of its own instead.

/** What each queue carries. */
export type JobData = {
  /** A letter to send: who, and what it says. */
  readonly letters: { readonly to: string; readonly subject: string; readonly text: string; readonly html?: string };
  /** The prices of AI models are to be read anew. */
  readonly 'ai-prices': Readonly<Record<string, never>>;
};

/** Name of a queue. */
export type QueueName = keyof JobData;

/** How the jobs of a queue are tried again: this often, after a delay in seconds that doubles. */
const queues: Readonly<Record<QueueName, { readonly retryLimit: number; readonly retryDelay: number }>> = {
  letters: { retryLimit: 8, retryDelay: 30 },
  'ai-prices': { retryLimit: 8, retryDelay: 30 },
};

/** How the process hands over work, and takes it. */
export type Jobs = {
  /** Stores a job: with `within`, the query of an open transaction, it exists exactly when that commits. */
  readonly send: <Q extends QueueName>(queue: Q, data: JobData[Q], options?: { readonly within?: Query }) => Promise<void>;
  /** Works the jobs of a queue one by one; one whose handler throws is tried again later. */
  readonly work: <Q extends QueueName>(queue: Q, handle: (data: JobData[Q]) => Promise<void>) => Promise<void>;
  /** Finishes the jobs under way. */
  readonly close: () => Promise<void>;
};

/** Where pg-boss keeps its tables. */
const schema = 'pgboss';

/** The shortest pause between two looks for jobs that pg-boss takes. */
const shortestPollSeconds = 0.5;

const ownDatabase = (database: Database): Db => ({
  executeSql: async (text, values) => ({ rows: await database.plain(text, values) }),
});

const inTransactionOf = (query: Query): Db => ({ executeSql: async (text, values) => ({ rows: await query(text, values) }) });

/** Makes the schema of the queues. Of several processes that do so at once one is first, and the server refuses the others what then exists. */
async function makeSchema(database: Database): Promise<void> {
  await database.plain(`CREATE SCHEMA IF NOT EXISTS ${schema}`, []).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
  });
}

/** Makes the queues that do not exist. Several processes may come at once. */
async function makeQueues(boss: PgBoss): Promise<void> {
  const existing = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const [name, { retryLimit, retryDelay }] of Object.entries(queues)) {
    if (!existing.has(name)) await boss.createQueue(name, { retryLimit, retryDelay, retryBackoff: true });
  }
}

/**
 * Opens the queues, making or migrating their schema under a lock where that is needed. With `isWorker` this process also does their
 * housekeeping. `pollMs` is how often a worker looks for jobs, half a second or more.
 */
export async function openJobs(
  database: Database,
  settings: { readonly isWorker: boolean; readonly pollMs: number; readonly log: Log },
): Promise<Jobs> {
  const boss = new PgBoss({
    db: ownDatabase(database),
    backend: database.kind,
    schema,
    schedule: false,
    supervise: settings.isWorker,
  });
  boss.on('error', (error) => settings.log.error({ err: error }, 'The job queue failed and goes on.'));
  await makeSchema(database);
  await boss.start();
  await makeQueues(boss);
  return {
    send: async (queue, data, { within } = {}) => {
      await boss.send(queue, data, within === undefined ? {} : { db: inTransactionOf(within) });
    },
    work: async (queue, handle) => {
      const pollingIntervalSeconds = Math.max(shortestPollSeconds, settings.pollMs / 1_000);
      await boss.work<JobData[typeof queue]>(queue, { pollingIntervalSeconds }, async (jobs) => {
        for (const { data } of jobs) await handle(data);
      });
    },
    close: () => boss.stop({ close: false }),
  };
}
