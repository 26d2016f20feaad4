import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import type { App } from './context.ts';
import type { ComputeTax } from './domain/tax.ts';
import { openMetricsPort } from './http/metrics-port.ts';
import { openAuth } from './identity/auth.ts';
import { startEmails } from './modules/emails/worker/worker.ts';
import { startExportDeliveries, startExportSchedules } from './modules/export-schedules/worker.ts';
import { startExports } from './modules/exports/worker.ts';
import { startLedgerDays } from './modules/ledger-days/worker/worker.ts';
import { startMetrics } from './modules/metrics/worker/worker.ts';
import { bootstrap, type FirstOrganization } from './modules/provisioning/bootstrap.ts';
import { computeTax } from './modules/tax-registrations/compute-tax.ts';
import { startUsageDays } from './modules/usage-days/worker/worker.ts';
import { startDispatcher } from './modules/webhooks/worker/worker.ts';
import { type Clock, monotonicMs, systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { migrate } from './platform/db/migrate.ts';
import { openDatabase } from './platform/db/open.ts';
import type { Database } from './platform/db/pool.ts';
import { guarded } from './platform/guard.ts';
import { type Log, openLog } from './platform/log.ts';
import { openMail } from './platform/mail.ts';
import { openPubSub } from './platform/pubsub.ts';
import { loadSecrets, type Secrets } from './platform/secrets.ts';
import { tracedDatabase } from './platform/tracing/database.ts';
import { openTracing } from './platform/tracing/exporter.ts';
import { openGateways } from './providers/index.ts';
import type { Gateways } from './providers/provider.ts';
import { schema } from './schema.ts';
import { openSurface, type Surface } from './server.ts';
import { startWorker } from './worker/worker.ts';

/** A running process: where it answers, what it holds, how it ends. */
export type Running = {
  readonly url: string;
  readonly app: App;
  /** The organization this start made, where it made one; its secrets are shown once. */
  readonly created: FirstOrganization | null;
  /** Finishes what was begun, then closes everything. */
  readonly close: () => Promise<void>;
};

/** What may differ from what the settings say. */
type Replaceable = {
  readonly wall?: Clock;
  readonly tax?: ComputeTax;
  /** Gateways in place of those the settings open. */
  readonly gateways?: (opened: Gateways) => Gateways;
};

type Parts = Replaceable & {
  readonly database?: Database;
  /** Called with what the start does next, in a few words. */
  readonly onStep?: (step: string) => void;
};

/** Puts together what a process holds, on a migrated database. */
export async function createApp({
  config,
  database,
  secrets,
  log,
  ...parts
}: Replaceable & {
  readonly config: Config;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly log: Log;
}): Promise<App> {
  const gateways = openGateways({ config, database, secrets });
  const wall = parts.wall ?? systemClock;
  const app: App = {
    config,
    database,
    pubsub: await openPubSub(config, database, log),
    secrets,
    gateways: parts.gateways?.(gateways) ?? gateways,
    tax: parts.tax ?? computeTax,
    auth: openAuth({ config, database, secrets, log, wall, send: (message) => app.mail.send(message) }),
    mail: openMail(config),
    log,
    wall,
  };
  return app;
}

/** How often the server looks for requests whose time is up. */
const lookMs = 1_000;

/** How long a connection without a request stays open: longer than the minute proxies keep theirs, so that they close first. */
const keepAliveMs = 65_000;

/** How long the headers of a request may take, at most. */
const headersMs = 15_000;

/** What Node's server is opened with. A request that is not complete in time is answered 408 and its connection closed. */
const serverOptions = ({ requestTimeoutMs }: Config): ServerOptions => ({
  requestTimeout: requestTimeoutMs,
  headersTimeout: Math.min(headersMs, requestTimeoutMs),
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: Math.min(lookMs, requestTimeoutMs),
  // Other protocols may be offered but need not be taken up (RFC 9110, 7.8): such a request is answered like any other.
  shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
});

/** Binds the address first, so that a port in use is reported before anything is opened; requests wait for `serve`. */
async function bind(
  config: Config,
  log: Log,
): Promise<{ server: Server; port: number; serve: (surface: Surface) => void }> {
  let surface: Surface | null = null;
  const waiting = Promise.withResolvers<Surface>();
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> =>
    (surface ?? (await waiting.promise)).listen(incoming, outgoing);
  const server = createServer(
    serverOptions(config),
    guarded(log, 'A request could not be answered.', answer, (_incoming, outgoing) => outgoing.destroy()),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, () => resolve());
  });
  // A connection that cannot be accepted, since no file descriptor is free for instance, is one connection.
  server.on('error', (error) => log.error({ err: error }, 'A connection could not be accepted.'));
  return {
    server,
    port: (server.address() as AddressInfo).port,
    serve: (opened) => {
      surface = opened;
      waiting.resolve(opened);
    },
  };
}

/** How long answers under way may take once the process is asked to stop; streams, which have no end of their own, are cut then. */
const graceMs = 5_000;

/** Takes no more connections and waits for the answers under way. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}

/**
 * Starts what the role asks for: migrates the database, makes the first organization where there is none, then serves and works.
 * `parts` lets a test bring its own database, clock, tax computation or gateways. Throws ConfigurationError, DataDirectoryInUseError, MigrationError and what the system reports.
 */
export async function start(config: Config, parts: Parts = {}): Promise<Running> {
  const log = openLog(config.logLevel);
  const { server, port, serve } = await bind(config, log);
  try {
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    const url = `http://${host}:${port}`;
    const settled: Config = config.hasPublicUrl ? config : { ...config, publicUrl: url };
    const step = parts.onStep ?? (() => undefined);
    if (parts.database === undefined)
      step(settled.databaseUrl === undefined ? 'Opening the embedded database' : 'Connecting to PostgreSQL');
    const endTracing = await openTracing(settled.tracing);
    const opened = parts.database ?? (await openDatabase(settled));
    const database = settled.tracing.endpoint === undefined ? opened : tracedDatabase(opened);
    await migrate(database, (waiting) =>
      step(`Applying ${waiting === 1 ? '1 migration' : `${waiting} migrations`}`),
    );
    step('Starting the services');
    const secrets = await loadSecrets(database, settled);
    const app = await createApp({ ...parts, config: settled, database, secrets, log });
    const created = await bootstrap(app);
    const began = monotonicMs();
    const surface = openSurface(app);
    app.log.debug({ milliseconds: Math.round(monotonicMs() - began) }, 'The routes are built.');
    const closeSockets = surface.attach(server);
    const closeMetrics = await openMetricsPort(settled, surface.metrics, log);
    const workers =
      settled.role === 'api'
        ? []
        : [
            startWorker(app),
            startDispatcher(app),
            startEmails(app),
            startLedgerDays(app),
            startUsageDays(app),
            startMetrics(app),
            startExports(app, schema),
            startExportSchedules(app),
            startExportDeliveries(app),
          ];
    serve(surface);
    const close = async (): Promise<void> => {
      surface.leave();
      // A load balancer that asks for readiness sends nothing here any more before the server closes.
      if (settled.shutdownDelayMs > 0) await rest(settled.shutdownDelayMs);
      const closed = closeServer(server);
      await closeSockets();
      await closeMetrics();
      await Promise.all(workers.map((worker) => worker.stop()));
      server.closeIdleConnections();
      await closed;
      app.mail.close();
      await app.pubsub.close();
      await database.close();
      await endTracing();
    };
    return { url, app, created, close };
  } catch (error) {
    server.close();
    throw error;
  }
}
