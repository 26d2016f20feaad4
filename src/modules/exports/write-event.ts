import type { OutboxEvent } from '../../outbox/write.ts';
import type { ExportRow } from './store.ts';

/** The event of an export that has ended: completed, and delivered where it was to be, or given up for a reason (DAT-35). */
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
