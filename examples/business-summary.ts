import type { Business, MrrMonth } from './business.ts';
import { bar, bold, count, dim, dollars, green, heading, type Screen } from './terminal.ts';

/** Formats an amount in ten-thousandths of a dollar as dollars and cents. */
function amount(rate: number, isSigned = false): string {
  const text = dollars(Math.round(Math.abs(rate) / 100));
  if (rate === 0 && isSigned) return '·';
  return rate < 0 ? `−${text}` : isSigned ? `+${text}` : text;
}

const percent = (bps: number | null): string => (bps === null ? '–' : `${(bps / 100).toFixed(1)} %`);

const gained = ({ movements: { new: began = 0, reactivation = 0, expansion = 0 } }: MrrMonth): number =>
  began + reactivation + expansion;

/** Prints the revenue changes of each month, from opening to closing revenue. */
function writeWaterfall(screen: Screen, { mrr }: Business): void {
  heading(screen, 'Recurring revenue by month');
  const columns = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(13)).join('');
  screen.write(dim(screen, `  ${' '.repeat(7)}${columns(['Opening', 'Gained', 'Lost', 'Closing'])}\n`));
  const most = Math.max(...mrr.map(({ closing }) => closing), 1);
  for (const month of mrr) {
    const [up, down] = [gained(month), month.closing - month.opening - gained(month)];
    const cells = [amount(month.opening), amount(up, true), amount(down, true), amount(month.closing)];
    screen.write(`  ${month.month}${columns(cells)}  ${green(screen, bar(month.closing / most, 16))}\n`);
  }
}

function writeRetention(screen: Screen, { retention }: Business): void {
  heading(screen, 'Retention at the end of the year');
  for (const { months, netBps, grossBps, customerBps } of retention) {
    const since = `${months} month${months === 1 ? '' : 's'} before`;
    screen.write(
      `  ${since.padEnd(20)}net ${percent(netBps).padStart(8)}   gross ${percent(grossBps).padStart(8)}   customers ${percent(customerBps).padStart(8)}\n`,
    );
  }
}

/** Maximum number of months to show per cohort, limited by the terminal's width. */
const shownMonths = 12;

function writeCohorts(screen: Screen, { cohorts }: Business): void {
  heading(screen, 'Paying customers by month of first payment, at the end of each month');
  for (const { month, customers } of cohorts) {
    const cells = customers.slice(0, shownMonths).map((paying) => count(paying).padStart(5));
    screen.write(`  ${month}  ${cells.join('')}\n`);
  }
}

/** Prints the year's business results. */
export function writeBusiness(screen: Screen, business: Business): void {
  writeWaterfall(screen, business);
  writeRetention(screen, business);
  writeCohorts(screen, business);
  const last = business.mrr.at(-1);
  if (last === undefined) return;
  const text = `${amount(last.closing)} a month from ${count(last.customers)} customers`;
  screen.write(`\n  ${bold(screen, text)}, ${amount(last.closing * 12)} a year.\n`);
}
