import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    countries: { because: reasons.more, text: '{ countries { code name } }', variables: none },
  },
};
