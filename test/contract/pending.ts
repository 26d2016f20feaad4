/** Operations of the contract that are not offered yet. */
export const pending: readonly string[] = [
  'GET /customers/{id}/plan-grants',
  'POST /customers/{id}/plan-grants',
  'PATCH /customers/{id}/plan-grants/{grantId}',
  'POST /customers/{id}/plan-grants/{grantId}/revoke',
  'POST /payouts',
  'POST /payouts/bank-accounts',
  'POST /payouts/verification',
];
