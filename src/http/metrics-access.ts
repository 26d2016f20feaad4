import { hash, timingSafeEqual } from 'node:crypto';
import { specificError } from '../domain/errors/errors.ts';
import { isLoopback } from '../platform/client-address.ts';

/** Parts of a request for the process metrics that determine access. Header names are lowercase. */
export type MetricsRequest = {
  readonly header: (name: string) => string | null;
  readonly socketAddress: string;
};

const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

const digest = (text: string): Buffer => Buffer.from(hash('sha256', text, 'hex'), 'hex');

/**
 * Throws if the caller may not read the metrics. If a token is configured, requires it as the bearer token and otherwise throws
 * `unauthorized`. If no token is configured, a separate port is open to all requests, but the main port allows only direct requests from
 * the same machine and otherwise throws `forbidden`.
 */
export function demandMetricsAccess(
  {
    metricsToken: token,
    metricsPort: port,
  }: { readonly metricsToken?: string | undefined; readonly metricsPort?: number | undefined },
  { header, socketAddress }: MetricsRequest,
): void {
  if (token !== undefined) {
    const [, provided = ''] = /^Bearer +(\S+)$/i.exec(header('authorization') ?? '') ?? [];
    if (timingSafeEqual(digest(provided), digest(token))) return;
    throw specificError('unauthorized', 'metrics_token');
  }
  const isPassedOn = forwardingHeaders.some((name) => header(name) !== null);
  if (port !== undefined || (isLoopback(socketAddress) && !isPassedOn)) return;
  throw specificError('forbidden', 'metrics_elsewhere');
}
