import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lazily } from '../platform/lazily.ts';
import { root } from '../platform/root.ts';
import { writtenFiles } from './contents.ts';
import { firstSentence } from './markdown.ts';
import { addressOf, type SitePage } from './page.ts';

const pathByFile: ReadonlyMap<string, string> = new Map(
  writtenFiles.map(({ file, path: target }) => [file, target]),
);

/** Link in Markdown: `[text](target)`. */
const linkPattern = /(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/** Returns the text of a line's links with addresses on the site. A link to a file outside the site becomes its text. */
const relinked = (line: string, file: string): string =>
  line.replace(linkPattern, (whole, text: string, target: string) => {
    if (/^(?:\w+:|#|\/)/.test(target)) return whole;
    const [name = '', anchor] = target.split('#');
    const found = pathByFile.get(path.posix.normalize(path.posix.join(path.posix.dirname(file), name)));
    if (found === undefined) return text;
    return `[${text}](${addressOf(found)}${anchor === undefined ? '' : `#${anchor}`})`;
  });

/** Replaces the links between files with addresses on the site. Code blocks stay unchanged. */
export function withSiteLinks(text: string, file: string): string {
  let isCode = false;
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) isCode = !isCode;
      return isCode ? line : relinked(line, file);
    })
    .join('\n');
}

/** Returns the first paragraph after the title. */
const introductionOf = (body: string): string =>
  body.split(/\n{2,}/).find((block) => /^[\p{L}`[*]/u.test(block.trim())) ?? '';

/** Returns a page from the text of a Markdown file. Throws if the file has no title or no introduction. */
function writtenPage({ file, path: target, section }: (typeof writtenFiles)[number]): SitePage {
  const text = readFileSync(path.join(root, file), 'utf8');
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  const body = withSiteLinks(text.replace(/^# .+\n+/, ''), file);
  const description = firstSentence(introductionOf(body));
  if (title === undefined || description === '') throw new Error(`${file} has no title or no introduction.`);
  return { path: target, title, description, section, body: () => body };
}

/** Returns the written pages, in the order of the navigation. The files are read once per process. */
export const writtenPages = lazily((): readonly SitePage[] => writtenFiles.map(writtenPage));
