import { writeBusiness } from './business-summary.ts';
import type { Figures } from './formats.ts';
import { bar, bold, count, dollars, green, heading, type Screen } from './terminal.ts';

/** Durations of the simulated year and the whole demo, in milliseconds. */
export type Timings = { readonly yearMs: number; readonly totalMs: number };

function writeInvoices(screen: Screen, { invoices }: Figures): void {
  heading(screen, 'Invoices');
  const row = (type: string, status: string, number: string, total: string): string =>
    `  ${type.padEnd(24)}${status.padEnd(20)}${number.padStart(12)}${total.padStart(20)}\n`;
  const all = Object.entries(invoices).flatMap(([type, statuses]) =>
    Object.entries(statuses).map(([status, group]) => ({ type, status, group })),
  );
  all.sort((a, b) => b.group.count - a.group.count);
  for (const { type, status, group } of all)
    screen.write(row(type, status, count(group.count), dollars(group.total)));
  const { count: number, total } = all.reduce(
    (so, { group }) => ({ count: so.count + group.count, total: so.total + group.total }),
    {
      count: 0,
      total: 0,
    },
  );
  screen.write(bold(screen, row('', '', count(number), dollars(total))));
}

function writeCollected(screen: Screen, { collected }: Figures): void {
  heading(screen, 'Money collected by month');
  const most = Math.max(...Object.values(collected), 1);
  for (const [month, cents] of Object.entries(collected)) {
    screen.write(`  ${month}  ${green(screen, bar(cents / most, 48))}${dollars(cents).padStart(19)}\n`);
  }
}

/** Prints counts in columns with the highest count first. Each count follows its word. */
function writeCounts(screen: Screen, title: string, counts: Record<string, number>, columns: number): void {
  heading(screen, title);
  const cells = Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([word, number]) => `${word.padEnd(28)}${count(number).padStart(8)}`);
  const rows = Math.ceil(cells.length / columns);
  for (let row = 0; row < rows; row++) {
    const line = cells.filter((_cell, index) => index % rows === row).join('    ');
    screen.write(`  ${line}\n`);
  }
}

/** Prints the summary: first the figures, which are the same for each run, then the durations. */
export function writeSummary(screen: Screen, figures: Figures, { yearMs, totalMs }: Timings): void {
  writeInvoices(screen, figures);
  writeCollected(screen, figures);
  writeCounts(screen, 'Subscriptions by status', figures.subscriptions, 2);
  writeCounts(screen, 'Events by type', figures.events, 2);
  heading(screen, 'Checked');
  const gaps = figures.numberGaps === 0 ? 'without gaps' : `with ${figures.numberGaps} missing numbers`;
  screen.write(
    `  Invoices are numbered ${gaps}; ledger and balances ${figures.isLedgerBalanced ? 'agree' : 'DISAGREE'}.\n`,
  );
  heading(screen, 'Speed');
  const perSecond = Math.round((figures.issuedInTheYear * 1_000) / Math.max(yearMs, 1));
  screen.write(
    `  ${count(figures.issuedInTheYear)} renewals and first charges after trials in ${(yearMs / 1_000).toFixed(1)} s:\n`,
  );
  screen.write(
    `  ${bold(screen, `${count(perSecond)} renewals per second`)}. The whole demo took ${(totalMs / 1_000).toFixed(1)} s.\n`,
  );
  writeBusiness(screen, figures.business);
  screen.write('\n');
}
