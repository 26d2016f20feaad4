import { filesBelow, readText } from './files.ts';
import { type Source, sourceOf } from './source.ts';
import type { Text } from './text.ts';

const directive = /^(?:biome-ignore|@ts-|eslint|[#@]__|\/ <|v8 ignore|@vite)/;

const plain = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trim())
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the comments in a source file. Consecutive line comments form one text. */
function commentsIn({ file, code, comments, lineAt }: Source): Text[] {
  const texts: Text[] = [];
  let [block, begin, end] = ['', 0, -1];
  const add = (): void => {
    if (block !== '') texts.push({ kind: 'comments', place: `${file}:${lineAt(begin)}`, text: block });
    block = '';
  };
  for (const comment of comments) {
    const text = plain(comment.value);
    const isNext =
      comment.type === 'Line' && block !== '' && /^\r?\n[ \t]*$/.test(code.slice(end, comment.start));
    if (!isNext) add();
    if (text === '' || directive.test(text)) continue;
    if (!isNext) begin = comment.start;
    block = isNext ? `${block} ${text}` : text;
    end = comment.type === 'Line' ? comment.end : -1;
  }
  add();
  return texts;
}

/**
 * Returns the comments in a Prisma file. Consecutive lines with `//` or `///` form one text. Skips lines
 * that declare the type of a JSON column.
 */
function prismaCommentsIn(file: string): Text[] {
  const texts: Text[] = [];
  let block: string[] = [];
  readText(file)
    .split('\n')
    .forEach((line, index) => {
      const [, text] = /^\s*\/\/\/?\s*(.*)$/.exec(line) ?? [];
      if (text !== undefined && !/^[@![]/.test(text)) block.push(text);
      else if (text === undefined && block.length > 0) {
        texts.push({
          kind: 'comments',
          place: `${file}:${index + 1 - block.length}`,
          text: block.join(' ').trim(),
        });
        block = [];
      }
    });
  return texts;
}

/** Returns all comments in the project's sources. */
export const comments = (): Text[] => [
  ...['src', 'test', 'bench', 'examples', 'prisma'].flatMap((folder) =>
    filesBelow(folder, /\.tsx?$/).flatMap((file) => commentsIn(sourceOf(file))),
  ),
  ...filesBelow('prisma', /\.prisma$/).flatMap(prismaCommentsIn),
];
