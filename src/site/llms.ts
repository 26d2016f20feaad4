import { addressOf, documentOf, type SitePage, sections } from './page.ts';

// Lists of pages for language models (https://llmstxt.org).

const summary =
  'Quittance is a billing and payments platform for SaaS and AI products: plans, usage, subscriptions, invoices, payments, and payouts.';

const line = ({ path, title, description }: SitePage, origin: string): string =>
  `- [${title}](${origin}${addressOf(path === '' ? 'index' : path)}.md): ${description}`;

/** Returns `llms.txt`: one line for each page, by section. */
export function pageList(pages: readonly SitePage[], origin: string): string {
  const lists = sections.flatMap((section) => {
    const own = pages.filter((page) => page.section === section);
    return own.length === 0 ? [] : [`## ${section}\n\n${own.map((page) => line(page, origin)).join('\n')}`];
  });
  return `# Quittance\n\n> ${summary}\n\n${lists.join('\n\n')}\n`;
}

const written: ReadonlySet<string> = new Set(['Start', 'Concepts', 'Guides', 'Operations']);

/** Returns `llms-full.txt`: the text of the written guides and concepts. `base` is the path of the service's public URL. */
export const fullText = (pages: readonly SitePage[], base: string): string =>
  pages
    .filter(({ section }) => written.has(section))
    .map((page) => documentOf(page, base))
    .join('\n');
