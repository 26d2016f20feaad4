import { verificationInput } from '../payouts.ts';
import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'POST /payouts/verification': async () => ({}),
  },
  provocations: {
    'POST /payouts/verification': { endpoint_deprecated: async () => ({}) },
  },
  unrouted: {
    payoutAccount: { because: reasons.rule, text: '{ payoutAccount { status country } }', variables: none },
    payoutVerification: {
      because: reasons.rule,
      text: '{ payoutVerification { status reasons { code } } }',
      variables: none,
    },
    payoutVerificationSubmit: {
      because: reasons.rule,
      text: 'mutation ($input: PayoutVerificationSubmitInput!) { payoutVerificationSubmit(input: $input) { status } }',
      variables: async () => ({ input: verificationInput() }),
    },
  },
};
