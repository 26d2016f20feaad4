/** Messages of `validation_error` about payment attempts, by reason. */
export const attemptErrorMessages = {
  payer_document: 'This payment method requires a CPF or CNPJ with correct check digits. Enter the tax ID.',
  payer_address: 'This payment method requires a billing address. Enter the address.',
  attempt_stage: "A payment attempt that is {from} can't become {to} in a simulation.",
} as const;
