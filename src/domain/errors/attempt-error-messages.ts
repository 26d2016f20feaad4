/** Messages of `validation_error` about payment attempts, by reason. */
export const attemptErrorMessages = {
  payer_document: 'This payment method requires a CPF or CNPJ with correct check digits. Enter the tax ID.',
  payer_address: 'This payment method requires a billing address. Enter the address.',
  attempt_stage: "A payment attempt that is {from} can't become {to} in a simulation.",
  statement_malformed: "The file isn't well-formed. Export the statement again, and check the format.",
  statement_doctype: 'The file contains a document type declaration, which is not allowed in statements.',
  statement_format:
    'The file is not a statement in the format camt.053, versions 02 to 13. Choose the format of the file.',
  statement_entries: 'The file has more than {most} entries. Import a shorter period.',
  statement_columns:
    'The file has no entries with the columns of the date and the amount. Enter the names of the columns.',
  receipt_future: 'Money can only be recorded after it arrived. Enter a time that is not in the future.',
  receipt_used: 'The receipt has no money left. Its whole amount was applied or returned.',
  receipt_invoice:
    "Money can't be applied to this invoice. Choose an outstanding invoice without a charge in progress.",
  receipt_currency: "The invoice isn't in {currency}, the currency of the receipt. Choose another invoice.",
  receipt_amount: 'The amount exceeds {most}, the largest amount that can be applied, in minor units.',
  receipt_checkout:
    'A checkout is paid only in full. Apply the whole amount, or choose an invoice that was issued.',
} as const;
