import { type App, type Context, systemContext, type TransactionContext } from '../../context.ts';
import { countEndings, nextAttemptAt } from '../../domain/webhooks.ts';
import { type PutResult, put } from '../../platform/http-put.ts';
import { isPublicAddress } from '../../platform/public-address.ts';
import type { Leased } from '../../platform/queue/leased-loop.ts';
import { hintChange, inTransaction, recordEvents } from '../../transaction.ts';
import { piecesOf } from '../exports/read-file.ts';
import { fileName } from '../exports/sign-link.ts';
import { type ExportKey, type ExportRow, readExport } from '../exports/store.ts';
import { endEvent } from '../exports/write-event.ts';
import { contentTypeOf } from '../exports/write-file.ts';
import { allowsPrivateAddresses } from '../webhooks/store.ts';
import { addressOf, namesFiles } from './check-address.ts';
import {
  lockSchedule,
  noteDelivery,
  noteRetry,
  noteScheduleDelivery,
  readSchedule,
  type ScheduleRow,
} from './store.ts';

/** How long one file may take, whatever its receiver does. */
const mostMs = 3_600_000;

/** The work ends before the file is sent. The next worker sends all of it. */
class Interrupted extends Error {
  override name = 'Interrupted';
}

/** What came of an attempt: null for success, or why there was none and whether another one could help. */
type Failure = { readonly reason: string; readonly isFinal: boolean } | null;

/** The service of Azure takes files only with this header, and others do not mind it. */
const headersFor = (url: string): Readonly<Record<string, string>> =>
  new URL(url).hostname.endsWith('.blob.core.windows.net') ? { 'x-ms-blob-type': 'BlockBlob' } : {};

/** Why an answer is no success, in words for the person who made the schedule. */
function reasonOf({ status, answer, error }: PutResult): string {
  if (status === null) return `The file could not be sent: ${error ?? 'no answer'}.`.replace(/\.\.$/, '.');
  const more = answer === null || answer === '' ? '' : ` ${answer.slice(0, 300)}`;
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}: redirects are not followed.${more}`;
  if (status === 401 || status === 403)
    return `The receiver answered ${status}: a signed address may have expired, and needs another one.${more}`;
  return `The receiver answered ${status}.${more}`;
}

/** Puts one file of an export to its address. Throws Interrupted where the work does not go on. */
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

/** Puts all files of an export, one after the other. */
async function putAll(
  ctx: Context,
  leased: Pick<Leased<ExportKey>, 'goesOn'>,
  row: ExportRow,
  template: string,
): Promise<Failure> {
  if (row.parts.length > 1 && !namesFiles(template))
    return {
      reason: `There are ${row.parts.length} files, and one address for all: it needs {file} where their names go.`,
      isFinal: true,
    };
  for (let number = 1; number <= row.parts.length; number++) {
    const failure = await putFile(ctx, leased, row, number, template);
    if (failure !== null) return failure;
  }
  return null;
}

/** What an attempt came to, and when it began. */
type Attempt = { readonly failure: Failure; readonly isSent: boolean; readonly begunAt: Date };

/** Counts the end of a delivery for its schedule, which is paused after several failures in a row. */
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

/** Notes an attempt: when the next one is due, or the end of the delivery with what follows for its schedule and with its event, in one transaction. */
const noteAttempt = (
  ctx: Context,
  row: ExportRow,
  owner: string,
  { failure, isSent, begunAt }: Attempt,
): Promise<void> =>
  inTransaction(
    ctx,
    async (tx) => {
      // The schedule comes first, as where its address is changed.
      const schedule = row.scheduleId === null ? null : await lockSchedule(tx.sql, row.scheduleId);
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
 * Sends the files of a leased export to the address its schedule has now, from their beginning, and notes what came of it. A worker that is gone leaves nothing
 * but bytes at the receiver, which the next one replaces. Where there is no address any more, the export is complete without.
 */
export async function deliverExport(
  app: App,
  { key, owner, goesOn }: Pick<Leased<ExportKey>, 'key' | 'owner' | 'goesOn'>,
): Promise<void> {
  const ctx = await systemContext(app, key.environmentId, 'export delivery');
  const row = await readExport(ctx.sql, key.id);
  if (row === null || row.status !== 'delivering') return;
  const begunAt = app.wall.now();
  const schedule = row.scheduleId === null ? null : await readSchedule(ctx.sql, row.scheduleId);
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
