import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { startLetters } from './billing/letter-runner.ts';
import { takeModelPrices } from './billing/model-prices.ts';
import { startDispatcher } from './billing/webhook-dispatcher.ts';
import { startWorker } from './billing/worker.ts';
import type { App } from './context.ts';
import type { ComputeTax } from './domain/tax.ts';
import type { Gateways } from './gateway/gateway.ts';
import { openGateways } from './gateway/index.ts';
import { openAuth } from './infra/auth.ts';
import { type Clock, monotonicMs, systemClock } from './infra/clock.ts';
import type { Config } from './infra/config.ts';
import { type Database, openDatabase } from './infra/db.ts';
import { openJobs } from './infra/jobs.ts';
import { openLog } from './infra/log.ts';
import { openMail } from './infra/mail.ts';
import { migrate } from './infra/migrate.ts';
import { openPubSub } from './infra/pubsub.ts';
import { loadSecrets } from './infra/secrets.ts';
import { computeTax } from './infra/tax-tables.ts';
import { bootstrap } from './modules/api-keys/bootstrap.ts';
import { openSurface, type Surface } from './server.ts';

/** A running process: where it answers, what it holds, how it ends. */
export type Running = {
  readonly url: string;
  readonly app: App;
  /** Keys made by this start, when it made any; they are shown once. */
  readonly created: { readonly sandboxKey: string; readonly liveKey: string } | null;
  /** Finishes what was begun, then closes everything. */
  readonly close: () => Promise<void>;
};

type Parts = {
  readonly database?: Database;
  readonly wall?: Clock;
  readonly tax?: ComputeTax;
  /** Gateways in place of those the settings open. */
  readonly gateways?: (opened: Gateways) => Gateways;
};

/** Binds the address first, so that a taken port is told before anything is opened; requests wait for `serve`. */
async function bind(config: Config): Promise<{ server: Server; port: number; serve: (surface: Surface) => void }> {
  let surface: Surface | null = null;
  const waiting = Promise.withResolvers<Surface>();
  const listener = getRequestListener(async (request, { incoming }) => {
    const ready = surface ?? (await waiting.promise);
    return ready.fetch(request, incoming.socket.remoteAddress ?? '');
  });
  const server = createServer((incoming, outgoing) => {
    const answered = surface?.answer(incoming, outgoing) ?? false;
    if (answered === false) void listener(incoming, outgoing);
    else if (answered !== true) void answered.then((isDone) => (isDone ? undefined : listener(incoming, outgoing)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, () => resolve());
  });
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
  const { server, port, serve } = await bind(config);
  try {
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    const url = `http://${host}:${port}`;
    const settled: Config = config.hasPublicUrl ? config : { ...config, publicUrl: url };
    const database = parts.database ?? (await openDatabase(settled));
    await migrate(database);
    const pubsub = await openPubSub(settled, database);
    const secrets = await loadSecrets(database, settled);
    const log = openLog(settled.logLevel);
    const jobs = await openJobs(database, { isWorker: settled.role !== 'api', pollMs: settled.workerPollMs, log });
    const gateways = openGateways({ config: settled, database, secrets });
    const app: App = {
      config: settled,
      database,
      pubsub,
      secrets,
      gateways: parts.gateways?.(gateways) ?? gateways,
      tax: parts.tax ?? computeTax,
      auth: openAuth({ config: settled, database, secrets, log }),
      mail: openMail(settled),
      jobs,
      log,
      wall: parts.wall ?? systemClock,
    };
    const created = await bootstrap(app);
    const began = monotonicMs();
    const surface = openSurface(app);
    app.log.debug({ milliseconds: Math.round(monotonicMs() - began) }, 'The routes are built.');
    const closeSockets = surface.attach(server);
    const workers = settled.role === 'api' ? [] : [startWorker(app), startDispatcher(app), startLetters(app)];
    if (settled.role !== 'api') {
      await jobs.work('letters', app.mail.send);
      await jobs.work('ai-prices', () => takeModelPrices(app));
    }
    serve(surface);
    const close = async (): Promise<void> => {
      const closed = closeServer(server);
      await closeSockets();
      await Promise.all(workers.map((worker) => worker.stop()));
      server.closeIdleConnections();
      await closed;
      await app.jobs.close();
      app.mail.close();
      await pubsub.close();
      await database.close();
    };
    return { url, app, created, close };
  } catch (error) {
    server.close();
    throw error;
  }
}
