/** Operations of the contract that are not offered yet. */
export const pending: readonly string[] = [
  'POST /payouts',
  'POST /payouts/bank-accounts',
  'POST /payouts/verification',
];
