// Drawing on a terminal of 80 columns. Colors and rewritten lines only where someone is watching.

/** Where the demo writes to. */
export type Screen = { readonly write: (text: string) => void; readonly isTty: boolean };

const style =
  (code: number) =>
  (screen: Screen, text: string): string =>
    screen.isTty ? `\u001b[${code}m${text}\u001b[0m` : text;

export const bold = style(1);
export const dim = style(2);
export const green = style(32);

/** A bar of `width` columns of which `share`, from 0 to 1, is filled to the eighth of a column. */
export function bar(share: number, width: number, empty = ' '): string {
  const eighths = Math.round(Math.min(Math.max(share, 0), 1) * width * 8);
  const partial = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8] ?? '';
  return `${'█'.repeat(Math.floor(eighths / 8))}${partial}`.padEnd(width, empty);
}

/** An integer with thousands separated. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** US cents, 0 or more, as dollars; whole numbers all the way. */
export const dollars = (cents: number): string =>
  `$${count((cents - (cents % 100)) / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Writes a finished step: what was done, what came out, how long it took in milliseconds. */
export function step(screen: Screen, title: string, result: string, ms: number): void {
  const seconds = `${(ms / 1_000).toFixed(1)} s`;
  screen.write(
    `  ${green(screen, '✓')} ${title.padEnd(15)}${result.padEnd(54)}${dim(screen, seconds.padStart(7))}\n`,
  );
}

/** Writes a heading between two parts. */
export const heading = (screen: Screen, text: string): void => screen.write(`\n  ${bold(screen, text)}\n\n`);

/** A line that shows progress: rewritten in place on a terminal, elsewhere written at each fifth of the way. */
export type ProgressLine = { readonly show: (share: number, text: string) => void; readonly end: () => void };

/** Opens a progress line. `end` clears it on a terminal, so that the finished step takes its place. */
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
