// What can charge the payers of an environment (PAY-11, PAY-13).
import { type Rejection, specificRejection } from './errors.ts';

/** Which processors are set up. A sandbox always has the platform's. */
export type Processors = {
  /** The platform's own. */
  readonly platform: boolean;
  /** At least one account of the organization. */
  readonly own: boolean;
};

/**
 * A processor: a provider by name, or a connection of the organization. Any that is set up, where both are
 * null or absent.
 */
type Wish = { readonly provider?: string | null; readonly connectionId?: string | null };

/** The rejection where no processor is set up for a charge; null where one is. */
export function processorRejection(
  processors: Processors,
  { provider = null, connectionId = null }: Wish = {},
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
