import type { Context } from '../../context.ts';
import { askedNow, putOff, type RailRequestRow, type RailSubject } from '../../domain/rail-request.ts';
import type { BankRail } from '../../gateway/bank-rail.ts';
import { lockDueRequests, updateRequests } from '../../infra/rail-rows.ts';
import { inTransaction } from '../../transaction.ts';
import { askAboutPayout } from './payout-rail.ts';
import { askAboutVerification } from './verification-rail.ts';

/** Requests asked about in one visit of the worker; further ones wait for the next, which comes at once. */
const most = 100;

/** How the rail is asked about each subject. */
const subjects: { readonly [S in RailSubject]: (ctx: Context, rail: BankRail, request: RailRequestRow) => Promise<void> } = {
  payout: askAboutPayout,
  verification: askAboutVerification,
};

/**
 * The requests that are due, as they were before they are noted as asked: that is committed before anybody asks, so that what is withdrawn later
 * is known to need the rail. A process without a rail asks nobody and puts them off.
 */
const claim = (ctx: Context): Promise<readonly RailRequestRow[]> =>
  inTransaction(ctx, async (tx) => {
    const now = tx.wall.now();
    const due = await lockDueRequests(tx.sql, now, most);
    const hasRail = ctx.app.gateways.bankRail !== undefined;
    await updateRequests(
      tx.sql,
      due.map((row) => (hasRail ? askedNow(row, now) : putOff(row, now))),
    );
    return hasRail ? due : [];
  });

/**
 * Asks the rail about what is due, so many at once as charges, and takes in each answer in a transaction of its own. One in trouble is logged
 * and asked about again at its next inquiry. Requests not begun by the time `goesOn` says no are too.
 */
export async function askRail(ctx: Context, goesOn: () => boolean): Promise<void> {
  const { app } = ctx;
  const waiting = [...(await claim(ctx))];
  const { bankRail } = app.gateways;
  if (bankRail === undefined) return;
  const askNext = async (): Promise<void> => {
    for (let request = waiting.shift(); request !== undefined && goesOn(); request = waiting.shift()) {
      try {
        await subjects[request.subject](ctx, bankRail, request);
      } catch (error) {
        ctx.log.error({ err: error, request: request.id }, 'The rail could not be asked, or its answer not be taken in.');
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(app.config.chargeConcurrency, waiting.length) }, askNext));
}
