/** Cells of a range copied from a spreadsheet: rows by line, cells by tab, without the empty line a spreadsheet ends with. */
export function cellsOf(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  while (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.split('\t').map((cell) => cell.trim()));
}
