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

export type GatewayParts = {
  readonly config: Pick<Config, 'platformProcessorUrl' | 'stripeUrl' | 'chargeTimeoutMs'>;
  readonly database: { readonly query: Query };
  readonly secrets: Pick<Secrets, 'decrypt'>;
};

/**
 * Creates the installation's payment gateways. `platform` is the built-in gateway in sandboxes and the configured payment provider in live
 * environments; without a configured provider, live payments stay pending. `stripe` serves all connected Stripe accounts.
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
