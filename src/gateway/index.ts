import type { Config } from '../infra/config.ts';
import type { Query } from '../infra/db.ts';
import type { Secrets } from '../infra/secrets.ts';
import { openBankRail } from './bank-rail.ts';
import type { Gateways } from './gateway.ts';
import { noRail } from './no-rail.ts';
import { openRail } from './rail.ts';
import { openRailVault } from './rail-vault.ts';
import { sandboxGateway } from './sandbox.ts';
import { stripeGateway } from './stripe.ts';

/** What gateways are opened with. */
export type GatewayParts = {
  readonly config: Pick<Config, 'railUrl' | 'stripeUrl' | 'chargeTimeoutMs'>;
  readonly database: { readonly query: Query };
  readonly secrets: Pick<Secrets, 'decrypt'>;
};

/**
 * The gateways of this installation. The provider `platform` is the built-in gateway in every sandbox, and in live environments the processor
 * whose address the settings give; without an address live money waits. `stripe` is every Stripe account of an organization.
 */
export function openGateways({ config, database, secrets }: GatewayParts): Gateways {
  const timeoutMs = config.chargeTimeoutMs;
  const rail = config.railUrl === undefined ? null : { url: config.railUrl, timeoutMs };
  const live = rail === null ? noRail : openRail(rail);
  const stripe = stripeGateway({ query: database.query, secrets, settings: { url: config.stripeUrl, timeoutMs } });
  return {
    ...(rail === null ? {} : { bankRail: openBankRail(rail), railVault: openRailVault(rail) }),
    gatewayOf: (provider, livemode) => {
      if (provider === 'platform') return livemode ? live : sandboxGateway;
      if (provider === 'stripe') return stripe;
      throw new Error(`There is no gateway for ${provider}.`);
    },
  };
}
