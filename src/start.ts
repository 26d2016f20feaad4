import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import type { ComputeTax } from './domain/tax/tax.ts';
import { guard } from './engine/policy/guard.ts';
import { openMetricsPort } from './http/metrics-port.ts';
import { openAuth } from './identity/auth.ts';
import { bootstrap, type FirstOrganization } from './modules/organization/provisioning/bootstrap.ts';
import { computeTax } from './modules/organization/tax-registrations/compute-tax.ts';
import { type Clock, monotonicMs, systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { migrate } from './platform/db/migrate.ts';
import { openDatabase } from './platform/db/open.ts';
import type { Database } from './platform/db/pool.ts';
import { guarded } from './platform/guard.ts';
import { type Log, openLog } from './platform/log.ts';
import { openMail } from './platform/mail.ts';
import { openPubSub } from './platform/pubsub.ts';
import { openVisits } from './platform/queue/visits.ts';
import { loadSecrets, type Secrets } from './platform/secrets.ts';
import { tracedDatabase } from './platform/tracing/database.ts';
import { openTracing } from './platform/tracing/exporter.ts';
import { openGateways } from './providers/index.ts';
import type { Gateways } from './providers/provider.ts';
import type { App } from './request/context.ts';
import { RequestLog } from './request/log/request-log.ts';
import { schema } from './schema.ts';
import { openSurface, type Surface } from './server.ts';
import { allLoops, startLoops } from './worker/loops.ts';

export type Running = {
  readonly url: string;
  readonly app: App;
  /** Organization created during this startup. `null` if an organization already existed. The organization's secrets are available only here. */
  readonly created: FirstOrganization | null;
  /** Completes running work, then closes all connections and servers. */
  readonly close: () => Promise<void>;
};

/** Components of the process that tests can replace. */
type Replaceable = {
  readonly wall?: Clock;
  readonly tax?: ComputeTax;
  /** Receives the gateways that the settings configure, and returns the gateways to use instead. */
  readonly gateways?: (opened: Gateways) => Gateways;
};

type Parts = Replaceable & {
  readonly database?: Database;
  /** Called before each startup step with a short description. */
  readonly onStep?: (step: string) => void;
};

/** Creates the state that all requests of a process share. The database must be migrated. */
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
    visits: openVisits(),
    rejections: new Map(),
    guard,
    requestLog: new RequestLog(config, database, log, wall),
  };
  return app;
}

/** Interval between the server's checks for timed-out requests, in milliseconds. */
const lookMs = 1_000;

/**
 * Time in milliseconds that an idle connection stays open. This time is longer than the usual 60 seconds of proxies, so
 * that the proxy closes the connection first.
 */
const keepAliveMs = 65_000;

/** Maximum time in milliseconds to receive the headers of a request. */
const headersMs = 15_000;

/** HTTP server options. A request that isn't received in time gets a 408 response, and its connection is closed. */
const serverOptions = ({ requestTimeoutMs }: Config): ServerOptions => ({
  requestTimeout: requestTimeoutMs,
  headersTimeout: Math.min(headersMs, requestTimeoutMs),
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: Math.min(lookMs, requestTimeoutMs),
  // Only WebSocket upgrades are supported. Requests for other protocols are handled as plain HTTP (RFC 9110, section 7.8).
  shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
});

/** Binds the port before anything else opens, so that a port conflict is reported early. Requests wait until `serve` is called. */
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
  // Keeps the server running if a connection can't be accepted, for example because no file descriptor is free.
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

/** Maximum time for open responses to complete after a shutdown signal. Their connections are then closed, because event streams never end. */
const graceMs = 5_000;

/** Stops accepting connections and waits for open responses. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}

/**
 * Starts a process for the configured role: migrates the database, creates the first organization if it doesn't exist, and starts the server and the
 * workers. Tests replace components with `parts`. Throws ConfigurationError, DataDirectoryInUseError, MigrationError and system errors.
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
    opened.share.onOutage((place, isOut) => {
      if (isOut) log.error({ place }, 'A part of the database does not respond. Its requests are rejected.');
      else log.warn({ place }, 'A part of the database responds again.');
    });
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
    const loops = startLoops(app, settled.role === 'api' ? [] : allLoops(schema));
    serve(surface);
    const close = async (): Promise<void> => {
      surface.leave();
      // Time that load balancers need to detect that the process isn't ready and to stop sending requests.
      if (settled.shutdownDelayMs > 0) await rest(settled.shutdownDelayMs);
      const closed = closeServer(server);
      await closeSockets();
      await closeMetrics();
      await loops.stop();
      server.closeIdleConnections();
      await closed;
      await app.requestLog.flush();
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
