import { filesBelow, readText } from './files.ts';
import { sentencesOf, type Text } from './text.ts';

/** Returns a Markdown line's text without the syntax for lists, quotes, emphasis, and links. */
const prose = (line: string): string =>
  line
    .replace(/^\s*(?:[-*+]|\d+\.|>|#+)\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__/g, '')
    .trim();

/** Returns the sentences in a Markdown file's paragraphs, list items, headings, and table cells. Skips code blocks. */
function sentencesIn(file: string): Text[] {
  const texts: Text[] = [];
  let [block, begin, isCode] = ['', 0, false];
  const add = (): void => {
    const place = `${file}:${begin}`;
    texts.push(
      ...sentencesOf(block).map((text, index) => ({
        kind: 'docs' as const,
        place,
        text,
        isContinued: index > 0,
      })),
    );
    block = '';
  };
  readText(file)
    .split('\n')
    .forEach((line, index) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      const isBreak = isCode || /^\s*(?:```|<|$)/.test(line);
      const isOwn = /^\s*(?:[-*+]\s|\d+\.\s|>|#|\|)/.test(line);
      if (isBreak || isOwn) add();
      if (isBreak || /^\s*\|?[\s|:-]+\|?$/.test(line)) return;
      if (block === '') begin = index + 1;
      if (!line.trimStart().startsWith('|')) block = `${block} ${prose(line)}`.trim();
      else
        for (const cell of line.split(/(?<!\\)\|/)) {
          block = prose(cell);
          add();
        }
      if (line.startsWith('#')) add();
    });
  add();
  return texts;
}

/** Returns the sentences in the documentation and in the READMEs. */
export const documents = (): Text[] => [
  ...sentencesIn('README.md'),
  ...['docs', 'src', 'test', 'bench', 'examples', 'prisma']
    .flatMap((folder) => filesBelow(folder, /\.md$/))
    .flatMap(sentencesIn),
];
