/** Splits a range copied from a spreadsheet into rows (lines) and cells (separated by tabs), without the trailing empty line. */
export function cellsOf(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  while (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.split('\t').map((cell) => cell.trim()));
}
