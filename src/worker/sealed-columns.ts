import type { SealedColumn } from '../platform/reseal.ts';

/**
 * Columns with encrypted values that must remain readable after `APP_SECRET` changes. The list omits
 * stored responses of idempotency keys: their secrets are encrypted too, but removed after 24 hours.
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
