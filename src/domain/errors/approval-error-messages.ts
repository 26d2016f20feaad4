/** Messages for decisions about approvals that are invalid, by reason of the code `validation_error`. */
export const approvalErrorMessages = {
  approval_decided: 'A member has already decided about this approval.',
  approval_expired: 'This approval has expired. Repeat the call to request another approval.',
  run_rejected: "A rejected call can't run. Approve the call, or omit `run`.",
  run_usage: "Quittance can't make calls that record usage. Approve without `run`.",
  run_secret:
    'The response to this operation contains a secret, so only the API key can make the call. Approve without `run`.',
  run_incomplete:
    "The arguments contain a payment method or a secret, which Quittance doesn't store. Approve without `run`, so that the API key can repeat the call.",
  run_key:
    'The API key that requested this call was deleted or has expired, so the call was not made. Reject the request.',
} as const;
