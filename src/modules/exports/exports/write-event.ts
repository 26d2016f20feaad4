import type { OutboxEvent } from '../../../outbox/write.ts';
import type { ExportRow } from './store.ts';

/** Returns the event for the end of an export: completed (and delivered, if requested), or failed with a reason (DAT-35). */
export const endEvent = (
  { id, kind, format, rows, bytes, parts }: ExportRow,
  occurredAt: Date,
  error: string | null,
  isDelivered = false,
): OutboxEvent => ({
  kind: error === null ? 'export.completed' : 'export.failed',
  occurredAt,
  customerId: null,
  subscriptionId: null,
  data: {
    exportId: id,
    kind,
    format,
    ...(error === null
      ? { rows: Number(rows), bytes: Number(bytes), files: parts.length, delivered: isDelivered }
      : { error }),
  },
});
