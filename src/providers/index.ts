import type { Config } from '../platform/config.ts';
import type { Query } from '../platform/db/pool.ts';
import type { Secrets } from '../platform/secrets.ts';
import { noPlatformProcessor } from './no-payout-provider.ts';
import { openPayoutProvider } from './payout-provider.ts';
import { openPlatformProcessor } from './platform.ts';
import { openPlatformProcessorVault } from './platform-vault.ts';
import type { Gateways } from './provider.ts';
import { sandboxGateway } from './sandbox.ts';
import { stripeGateway } from './stripe.ts';

/** What gateways are opened with. */
export type GatewayParts = {
  readonly config: Pick<Config, 'platformProcessorUrl' | 'stripeUrl' | 'chargeTimeoutMs'>;
  readonly database: { readonly query: Query };
  readonly secrets: Pick<Secrets, 'decrypt'>;
};

/**
 * The gateways of this installation. The provider `platform` is the built-in gateway in every sandbox, and in live environments the processor
 * whose address the settings give; without an address live money waits. `stripe` is every Stripe account of an organization.
 */
export function openGateways({ config, database, secrets }: GatewayParts): Gateways {
  const timeoutMs = config.chargeTimeoutMs;
  const platformProcessor =
    config.platformProcessorUrl === undefined ? null : { url: config.platformProcessorUrl, timeoutMs };
  const live = platformProcessor === null ? noPlatformProcessor : openPlatformProcessor(platformProcessor);
  const stripe = stripeGateway({
    query: database.query,
    secrets,
    settings: { url: config.stripeUrl, timeoutMs },
  });
  return {
    ...(platformProcessor === null
      ? {}
      : {
          payoutProvider: openPayoutProvider(platformProcessor),
          platformProcessorVault: openPlatformProcessorVault(platformProcessor),
        }),
    gatewayOf: (provider, livemode) => {
      if (provider === 'platform') return livemode ? live : sandboxGateway;
      if (provider === 'stripe') return stripe;
      throw new Error(`There is no gateway for ${provider}.`);
    },
  };
}
