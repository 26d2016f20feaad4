import { eventTopicPrefix } from '../../../../outbox/write.ts';
import type { EnvironmentKey } from '../../../../platform/queue/lease.ts';
import type { Leased } from '../../../../platform/queue/leased-loop.ts';
import { type App, type Context, systemContext } from '../../../../request/context.ts';
import { declareLoop } from '../../../../request/loop.ts';
import { emailLeases, endUnconfirmed, findEmailWork } from '../store.ts';
import { sendEmails } from './batch.ts';
import { fanOutEmails } from './fan-out.ts';

/** Maximum number of environments whose emails one process sends at the same time. */
const maxEnvironments = 4;

/** Maximum number of batches that are sent for one environment before other environments get a turn. */
const batchesPerVisit = 10;

/**
 * Pause between searches for environments with new events or due emails. Usage and clock runs commit hundreds of times
 * per second, and each search runs a dozen SQL statements.
 */
const restMs = 250;

const leaseMs = 30_000;

/**
 * Interval between runs that skip events, in a process that doesn't send emails. Skipping prevents emails about past
 * events once emails are turned on.
 */
const silentMs = 60_000;

/** Marks the emails that a worker was sending when it died as `unconfirmed`. */
async function endLost({ app, environment, log, sql, wall }: Context): Promise<void> {
  const lost = await endUnconfirmed(sql, 'The process ended while the email was being sent.', wall.now());
  if (lost === 0) return;
  log.warn(
    { environmentId: environment.id, notifications: lost },
    'Emails may have been sent before their process ended. They are not sent again.',
  );
  for (let count = 0; count < lost; count++) app.mail.ended('unconfirmed');
}

/** Creates emails for new events of a leased environment, and sends due emails. */
async function serve(app: App, { key, owner, goesOn }: Leased<EnvironmentKey>): Promise<void> {
  const { delivers } = app.mail;
  const ctx = await systemContext(app, key.environmentId, `emails ${owner}`);
  await endLost(ctx);
  await fanOutEmails(ctx, owner, !delivers);
  for (let batch = 0; delivers && batch < batchesPerVisit && goesOn(); batch++) {
    if ((await sendEmails(ctx, owner)) === 0) break;
  }
}

/**
 * Loop that sends emails about events to customers (PLT-9, PAY-20) and organizations. A notification about new events starts a search.
 * During a clock run, the environment's emails wait until the run ends. A process that doesn't send emails skips events without creating
 * emails.
 */
export const emailLoop = declareLoop<EnvironmentKey>('emails', (app) => {
  const { config, database, mail } = app;
  return {
    about: 'Emails',
    table: emailLeases,
    places: maxEnvironments,
    leaseMs,
    pollMs: mail.delivers ? config.workerPollMs : silentMs,
    restMs,
    wakesOn: mail.delivers ? eventTopicPrefix : null,
    find: (limit, now, within) => findEmailWork(database.query, now, limit, mail.delivers, within),
    work: (leased) => serve(app, leased),
  };
});
