import { documentOf } from '../site/page.ts';
import { writtenPages } from '../site/written-pages.ts';

// Documentation for language models: the written pages of the documentation site, read once per process.

/** Page of the documentation. `name` is the path below `/docs`, such as `rules/billing`. */
export type DocsPage = { readonly name: string; readonly title: string; readonly text: string };

/** Paragraph with the page and the heading that contain it. */
type Paragraph = { readonly page: string; readonly heading: string; readonly text: string };

let pages: readonly DocsPage[] | null = null;

/** Returns all pages, sorted by name. */
export function docsPages(): readonly DocsPage[] {
  pages ??= writtenPages()
    .map((page) => ({ name: page.path || 'index', title: page.title, text: documentOf(page) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return pages;
}

/** Splits a page into paragraphs, with one paragraph per table row. */
function paragraphsOf({ name, text }: DocsPage): Paragraph[] {
  let heading = '';
  const found: Paragraph[] = [];
  for (const block of text.split(/\n{2,}/)) {
    for (const part of block.startsWith('|') ? block.split('\n') : [block]) {
      const title = /^#+ (.+)$/.exec(part.trim())?.[1];
      if (title !== undefined) heading = title;
      else if (part.trim() !== '') found.push({ page: name, heading, text: part.trim() });
    }
  }
  return found;
}

let paragraphs: readonly Paragraph[] | null = null;

const maxParagraphs = 10;

/** Returns up to 10 paragraphs that contain the most search words, best match first. */
export function searchDocs(words: string): readonly Paragraph[] {
  paragraphs ??= docsPages().flatMap(paragraphsOf);
  const wanted = [
    ...new Set(
      words
        .toLowerCase()
        .split(/\W+/)
        .filter((word) => word.length > 1),
    ),
  ];
  const scoreOf = ({ heading, text }: Paragraph): number => {
    const [title, body] = [heading.toLowerCase(), text.toLowerCase()];
    return wanted.reduce(
      (sum, word) => sum + (body.includes(word) ? 2 : 0) + (title.includes(word) ? 1 : 0),
      0,
    );
  };
  return paragraphs
    .map((paragraph) => ({ paragraph, score: scoreOf(paragraph) }))
    .filter(({ score }) => score >= Math.max(2, wanted.length))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxParagraphs)
    .map(({ paragraph }) => paragraph);
}
