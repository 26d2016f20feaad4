import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    currencies: { because: reasons.more, text: '{ currencies { code decimals } }', variables: none },
  },
};
