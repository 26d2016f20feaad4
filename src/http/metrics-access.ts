import { hash, timingSafeEqual } from 'node:crypto';
import { specificError } from '../domain/errors.ts';
import { isLoopback } from '../platform/client-address.ts';

/** A request for the metrics: its headers by lower-case name, and the address of its socket. */
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
 * Lets a request for the metrics through or throws. With a token, requests that send it as Bearer may read them: `unauthorized` for others. Without
 * one, everybody may on a port of its own, and on the port of the service this machine alone, by a call that no proxy passed on: `forbidden` for others.
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
