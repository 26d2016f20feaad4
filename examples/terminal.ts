// Terminal output with 80 columns. Colors and progress lines are only used on interactive terminals.

export type Screen = { readonly write: (text: string) => void; readonly isTty: boolean };

const style =
  (code: number) =>
  (screen: Screen, text: string): string =>
    screen.isTty ? `\u001b[${code}m${text}\u001b[0m` : text;

export const bold = style(1);
export const dim = style(2);
export const green = style(32);

/** Returns a bar of `width` columns, filled to `share` (0 to 1) in steps of an eighth of a column. */
export function bar(share: number, width: number, empty = ' '): string {
  const eighths = Math.round(Math.min(Math.max(share, 0), 1) * width * 8);
  const partial = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8] ?? '';
  return `${'█'.repeat(Math.floor(eighths / 8))}${partial}`.padEnd(width, empty);
}

/** Formats an integer with thousands separators. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** Formats non-negative US cents as dollars. Uses integer arithmetic. */
export const dollars = (cents: number): string =>
  `$${count((cents - (cents % 100)) / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Prints a completed step with its result and duration. */
export function step(screen: Screen, title: string, result: string, ms: number): void {
  const seconds = `${(ms / 1_000).toFixed(1)} s`;
  screen.write(
    `  ${green(screen, '✓')} ${title.padEnd(15)}${result.padEnd(54)}${dim(screen, seconds.padStart(7))}\n`,
  );
}

/** Prints a heading. */
export const heading = (screen: Screen, text: string): void => screen.write(`\n  ${bold(screen, text)}\n\n`);

/**
 * Progress line. On an interactive terminal, the line is updated in place; otherwise, a line is printed at
 * every 20%.
 */
export type ProgressLine = { readonly show: (share: number, text: string) => void; readonly end: () => void };

/** Starts a progress line. On an interactive terminal, `end` clears it, so that the completed step can replace it. */
export function progressLine(screen: Screen): ProgressLine {
  let fifths = 0;
  return {
    show: (share, text) => {
      const line = `  ${bar(share, 30, '░')} ${String(Math.floor(share * 100)).padStart(3)} %  ${text}`;
      if (screen.isTty) {
        screen.write(`\r\u001b[2K${line}`);
      } else if (Math.floor(share * 5) > fifths) {
        fifths = Math.floor(share * 5);
        screen.write(`${line}\n`);
      }
    },
    end: () => {
      if (screen.isTty) screen.write('\r\u001b[2K');
    },
  };
}
