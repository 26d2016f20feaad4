// The platform's own processor in live environments of an installation that has none set up: nobody can be charged on it. What was begun with a provider
// that is gone, a refund for instance, is inquired about until there is one again; that money moved is never made up.
import type { ChargeResult } from '../domain/provider.ts';
import type { RemoteGateway } from './provider.ts';

const silence = (): Promise<ChargeResult> => Promise.resolve({ status: 'unknown' });

/** Says nothing about anything it is asked. */
export const noPlatformProcessor: RemoteGateway = {
  local: false,
  charge: silence,
  inquire: silence,
  find: () => Promise.reject(new Error('There is no rail that could tell what it has on record.')),
  cancel: silence,
};
