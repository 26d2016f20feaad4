import { countEndings, nextAttemptAt } from '../../../domain/events/webhooks.ts';
import { type PutResult, put } from '../../../platform/http-put.ts';
import { isPublicAddress } from '../../../platform/public-address.ts';
import type { Leased } from '../../../platform/queue/leased-loop.ts';
import { type App, type Context, systemContext, type TransactionContext } from '../../../request/context.ts';
import { hintChange, inTransaction, recordEvents } from '../../../request/transaction.ts';
import { allowsPrivateAddresses } from '../../messages/webhooks/store.ts';
import { piecesOf } from '../exports/read-file.ts';
import { fileName } from '../exports/sign-link.ts';
import { type ExportKey, type ExportRow, readExport } from '../exports/store.ts';
import { endEvent } from '../exports/write-event.ts';
import { contentTypeOf } from '../exports/write-file.ts';
import { addressOf, namesFiles } from './check-address.ts';
import { noteDelivery, noteRetry, noteScheduleDelivery, type ScheduleRow, scheduleRows } from './store.ts';

/** Maximum duration of one file upload. */
const mostMs = 3_600_000;

/** Thrown if the process stops before the file is uploaded. The next worker uploads the whole file again. */
class Interrupted extends Error {
  override name = 'Interrupted';
}

/** Reason why a delivery attempt failed. A final failure isn't retried. `null` if the attempt succeeded. */
type Failure = { readonly reason: string; readonly isFinal: boolean } | null;

/** Azure Blob Storage requires this header for uploads. Other services ignore it. */
const headersFor = (url: string): Readonly<Record<string, string>> =>
  new URL(url).hostname.endsWith('.blob.core.windows.net') ? { 'x-ms-blob-type': 'BlockBlob' } : {};

/** Describes a failed upload in a message for the merchant. */
function reasonOf({ status, answer, error }: PutResult): string {
  if (status === null) return `The file could not be sent: ${error ?? 'no response'}.`.replace(/\.\.$/, '.');
  const more = answer === null || answer === '' ? '' : ` ${answer.slice(0, 300)}`;
  if (status >= 300 && status < 400)
    return `The receiver returned ${status}. Redirects aren't followed.${more}`;
  if (status === 401 || status === 403)
    return `The receiver returned ${status}. If the URL is signed, it may have expired. Set a new URL.${more}`;
  return `The receiver returned ${status}.${more}`;
}

/** Uploads one export file. Throws `Interrupted` if the process stops. */
async function putFile(
  ctx: Context,
  { goesOn }: Pick<Leased<ExportKey>, 'goesOn'>,
  row: ExportRow,
  number: number,
  template: string,
): Promise<Failure> {
  const url = addressOf(template, fileName(row, number));
  const size = row.parts[number - 1]?.bytes ?? 0;
  const pieces = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const piece of piecesOf(ctx, { exportId: row.id, part: number }, 0, size)) {
      if (!goesOn()) throw new Interrupted();
      yield piece;
    }
  };
  const result = await put({
    url,
    size,
    pieces,
    headers: {
      'User-Agent': 'Quittance',
      'Content-Type': contentTypeOf(row),
      ...headersFor(url),
    },
    idleMs: ctx.app.config.webhookTimeoutMs,
    mostMs,
    isPublicOnly: !allowsPrivateAddresses(ctx),
    isAnswerEmitted: isPublicAddress,
  });
  const isTaken = result.status !== null && result.status >= 200 && result.status < 300;
  return isTaken ? null : { reason: reasonOf(result), isFinal: false };
}

/** Uploads all files of an export, one after another. */
async function putAll(
  ctx: Context,
  leased: Pick<Leased<ExportKey>, 'goesOn'>,
  row: ExportRow,
  template: string,
): Promise<Failure> {
  if (row.parts.length > 1 && !namesFiles(template))
    return {
      reason: `The export has ${row.parts.length} files, but the URL doesn't distinguish them. Add {file} to the URL.`,
      isFinal: true,
    };
  for (let number = 1; number <= row.parts.length; number++) {
    const failure = await putFile(ctx, leased, row, number, template);
    if (failure !== null) return failure;
  }
  return null;
}

/** Result and start time of a delivery attempt. */
type Attempt = { readonly failure: Failure; readonly isSent: boolean; readonly begunAt: Date };

/** Updates the schedule after a delivery ends. Disables the schedule after several consecutive failures. */
async function countFor(tx: TransactionContext, schedule: ScheduleRow, error: string | null): Promise<void> {
  const ending = error === null ? 'succeeded' : 'failed';
  const { failedInRow, isDisabled } = countEndings(schedule.failedInRow, [ending]);
  const isPaused = isDisabled && schedule.isActive;
  await noteScheduleDelivery(tx.sql, {
    id: schedule.id,
    failedInRow,
    deliveryError: error,
    isActive: schedule.isActive && !isDisabled,
    updatedAt: isPaused ? tx.clock.now() : schedule.updatedAt,
  });
}

/**
 * Records a delivery attempt in one transaction. If the delivery continues, stores the time of the next attempt. If the
 * delivery ends, also updates the schedule and emits the event.
 */
const noteAttempt = (
  ctx: Context,
  row: ExportRow,
  owner: string,
  { failure, isSent, begunAt }: Attempt,
): Promise<void> =>
  inTransaction(
    ctx,
    async (tx) => {
      // Lock the schedule before the export. An update of the schedule's URL takes the locks in the same order.
      const schedule = row.scheduleId === null ? null : await scheduleRows.findLocked(tx, row.scheduleId);
      const key = { id: row.id, owner };
      hintChange(tx);
      const next = failure === null || failure.isFinal ? null : nextAttemptAt(row.failures + 1, begunAt);
      if (failure !== null && next !== null) return noteRetry(tx.sql, key, failure.reason, next);
      const error = failure?.reason ?? null;
      const now = tx.wall.now();
      if (!(await noteDelivery(tx.sql, key, { error, now, deliveredAt: isSent ? now : null }))) return;
      if (schedule !== null) await countFor(tx, schedule, error);
      await recordEvents(tx, [endEvent(row, tx.clock.now(), error, isSent)]);
    },
    { clockLock: 'none' },
  );

/**
 * Uploads all files in a leased export to the schedule's current URL and records the result. Replaces the partial upload of a worker that
 * died. If the schedule no longer has a URL, the export completes without delivery.
 */
export async function deliverExport(
  app: App,
  { key, owner, goesOn }: Pick<Leased<ExportKey>, 'key' | 'owner' | 'goesOn'>,
): Promise<void> {
  const ctx = await systemContext(app, key.environmentId, 'export delivery');
  const row = await readExport(ctx.sql, key.id);
  if (row === null || row.status !== 'delivering') return;
  const begunAt = app.wall.now();
  const schedule = row.scheduleId === null ? null : await scheduleRows.find(ctx, row.scheduleId);
  const sealedUrl = schedule?.sealedUrl ?? null;
  try {
    const failure =
      sealedUrl === null ? null : await putAll(ctx, { goesOn }, row, ctx.app.secrets.decrypt(sealedUrl));
    const isSent = sealedUrl !== null && failure === null;
    await noteAttempt(ctx, row, owner, { failure, isSent, begunAt });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}
