import type { KeyPolicy } from './key-policy.ts';

/** Policy that limits nothing. */
export const openPolicy: KeyPolicy = {
  operations: null,
  customers: null,
  maxAmountPerCall: null,
  maxAmountPerDay: null,
  maxCallsPerHour: null,
  approveAbove: null,
  approveOperations: [],
};
