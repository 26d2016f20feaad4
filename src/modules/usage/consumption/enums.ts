import { builder } from '../../../graphql/reading/builder.ts';

export const ConsumptionEntryType = builder.enumType('ConsumptionEntryType', {
  description: 'Type of a ledger entry for credits or a balance.',
  values: {
    grant: {
      description:
        'Credits or balance were granted because the first usage window started, or because the included amount increased.',
    },
    reset: {
      description:
        'A new usage window started. The included amount was granted again, or a negative balance was cleared.',
    },
    expiry: { description: 'A usage window ended, and the unused amount expired.' },
    consumption: { description: 'Usage of a feature was deducted.' },
    return: {
      description: 'Additional usage lowered the price of earlier usage, and the difference was returned.',
    },
    purchase: { description: 'Credits were purchased.' },
    topup: { description: 'The balance was topped up.' },
    adjustment: { description: 'The credits or the balance were adjusted manually.' },
    revoke: { description: 'A granted lot was revoked.' },
    applied: { description: 'An amount was transferred to the overdraft to offset a negative balance.' },
    rollover: { description: 'The unused amount of a usage window moved to a lot for later windows.' },
    refund: { description: 'A refund or a lost dispute removed the unused amount.' },
  },
});

export const ConsumptionCause = builder.enumType('ConsumptionCause', {
  description: 'Cause of a ledger entry for credits or a balance.',
  values: {
    usage_event: { description: 'The entry was caused by a usage event.' },
    invoice: { description: 'The entry was caused by the invoice of a purchase.' },
    window: { description: 'The entry was caused by the start of a usage window.' },
    raise: {
      description:
        'The entry was caused by a change in the catalog that increased the included amount of the current window.',
    },
    expiry: { description: 'The entry was caused by the end of a lot.' },
    manual: { description: 'The entry was caused by a manual adjustment or a granted lot.' },
  },
});
