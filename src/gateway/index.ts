import type { Config } from '../infra/config.ts';
import type { Gateways } from './gateway.ts';
import { openRail } from './rail.ts';
import { sandboxGateway } from './sandbox.ts';

/**
 * The gateways of this installation. The provider `platform` is the sandbox gateway, or the processor whose address the settings give.
 */
export function openGateways(config: Pick<Config, 'railUrl' | 'chargeTimeoutMs'>): Gateways {
  const platform = config.railUrl === undefined ? sandboxGateway : openRail({ url: config.railUrl, timeoutMs: config.chargeTimeoutMs });
  return {
    gatewayOf: (provider) => {
      if (provider === 'platform') return platform;
      throw new Error(`There is no gateway for ${provider}.`);
    },
  };
}
