import { type App, type Context, systemContext } from '../../../context.ts';
import { eventTopicPrefix } from '../../../outbox/write.ts';
import type { EnvironmentKey } from '../../../platform/queue/lease.ts';
import { type Leased, type LeasedLoop, startLeasedLoop } from '../../../platform/queue/leased-loop.ts';
import { emailLeases, findEmailWork, giveUpUnconfirmed } from '../store.ts';
import { sendEmails } from './batch.ts';
import { fanOutEmails } from './fan-out.ts';

/** Environments served at once by one process. */
const maxEnvironments = 4;

/** Batches sent for one environment before it makes room. */
const batchesPerVisit = 10;

/** Hints come with every commit, hundreds a second under usage and in a clock run, and a look takes a dozen statements: this often is often enough. */
const restMs = 250;

const leaseMs = 30_000;

/** How often a process that delivers no mail passes over events, so that nobody is written to about the past once it does. */
const silentMs = 60_000;

/** What sends emails in a process. */
export type EmailRunner = Pick<LeasedLoop, 'stop'>;

/** Gives up what a worker that is gone was sending. */
async function giveUpLost({ app, environment, log, sql, wall }: Context): Promise<void> {
  const lost = await giveUpUnconfirmed(sql, 'The process ended while it was being sent.', wall.now());
  if (lost === 0) return;
  log.warn(
    { environmentId: environment.id, notifications: lost },
    'No one knows whether emails went out; they are not sent again.',
  );
  for (let count = 0; count < lost; count++) app.mail.ended('unconfirmed');
}

/** Makes emails of new events of a leased environment and sends what is due. */
async function serve(app: App, { key, owner, goesOn }: Leased<EnvironmentKey>): Promise<void> {
  const { delivers } = app.mail;
  const ctx = await systemContext(app, key.environmentId, `emails ${owner}`);
  await giveUpLost(ctx);
  await fanOutEmails(ctx, owner, !delivers);
  for (let batch = 0; delivers && batch < batchesPerVisit && goesOn(); batch++) {
    if ((await sendEmails(ctx, owner)) === 0) break;
  }
}

/**
 * Starts writing to customers about what happened (PLT-9, PAY-20), and to organizations. It looks for events at once when they are hinted. An
 * environment in which a clock run works has its emails sent afterwards. A process whose mail arrives nowhere passes events over without making emails.
 */
export function startEmails(app: App): EmailRunner {
  const { config, database, log, mail, wall } = app;
  const loop = startLeasedLoop({
    about: 'Emails',
    log,
    now: () => wall.now(),
    database,
    table: emailLeases,
    places: maxEnvironments,
    leaseMs,
    pollMs: mail.delivers ? config.workerPollMs : silentMs,
    restMs,
    find: (limit, now, within) => findEmailWork(database.query, now, limit, mail.delivers, within),
    work: (leased) => serve(app, leased),
  });
  const stopListening = mail.delivers
    ? app.pubsub.onHintsBelow(eventTopicPrefix, (environmentId) => loop.wake(environmentId))
    : () => undefined;
  return {
    stop: async () => {
      stopListening();
      await loop.stop();
    },
  };
}
