import type { SealedColumn } from '../platform/reseal.ts';

/**
 * Every column that is stored sealed for longer than a day, so that it outlives a change of `APP_SECRET`. Answers under idempotency
 * keys that hold a secret are sealed too, and gone after 24 hours.
 */
export const sealedColumns = [
  { table: 'PaymentConnection', column: 'secretKey' },
  { table: 'PaymentConnection', column: 'webhookSecret' },
  { table: 'Webhook', column: 'sealedSecret' },
  { table: 'Webhook', column: 'previousSecret' },
  { table: 'ExportSchedule', column: 'sealedUrl' },
  { table: 'PayoutBankAccount', column: 'sealedNumber' },
  { table: 'PayoutBankAccount', column: 'sealedRoutingNumber' },
  { table: 'PayoutVerification', column: 'sealedDetails' },
] as const satisfies readonly SealedColumn[];
