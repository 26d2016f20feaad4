import { type App, type Context, systemContext } from '../context.ts';
import { newId } from '../infra/ids.ts';
import {
  extendLetterLease,
  findLetterWork,
  forgetLetterLeases,
  giveUpUnconfirmed,
  leaseLetters,
  releaseLetters,
} from '../infra/letter-rows.ts';
import { isEventTopic } from '../infra/outbox.ts';
import { Bell } from './bell.ts';
import { sendLetters } from './letter-batch.ts';
import { fanOutLetters } from './letter-fan-out.ts';

/** What writes to customers in a process. */
export type LetterRunner = {
  /** Finishes the letters under way and ends. */
  readonly stop: () => Promise<void>;
};

/** Environments served at once by one process. */
const maxAtOnce = 4;

/** Batches sent for one environment before it makes room. */
const batchesPerVisit = 10;

/** Hints come with every commit, hundreds a second under usage and in a clock run, and a look takes a dozen statements: this often is often enough. */
const restMs = 250;

/** How long a lease lasts, and how often it is extended while letters are under way. */
const leaseMs = 30_000;
const extendMs = 10_000;

/** How often a process that delivers no mail passes over events, so that nobody is written to about the past once it does. */
const silentMs = 60_000;

/**
 * Starts writing to customers about what happened (PLT-9, PAY-20). It looks for events at once when they are hinted, every `workerPollMs`
 * otherwise. Environments are leased, so that one worker at a time writes for each; any number may share a database. An environment in
 * which a clock run works has its letters written afterwards. A process whose mail
 * arrives nowhere passes events over without making letters.
 */
export function startLetters(app: App): LetterRunner {
  const { config, database, log, mail, wall } = app;
  const owner = newId('wrk');
  const bell = new Bell();
  let isStopping = false;
  const until = (): Date => new Date(wall.now().getTime() + leaseMs);

  const write = async (ctx: Context): Promise<void> => {
    const lost = await giveUpUnconfirmed(ctx.sql, 'The process ended while it was being sent.', wall.now());
    if (lost > 0) {
      log.warn({ environmentId: ctx.environment.id, letters: lost }, 'Nobody knows whether letters went out; they are not sent again.');
      for (let count = 0; count < lost; count++) mail.ended('unconfirmed');
    }
    await fanOutLetters(ctx, owner, !mail.delivers);
    for (let batch = 0; mail.delivers && batch < batchesPerVisit && !isStopping; batch++) {
      if ((await sendLetters(ctx, owner)) === 0) break;
    }
  };

  const serve = async (environmentId: string): Promise<void> => {
    try {
      const ctx = await systemContext(app, environmentId, `letters ${owner}`);
      if (!(await leaseLetters(ctx.sql, owner, wall.now(), until()))) return;
      const extending = setInterval(() => {
        extendLetterLease(ctx.sql, owner, until()).catch((error: unknown) =>
          log.error({ err: error }, 'A lease of letters was not extended.'),
        );
      }, extendMs);
      try {
        await write(ctx);
      } finally {
        clearInterval(extending);
        await releaseLetters(ctx.sql, owner, wall.now());
      }
    } catch (error) {
      log.error({ err: error, environmentId }, 'Letters of an environment could not be written.');
    }
  };

  const run = async (): Promise<void> => {
    if (database.kind === 'pglite') await forgetLetterLeases(database.query);
    while (!isStopping) {
      let found: string[] = [];
      try {
        found = await findLetterWork(database.query, wall.now(), maxAtOnce);
        await Promise.all(found.map(serve));
      } catch (error) {
        log.error({ err: error }, 'Letters could not be looked for; it goes on after a pause.');
      }
      await new Promise((resolve) => setTimeout(resolve, restMs));
      const pauseMs = mail.delivers ? config.workerPollMs : silentMs;
      if (!isStopping && found.length < maxAtOnce) await bell.wait(pauseMs);
    }
  };

  const stopListening = mail.delivers
    ? app.pubsub.onAnyHint((topic) => {
        if (isEventTopic(topic)) bell.ring();
      })
    : () => undefined;
  const running = run();
  return {
    stop: async () => {
      isStopping = true;
      stopListening();
      bell.ring();
      await running;
    },
  };
}
