import type { OutboxEvent } from '../../outbox/write.ts';
import type { ExportRow } from './store.ts';

/** The event of an export that has ended: completed, or given up for a reason (DAT-35). */
export const endEvent = (
  { id, kind, format, rows, bytes, parts }: ExportRow,
  occurredAt: Date,
  error: string | null,
): OutboxEvent => ({
  kind: error === null ? 'export.completed' : 'export.failed',
  occurredAt,
  customerId: null,
  subscriptionId: null,
  data: {
    exportId: id,
    kind,
    format,
    ...(error === null ? { rows: Number(rows), bytes: Number(bytes), files: parts.length } : { error }),
  },
});
