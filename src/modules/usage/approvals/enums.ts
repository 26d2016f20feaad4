import { builder } from '../../../graphql/reading/builder.ts';

export const ApprovalStatus = builder.enumType('ApprovalStatus', {
  description: 'Status of an approval.',
  values: {
    pending: { description: 'No member has decided yet.' },
    approved: { description: 'A member approved the request. An approved call can be made once.' },
    rejected: { description: 'A member rejected the request.' },
    used: {
      description: 'The approved call was made by the API key or by Quittance, or the limit was raised.',
    },
    expired: { description: 'No member decided within 24 hours, or the approved call was not made.' },
  } as const,
});

export const ApprovalDecision = builder.enumType('ApprovalDecision', {
  description: 'Decision about an approval.',
  values: {
    approve: { description: 'The call can be made once, or the limit is raised until its window ends.' },
    reject: { description: 'The call stays rejected.' },
  } as const,
});
