/** Policy (`KeyPolicy`) that limits nothing. Without imports, so that browsers can load it. */
export const openPolicy = {
  operations: null,
  customers: null,
  maxAmountPerCall: null,
  maxAmountPerDay: null,
  maxCallsPerHour: null,
  approveAbove: null,
  approveOperations: [],
} as const;
