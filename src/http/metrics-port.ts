import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { guarded, type Reporter } from '../platform/guard.ts';
import type { MetricsRequest } from './metrics-access.ts';
import { type Reply, writeReply } from './reply.ts';

/**
 * Serves `GET /metrics` on a separate port if the settings contain one. Returns a function that closes the port. Rejects with a system
 * error, for example if the port is in use.
 */
export async function openMetricsPort(
  { metricsPort, host }: { readonly metricsPort?: number | undefined; readonly host: string },
  answer: (request: MetricsRequest) => Promise<Reply>,
  log: Reporter,
): Promise<() => Promise<void>> {
  if (metricsPort === undefined) return async () => undefined;
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (incoming.method !== 'GET' || incoming.url?.split('?', 1)[0] !== '/metrics') {
      outgoing.writeHead(404).end();
      return;
    }
    const header = (name: string): string | null => {
      const value = incoming.headers[name];
      return typeof value === 'string' ? value : null;
    };
    await writeReply(outgoing, await answer({ header, socketAddress: incoming.socket.remoteAddress ?? '' }));
  };
  const server = createServer(
    guarded(log, 'The metrics could not be read.', serve, (_incoming, outgoing) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(metricsPort, host, resolve);
  });
  server.on('error', (error) =>
    log.error({ err: error }, 'A connection to the metrics could not be accepted.'),
  );
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}
