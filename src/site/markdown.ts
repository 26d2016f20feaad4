// Helpers that write Markdown.

/** Joins blocks with an empty line between them. Omits empty blocks. */
export const blocks = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n');

/** Returns a code block. `language` selects the syntax colors. */
export const codeBlock = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** Returns JSON with an indentation of two spaces in a code block. */
export const jsonBlock = (value: unknown): string => codeBlock('json', JSON.stringify(value, null, 2));

/** Returns text for a table cell: one line, with escaped pipes. */
const cell = (text: string): string => text.replaceAll('\n', ' ').replaceAll('|', '\\|');

/** Returns a table. Empty if there are no rows. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

/** Returns text as inline code. */
export const inline = (text: string): string => `\`${text}\``;

/** Returns the first sentence of a text, without links and emphasis. */
export const firstSentence = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll('\n', ' ')
    .split(/(?<=[.!?]) /)[0]
    ?.trim() ?? '';

/** Converts a camel-case name to lowercase words with hyphens: `customerCreate` becomes `customer-create`. */
export const kebab = (name: string): string =>
  name.replace(/(?<=[a-z\d])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `-${letter}`).toLowerCase();
