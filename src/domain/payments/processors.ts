// Payment processors that can charge the payers of an environment (PAY-11, PAY-13).
import { type Rejection, specificRejection } from '../errors/errors.ts';

/** Processors that are configured for an environment. Sandboxes always have the platform's processor. */
export type Processors = {
  /** True if the platform's processor is configured. */
  readonly platform: boolean;
  /** True if the organization has at least one connected account. */
  readonly own: boolean;
};

/**
 * Processor that a request specifies: a provider by name, or a connection of the organization. If neither is
 * set, any configured processor is accepted.
 */
type RequestedProcessor = { readonly provider?: string | null; readonly connectionId?: string | null };

/**
 * Returns the rejection for a charge without a configured processor. `null` if a processor is
 * configured.
 */
export function processorRejection(
  processors: Processors,
  { provider = null, connectionId = null }: RequestedProcessor = {},
): Rejection | null {
  const isAny = provider === null && connectionId === null;
  const isSetUp = isAny
    ? processors.platform || processors.own
    : provider === 'platform'
      ? processors.platform
      : processors.own;
  if (isSetUp) return null;
  return specificRejection('provider_unsupported', 'connect_first', {
    details: { reason: 'no_live_processor' },
  });
}
