import type { Gateways } from './gateway.ts';
import { sandboxGateway } from './sandbox.ts';

/** The gateways of this installation. Only the sandbox gateway exists so far; it serves the provider `platform`. */
export const gateways: Gateways = {
  gatewayOf: (provider) => {
    if (provider === 'platform') return sandboxGateway;
    throw new Error(`There is no gateway for ${provider}.`);
  },
};
